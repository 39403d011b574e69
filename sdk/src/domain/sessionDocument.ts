// The EIP-712 documents between wallets and gateways: the session, which names its gateway so that no other can use it, and
// the receipt by which a relay says that it holds a message.
import type { Hex } from 'viem';
import type { Address } from './address.ts';

export type SessionDocument = {
  readonly wallet: Address;
  /** The origin of the gateway, such as https://gateway.example. */
  readonly gateway: string;
  /** 32 random bytes: each document works once. */
  readonly nonce: Hex;
  /** Unix seconds. */
  readonly validUntil: number;
};

export const maxSessionSeconds = 24 * 3_600;

/** The EIP-712 domain of everything that gateways sign and check. */
export function gatewayDomain(chainId: number) {
  return { name: 'svc gateway', version: '1', chainId } as const;
}

export function buildSessionTypedData(chainId: number, document: SessionDocument) {
  return {
    domain: gatewayDomain(chainId),
    types: {
      Session: [
        { name: 'wallet', type: 'address' },
        { name: 'gateway', type: 'string' },
        { name: 'nonce', type: 'bytes32' },
        { name: 'validUntil', type: 'uint64' },
      ],
    },
    primaryType: 'Session',
    message: { ...document, validUntil: BigInt(document.validUntil) },
  } as const;
}

export type SessionTypedData = ReturnType<typeof buildSessionTypedData>;

/** The gateway signs that it holds a message for a wallet since a moment. */
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
