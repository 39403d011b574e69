// The EIP-712 document by which a wallet opens a session at a gateway. It names the gateway, so that no other can use it.
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
