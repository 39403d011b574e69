// What a ruling pays out of the disputed milestone, as DisputeCourt counts it.
import type { Dispute } from './task.ts';

type Case = Pick<Dispute, 'amount' | 'bond' | 'posterPayer' | 'workerPayer'>;

/**
 * The shares of both sides, and the fee that is taken from the share of a side without a bond of its own. A ruling after
 * its time (`isLate`) earns nothing.
 */
export function payRuling(
  { amount, bond, posterPayer, workerPayer }: Case,
  workerBps: number,
  isLate = false,
) {
  const part = (whole: bigint) => (whole * BigInt(workerBps)) / 10_000n;
  const shares = { worker: part(amount), poster: amount - part(amount), fee: 0n };
  if (isLate) return shares;
  if (posterPayer === null) {
    const fee = bond - part(bond);
    return { ...shares, poster: shares.poster - fee, fee };
  }
  if (workerPayer !== null) return shares;
  const fee = part(bond);
  return { ...shares, worker: shares.worker - fee, fee };
}
