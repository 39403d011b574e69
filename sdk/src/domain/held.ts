// The receipt of a relay: the gateway signs that it holds a message for a wallet since a moment.
import type { Hex } from 'viem';
import type { Address } from './address.ts';
import { gatewayDomain } from './sessionDocument.ts';

export type HeldDocument = {
  readonly hash: Hex;
  readonly to: Address;
  /** Unix seconds. */
  readonly receivedAt: number;
};

export function buildHeldTypedData(chainId: number, { hash, to, receivedAt }: HeldDocument) {
  return {
    domain: gatewayDomain(chainId),
    types: {
      Held: [
        { name: 'hash', type: 'bytes32' },
        { name: 'to', type: 'address' },
        { name: 'receivedAt', type: 'uint64' },
      ],
    },
    primaryType: 'Held',
    message: { hash, to, receivedAt: BigInt(receivedAt) },
  } as const;
}
