// Typed data as wallets take it over JSON: big integers as decimal strings, the domain's type spelled out.
import { z } from 'zod';

export const typedDataSchema = z
  .object({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    message: z.record(z.string(), z.unknown()),
  })
  .describe('EIP-712 typed data, for eth_signTypedData_v4.');

type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
};

export function formatTypedData(typedData: TypedData): z.output<typeof typedDataSchema> {
  const types = { EIP712Domain: domainType(typedData.domain), ...typedData.types };
  const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return JSON.parse(JSON.stringify({ ...typedData, types }, toText)) as z.output<typeof typedDataSchema>;
}

/** eth_signTypedData_v4 asks for it, and a wallet that finds none shows no domain. */
function domainType(domain: TypedData['domain']) {
  const fields = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  return fields.filter(({ name }) => name in domain);
}
