// Reads what one wallet has and may do on one market, in one request.

import { depositVaultAbi, disputeCourtAbi, stakingVaultAbi, tokTokenAbi } from '@svc/contracts/abi';
import type { Address } from '#domain/address.ts';
import { contractCall } from './contractCall.ts';
import type { MarketContracts } from './contracts.ts';
import { balanceOf } from './questions.ts';
import type { Asker } from './rpc.ts';

/** Amounts in the smallest unit of their token. */
export type WalletState = {
  readonly etherWei: bigint;
  readonly tokWei: bigint;
  readonly usdc: bigint;
  readonly allowances: {
    /** TOK to the payment gateway. */
    readonly tokRouter: bigint;
    readonly usdcVault: bigint;
    readonly usdcGateway: bigint;
  };
  readonly deposit: {
    readonly balance: bigint;
    readonly locked: bigint;
    readonly engagements: number;
    readonly isPaused: boolean;
    /** Whether one more task can be entered. */
    readonly canEngage: boolean;
  };
  readonly staking: {
    readonly staked: bigint;
    readonly credits: bigint;
    readonly rewards: bigint;
    readonly stakedAt: number;
  };
  readonly arbitrator: {
    readonly bond: bigint;
    /** When the bond comes free; 0 where nothing was asked for. */
    readonly unbondAt: number;
    /** The smallest disputed amount it takes. */
    readonly minHeld: bigint;
    readonly openCases: number;
    readonly isEligible: boolean;
  };
};

export async function readWallet(
  rpc: Asker,
  contracts: MarketContracts,
  wallet: Address,
): Promise<WalletState> {
  const tok = { address: contracts.tokToken, abi: tokTokenAbi };
  const usdc = { address: contracts.usdc, abi: tokTokenAbi };
  const [etherWei, tokWei, usdcUnits, tokRouter, usdcVault, usdcGateway, account, staker, record] =
    await rpc.askAll([
      balanceOf(wallet),
      contractCall(tok, 'balanceOf', [wallet]),
      contractCall(usdc, 'balanceOf', [wallet]),
      contractCall(tok, 'allowance', [wallet, contracts.paymentGateway]),
      contractCall(usdc, 'allowance', [wallet, contracts.depositVault]),
      contractCall(usdc, 'allowance', [wallet, contracts.paymentGateway]),
      contractCall({ address: contracts.depositVault, abi: depositVaultAbi }, 'accountOf', [wallet]),
      contractCall({ address: contracts.stakingVault, abi: stakingVaultAbi }, 'stakerOf', [wallet]),
      contractCall({ address: contracts.disputeCourt, abi: disputeCourtAbi }, 'arbitratorOf', [wallet]),
    ]);
  const [{ balance, locked, engagements }, isPaused, canEngage] = account;
  const { staked, credits, rewards, stakedAt } = staker;
  const [{ bond, minHeld, unbondAt, openCases }, isEligible] = record;
  return {
    etherWei,
    tokWei,
    usdc: usdcUnits,
    allowances: { tokRouter, usdcVault, usdcGateway },
    deposit: { balance, locked, engagements, isPaused, canEngage },
    staking: { staked, credits, rewards, stakedAt },
    arbitrator: { bond, unbondAt: Number(unbondAt), minHeld, openCases, isEligible },
  };
}
