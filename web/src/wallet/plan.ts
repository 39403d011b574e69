// What an action takes: its calls with exactly the approvals and the collateral it needs first, its cost, what is missing.

import {
  type EncodedCalls,
  encodeApproveTokRouter,
  encodeApproveUsdcVault,
  encodeTopUp,
  joinCalls,
} from '@svc/sdk/chain';
import type { Hex } from 'viem';
import { showTok, showUsdc } from '#data/format.ts';
import type { Contracts, Purse } from './readPurse.ts';

/** What an action asks of a wallet, beside its own call. */
export type Needs = {
  readonly calls: EncodedCalls;
  /** Who gets what from elsewhere than the wallet. */
  readonly moves?: readonly Cost[];
  /** Moves out of the wallet, beside the fee. */
  readonly tokWei?: bigint;
  readonly tokFor?: string;
  readonly usdc?: bigint;
  readonly usdcFor?: string;
  /** The terms that are accepted. */
  readonly digest?: Hex;
  readonly hasFee?: boolean;
  readonly hasBond?: boolean;
};

export type Cost = { readonly what: string; readonly amount: string; readonly note?: string };

export type Plan = {
  readonly calls: EncodedCalls;
  readonly costs: readonly Cost[];
  /** What stands in the way, each with what to do; empty where the wallet is ready. */
  readonly problems: readonly string[];
  /** An upper guess until the calls were tried. */
  readonly gasWei: bigint;
  readonly gasPriceWei: bigint;
  readonly digest: Hex | null;
};

export function buildPlan(contracts: Contracts, purse: Purse, needs: Needs): Plan {
  const { figures } = purse;
  const costs: Cost[] = [...(needs.moves ?? [])];
  const problems: string[] = [];

  const paysWithCredits = needs.hasFee === true && purse.stake.credits >= figures.accessFeeTokWei;
  const feeWei = needs.hasFee === true && !paysWithCredits ? figures.accessFeeTokWei : 0n;
  if (needs.hasFee) {
    const amount = showTok(figures.accessFeeTokWei);
    costs.push(
      paysWithCredits
        ? { what: 'Access fee', amount: `${amount} credits`, note: 'paid with Action Credits, no TOK' }
        : { what: 'Access fee', amount: `${amount} TOK`, note: 'not returned' },
    );
  }
  const movedWei = needs.tokWei ?? 0n;
  if (movedWei > 0n) costs.push({ what: needs.tokFor ?? 'Moves', amount: `${showTok(movedWei)} TOK` });

  if (needs.usdc !== undefined)
    costs.push({ what: needs.usdcFor ?? 'Moves', amount: `${showUsdc(needs.usdc)} USDC` });

  const missingUsdc = needs.hasBond ? missingCollateral(purse) : 0n;
  if (needs.hasBond) {
    costs.push({
      what: 'Bond, locked while you take part',
      amount: `${showUsdc(figures.bondUsdc)} USDC`,
      note: 'of your collateral; comes back when the task ends well',
    });
  }
  if (missingUsdc > 0n) {
    costs.push({
      what: 'Collateral you still need',
      amount: `${showUsdc(missingUsdc)} USDC`,
      note: `${showUsdc(figures.entryUsdc)} USDC are needed to enter; it stays yours`,
    });
  }

  const tokWei = feeWei + movedWei;
  const usdc = missingUsdc + (needs.usdc ?? 0n);
  if (purse.tokWei < tokWei)
    problems.push(
      `${showTok(tokWei)} TOK are needed and the wallet has ${showTok(purse.tokWei)}: get TOK first.`,
    );
  if (purse.usdc < usdc)
    problems.push(
      `${showUsdc(usdc)} USDC are needed and the wallet has ${showUsdc(purse.usdc)}: get USDC first.`,
    );
  if (purse.ethWei === 0n) problems.push('The wallet has no ETH to pay for gas: send some to it first.');

  const calls = joinCalls(
    ...(usdc > purse.usdcAllowance ? [encodeApproveUsdcVault(contracts, usdc)] : []),
    ...(missingUsdc > 0n ? [encodeTopUp(contracts, missingUsdc)] : []),
    ...(tokWei > purse.tokAllowanceWei ? [encodeApproveTokRouter(contracts, tokWei)] : []),
    needs.calls,
  );
  return {
    calls,
    costs,
    problems,
    gasPriceWei: purse.gasPriceWei,
    gasWei: BigInt(calls.calls.length) * gasPerCall * purse.gasPriceWei,
    digest: needs.digest ?? null,
  };
}

/** More than most calls take; for those that cannot be tried yet. */
export const gasPerCall = 300_000n;

/** The larger of what the entry threshold and a free bond ask for. */
function missingCollateral({ deposit, figures }: Purse): bigint {
  const toEnter = figures.entryUsdc - deposit.balance;
  const toBond = figures.bondUsdc - (deposit.balance - deposit.locked);
  const missing = toEnter > toBond ? toEnter : toBond;
  return missing > 0n ? missing : 0n;
}
