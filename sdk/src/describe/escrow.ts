// The money of a task in words: whether it is there, or where it went.
import { isTerminal, type TaskState } from '../domain/state.ts';
import { type Says, say } from './parts.ts';

type Escrow = {
  readonly totalAmountTokWei: string;
  readonly fundedTokWei: string;
  readonly releasedTokWei: string;
  readonly refundedTokWei: string;
  readonly feesTokWei: string;
};

export type EscrowPart = 'released' | 'locked' | 'refunded' | 'fees';

/** Without the empty parts. */
export function listEscrow(escrow: Escrow): { readonly name: EscrowPart; readonly wei: bigint }[] {
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

type Funding = Pick<Escrow, 'fundedTokWei'> & {
  readonly fullyFunded: boolean;
  readonly state?: TaskState;
} & Partial<Pick<Escrow, 'releasedTokWei' | 'refundedTokWei'>>;

/** What a bar of money shows. */
export function describeFunding(task: Funding): Says {
  const released = BigInt(task.releasedTokWei ?? 0);
  const refunded = BigInt(task.refundedTokWei ?? 0);
  if (task.state !== undefined && isTerminal(task.state)) {
    if (released > 0n) return refunded > 0n ? say`${{ tok: released }} paid` : ['Paid'];
    return [refunded > 0n ? 'Refunded' : 'Never funded'];
  }
  if (task.fullyFunded) return ['Fully funded'];
  const funded = BigInt(task.fundedTokWei);
  return funded === 0n ? ['Not funded yet'] : say`${{ tok: funded }} funded`;
}

/** "released 20 TOK, locked 80 TOK of 100 TOK" */
export function describeEscrow(escrow: Escrow): Says {
  const parts = listEscrow(escrow).flatMap(
    ({ name, wei }, at) => say`${at === 0 ? '' : ', '}${name} ${{ tok: wei }}`,
  );
  return say`${parts.length === 0 ? 'nothing funded' : parts} of ${{ tok: BigInt(escrow.totalAmountTokWei) }}`;
}
