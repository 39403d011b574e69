// One total for a plan: what leaves the wallet, what is locked, what it has; and what a claim earns after its costs.
import type { Cost } from '@svc/sdk/actions';
import type { WalletState } from '@svc/sdk/chain';
import type { Task } from '@svc/sdk/domain';
import { showTok } from '#data/format.ts';

export type PlanTotal = {
  readonly tokWei: bigint;
  /** Out of the wallet, into the own collateral included. */
  readonly usdc: bigint;
  /** Inside the collateral, until the task ends. */
  readonly lockedUsdc: bigint;
  readonly balance: { readonly tokWei: bigint; readonly usdc: bigint };
};

export function totalOf(
  costs: readonly Cost[],
  {
    hasFreeFee,
    addedCollateralUsdc,
    wallet: { tokWei, usdc },
  }: {
    readonly hasFreeFee: boolean | undefined;
    readonly addedCollateralUsdc: bigint;
    readonly wallet: Pick<WalletState, 'tokWei' | 'usdc'>;
  },
): PlanTotal {
  const sum = (isCounted: (cost: Cost) => boolean) =>
    costs.filter(isCounted).reduce((total, { amount }) => total + amount, 0n);
  return {
    tokWei: sum(({ token, kind }) => token === 'TOK' && !(kind === 'accessFee' && hasFreeFee === true)),
    usdc: sum(({ token, kind }) => token === 'USDC' && kind !== 'collateralBond') + addedCollateralUsdc,
    lockedUsdc: sum(({ kind }) => kind === 'collateralBond'),
    balance: { tokWei, usdc },
  };
}

/** What a worker should know before a claim. */
export type Earning = { readonly netTokWei: bigint; readonly warnings: readonly string[] };

export function earningOf(task: Pick<Task, 'totalAmount' | 'funded'>, paidTokWei: bigint): Earning {
  const netTokWei = task.totalAmount - paidTokWei;
  const warnings = [
    netTokWei <= 0n &&
      `This claim ${netTokWei < 0n ? 'costs more than' : 'costs as much as'} it pays: ${showTok(paidTokWei)} TOK for a reward of ${showTok(task.totalAmount)} TOK.`,
    task.funded === 0n &&
      'Escrow is empty. Work starts only when the poster has funded it; if that never happens, your fee is lost.',
  ];
  return { netTokWei, warnings: warnings.filter((text) => text !== false) };
}
