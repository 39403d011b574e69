// What an action with a task costs the wallet that takes it, beyond gas, and what it puts at risk.
import { type MarketParameters, protocolConstants } from './parameters.ts';
import type { TaskState } from './state.ts';

/** What the cost of an action depends on. */
export type CostedTask = {
  readonly state: TaskState;
  /** When a dismissal notice ends, if one was given. */
  readonly dismissAt: number | null;
  readonly totalAmount: bigint;
  readonly funded: bigint;
  /** What a dispute would be about: the current milestone, or all that escrow holds when it is the last. */
  readonly atStake: bigint;
};

export type ActionCost = {
  /** TOK that leaves the wallet for good; Action Credits pay an access fee first. */
  readonly feeTokWei: bigint;
  /** TOK that is put into escrow or held as a bond. */
  readonly lockedTokWei: bigint;
  /** USDC of the deposit that is locked until the task ends. */
  readonly lockedUsdcUnits: bigint;
  /** What may be lost, or what to know before; null where nothing is. */
  readonly risk: string | null;
};

const nothing: ActionCost = { feeTokWei: 0n, lockedTokWei: 0n, lockedUsdcUnits: 0n, risk: null };

export function costOf(action: string, task: CostedTask, parameters: MarketParameters): ActionCost {
  const fee = { ...nothing, feeTokWei: parameters.accessFeeTokWei };
  switch (action) {
    case 'claim-task':
      return {
        ...fee,
        lockedUsdcUnits: parameters.bondUsdc,
        risk: 'The locked deposit goes to the poster when you leave after work has started, or deliver nothing in time.',
      };
    case 'leave-task':
      return {
        ...fee,
        risk: task.state === 'ACTIVE' ? 'Your locked deposit for this task goes to the poster.' : null,
      };
    case 'dismiss-worker':
      if (task.state === 'ACTIVE' && task.dismissAt !== null)
        return { ...nothing, risk: 'The worker goes at once; the notice has paid for it.' };
      return {
        ...fee,
        risk:
          task.state === 'ACTIVE'
            ? 'This gives a day of notice, which a delivery clears; the dismissal itself, after it, costs no fee.'
            : null,
      };
    case 'fund-task':
      return {
        ...nothing,
        lockedTokWei: task.totalAmount - task.funded,
        risk: 'Once work has started, it comes back only by leave, time-out, settlement or ruling.',
      };
    case 'accept-milestone':
      return { ...nothing, risk: 'Pays the delivered milestone to the worker; it cannot be undone.' };
    case 'complete-task':
      return { ...nothing, risk: 'Pays everything in escrow to the worker, also what is not delivered yet.' };
    case 'open-dispute':
      return {
        ...nothing,
        lockedTokWei: (task.atStake * BigInt(protocolConstants.disputeBps)) / 10_000n,
        risk: 'The bond pays the arbitrator when you get less than half; otherwise it comes back.',
      };
    case 'mutual-settle':
      return { ...nothing, risk: 'Splits what escrow holds as both have signed; it cannot be undone.' };
    default:
      return nothing;
  }
}
