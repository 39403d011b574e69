// The parts of a task's money: paid, locked, refunded, fees.
import { isTerminal } from '@svc/sdk/domain';
import { showTok } from './format.ts';
import type { Task } from './market.ts';

export type Escrow = Pick<
  Task,
  'totalAmountTokWei' | 'fundedTokWei' | 'releasedTokWei' | 'refundedTokWei' | 'feesTokWei'
>;

export type Part = 'released' | 'locked' | 'refunded' | 'fees';

/** Without the empty parts. */
export function partsOf(escrow: Escrow): { readonly name: Part; readonly wei: bigint }[] {
  const released = BigInt(escrow.releasedTokWei);
  const refunded = BigInt(escrow.refundedTokWei);
  const fees = BigInt(escrow.feesTokWei);
  const locked = BigInt(escrow.fundedTokWei) - released - refunded - fees;
  return [
    { name: 'released' as const, wei: released },
    { name: 'locked' as const, wei: locked },
    { name: 'refunded' as const, wei: refunded },
    { name: 'fees' as const, wei: fees },
  ].filter(({ wei }) => wei > 0n);
}

/** In words what a bar of money shows: whether the money is there, or where it went. */
export function describeFunding(task: Task): string {
  const released = BigInt(task.releasedTokWei);
  const refunded = BigInt(task.refundedTokWei);
  if (isTerminal(task.state)) {
    if (released > 0n) return refunded > 0n ? `${showTok(released)} TOK paid` : 'Paid';
    return refunded > 0n ? 'Refunded' : 'Never funded';
  }
  if (task.fullyFunded) return 'Fully funded';
  return task.fundedTokWei === '0' ? 'Not funded yet' : `${showTok(task.fundedTokWei)} TOK funded`;
}

/** "released 20 TOK, locked 80 TOK of 100 TOK" */
export function describeEscrow(escrow: Escrow): string {
  const parts = partsOf(escrow).map(({ name, wei }) => `${name} ${showTok(wei)} TOK`);
  return `${parts.join(', ') || 'nothing funded'} of ${showTok(escrow.totalAmountTokWei)} TOK`;
}
