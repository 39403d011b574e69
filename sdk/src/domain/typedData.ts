// EIP-712 documents of one struct, as wallets sign them.

/** The fields are those of the message, in the order in which they are signed, each with its Solidity type. */
export function buildTypedData<Domain extends object, const Name extends string, Message extends object>(
  domain: Domain,
  primaryType: Name,
  fields: { readonly [Field in keyof Message]: string },
  message: Message,
) {
  const list = Object.entries<string>(fields).map(([name, type]) => ({ name, type }));
  return { domain, types: { [primaryType]: list }, primaryType, message };
}
