// Typed data as JSON, in the form that wallets take over any wire (eth_signTypedData_v4).
import { getTypesForEIP712Domain, serializeTypedData, type TypedDataDefinition } from 'viem';

/** Amounts and times become decimal strings; the domain's own type is written out, as some wallets want it. */
export function toJsonTypedData(typedData: unknown): Record<string, unknown> {
  const { domain = {}, types, ...rest } = typedData as TypedDataDefinition;
  const complete = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types };
  return JSON.parse(serializeTypedData({ ...rest, domain, types: complete } as never));
}
