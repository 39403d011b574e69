// EIP-712 documents of one struct, as wallets sign them.
import { concatHex, domainSeparator, type Hex, hashStruct, keccak256 } from 'viem';

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

const domainHashes = new Map<string, Hex>();

/** As `hashTypedData` of viem, for one of our domains, which is hashed once, and a message whose fields were checked before. */
export function hashOwnTypedData(document: ReturnType<typeof buildTypedData<object, string, object>>): Hex {
  const { domain, types, primaryType, message } = document;
  const key = JSON.stringify(domain);
  const domainHash = domainHashes.get(key) ?? domainSeparator({ domain });
  domainHashes.set(key, domainHash);
  const data = message as Record<string, unknown>;
  return keccak256(concatHex(['0x1901', domainHash, hashStruct({ data, primaryType, types })]));
}
