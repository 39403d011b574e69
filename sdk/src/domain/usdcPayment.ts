// A payment in USDC by signature (ERC-3009), as x402 sends it and the policy reads it.
import type { Hex } from 'viem';
import type { Address } from './address.ts';

export type UsdcPayment = {
  readonly from: Address;
  readonly to: Address;
  /** Micro-USDC. */
  readonly value: bigint;
  /** Unix seconds. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
};

/** The EIP-712 domain of the USDC contract. */
export type UsdcDomain = {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
};

export function buildUsdcPaymentTypedData(domain: UsdcDomain, message: UsdcPayment) {
  return {
    domain,
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message,
  } as const;
}
