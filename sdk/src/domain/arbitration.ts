// Who may judge a dispute: the decision of DisputeCourt.proposeArbitrator, with the reason for a refusal.
import { type Address, isSameAddress } from './address.ts';
import { formatTok } from './amount.ts';
import { disputedAmount, type Task } from './task.ts';

/** What the court records about an arbitrator. */
export type ArbitratorOffer = {
  readonly address: Address;
  readonly bond: bigint;
  /** The smallest disputed amount that it accepts. */
  readonly minHeld: bigint;
  /** When the bond comes free; 0 unless it is being withdrawn. */
  readonly unbondAt: bigint | number;
};

/** Why it may be named in no dispute of the market, as the end of a sentence; null where it may (DisputeCourt.isEligible). */
export function findBondObstacle(
  { bond, unbondAt }: Pick<ArbitratorOffer, 'bond' | 'unbondAt'>,
  minBond: bigint,
): string | null {
  if (BigInt(unbondAt) !== 0n) return 'withdrawing the bond';
  return bond < minBond ? `bond below ${formatTok(minBond)} TOK` : null;
}

/** Why it may not judge this task, as the end of a sentence; null where it may. Before a dispute: one of the current milestone. */
export function findArbitratorObstacle(
  task: Task,
  arbitrator: ArbitratorOffer,
  minBond: bigint,
): string | null {
  const is = (wallet: Address | null) => wallet !== null && isSameAddress(wallet, arbitrator.address);
  if (is(task.poster) || is(task.worker)) return 'a party of the task';
  if (is(task.dispute?.workerPayer ?? null)) return 'paid the bond of the worker';
  const obstacle = findBondObstacle(arbitrator, minBond);
  if (obstacle !== null) return obstacle;
  const amount = disputedAmount(task);
  return arbitrator.minHeld > amount
    ? `accepts only more than the ${formatTok(amount)} TOK of this milestone`
    : null;
}
