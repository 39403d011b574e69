// A payment in USDC by signature (ERC-3009), as x402 sends it and the policy reads it.

import type { Address } from '@svc/sdk/domain';
import { buildTypedData } from '@svc/sdk/internal/domain/typedData';
import type { Hex } from 'viem';

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
  const wallets = { from: 'address', to: 'address', value: 'uint256' };
  const fields = { ...wallets, validAfter: 'uint256', validBefore: 'uint256', nonce: 'bytes32' };
  return buildTypedData(domain, 'TransferWithAuthorization', fields, message);
}
