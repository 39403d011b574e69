// Collateral in USDC: putting it in, rescuing somebody else, taking it out.

import { depositVaultAbi } from '@svc/contracts/abi';
import type { Address } from '#domain/address.ts';
import { formatUsdc } from '#domain/amount.ts';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';

export function encodeTopUp(contracts: CallContracts, amountUsdc: bigint): EncodedCalls {
  const summary = `Add ${formatUsdc(amountUsdc)} USDC to your collateral`;
  return encodeCall(vaultOf(contracts), 'topUp', [amountUsdc], summary);
}

export function encodeEmergencyTopUp(
  contracts: CallContracts,
  { agent, amountUsdc }: { readonly agent: Address; readonly amountUsdc: bigint },
): EncodedCalls {
  const summary = `Add ${formatUsdc(amountUsdc)} USDC to the collateral of ${agent}, which is paused`;
  return encodeCall(vaultOf(contracts), 'emergencyTopUp', [agent, amountUsdc], summary);
}

export function encodeWithdrawDeposit(
  contracts: CallContracts,
  { amountUsdc, to }: { readonly amountUsdc: bigint; readonly to: Address },
): EncodedCalls {
  const summary = `Take ${formatUsdc(amountUsdc)} USDC of your collateral out, to ${to}`;
  return encodeCall(vaultOf(contracts), 'withdraw', [amountUsdc, to], summary);
}

function vaultOf({ depositVault }: CallContracts) {
  return { name: 'DepositVault', address: depositVault, abi: depositVaultAbi } as const;
}
