// The parts of a task's money: paid, locked, refunded, fees.
import { isTerminal, type TaskState } from '@svc/sdk/domain';
import { showTok } from './format.ts';

export type Escrow = {
  readonly totalAmountTokWei: string;
  readonly fundedTokWei: string;
  readonly releasedTokWei: string;
  readonly refundedTokWei?: string;
  readonly feesTokWei?: string;
};

export type Part = 'released' | 'locked' | 'refunded' | 'fees';

/** Without the empty parts. */
export function partsOf(escrow: Escrow): { readonly name: Part; readonly wei: bigint }[] {
  const released = BigInt(escrow.releasedTokWei);
  const refunded = BigInt(escrow.refundedTokWei ?? 0);
  const fees = BigInt(escrow.feesTokWei ?? 0);
  const locked = BigInt(escrow.fundedTokWei) - released - refunded - fees;
  return [
    { name: 'released' as const, wei: released },
    { name: 'locked' as const, wei: locked },
    { name: 'refunded' as const, wei: refunded },
    { name: 'fees' as const, wei: fees },
  ].filter(({ wei }) => wei > 0n);
}

/** In words what a bar of money shows: whether the money is there, or where it went. */
export function describeFunding(
  task: Escrow & { readonly state: TaskState; readonly fullyFunded: boolean },
): string {
  const [funded, released, refunded] = [
    BigInt(task.fundedTokWei),
    BigInt(task.releasedTokWei),
    BigInt(task.refundedTokWei ?? 0),
  ];
  if (isTerminal(task.state)) {
    if (released > 0n) return refunded > 0n ? `${showTok(released)} TOK paid` : 'Paid';
    return refunded > 0n ? 'Refunded' : 'Never funded';
  }
  if (task.fullyFunded) return 'Fully funded';
  return funded === 0n ? 'Not funded yet' : `${showTok(funded)} TOK funded`;
}

/** "released 20 TOK, locked 80 TOK of 100 TOK" */
export function describeEscrow(escrow: Escrow): string {
  const parts = partsOf(escrow).map(({ name, wei }) => `${name} ${showTok(wei)} TOK`);
  return `${parts.join(', ') || 'nothing funded'} of ${showTok(escrow.totalAmountTokWei)} TOK`;
}
