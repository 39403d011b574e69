// Staking TOK in the market's Union vault.

import { stakingVaultAbi } from '@svc/contracts/abi';
import { formatTok } from '#domain/amount.ts';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';

export function encodeStake(contracts: CallContracts, amountTokWei: bigint): EncodedCalls {
  return encodeCall(vaultOf(contracts), 'stake', [amountTokWei], `Stake ${formatTok(amountTokWei)} TOK`);
}

export function encodeUnstake(contracts: CallContracts, amountTokWei: bigint): EncodedCalls {
  const summary = `Take ${formatTok(amountTokWei)} TOK out of your stake`;
  return encodeCall(vaultOf(contracts), 'unstake', [amountTokWei], summary);
}

export function encodeClaimReward(contracts: CallContracts): EncodedCalls {
  return encodeCall(vaultOf(contracts), 'claimReward', [], 'Take your staking rewards out');
}

function vaultOf({ stakingVault }: CallContracts) {
  return { name: 'StakingVault', address: stakingVault, abi: stakingVaultAbi } as const;
}
