// Whether what a dialog shows still holds: the task as its reader saw it against the task as it is, and the shown costs
// against the current ones.
import type { WriteAction } from '@svc/sdk/actions';
import { type Address, findPhase, isSameAddress, type Task } from '@svc/sdk/domain';
import { isOpenAt, nextActionsOf } from '@svc/sdk/internal/actions/nextActions';
import { showMoment } from '../data/format.ts';
import type { CostLine } from './costLines.ts';

type Reader = {
  readonly wallet: Address;
  /** The market's time, in Unix seconds. */
  readonly now: number;
};

/** Why the wallet should not sign the action any more, in a sentence for its owner; null while nothing speaks against it. */
export function findTaskChange(
  action: Pick<WriteAction, 'name'>,
  seen: Task,
  task: Task,
  { wallet, now }: Reader,
): string | null {
  const isOwn = task.worker !== null && isSameAddress(task.worker, wallet);
  if (seen.worker === null && task.worker !== null)
    return isOwn ? 'This wallet has already claimed this task.' : 'Somebody else has claimed this task.';
  const phase = findPhase(task, now);
  if (phase === null) return 'This task has ended.';
  if (task.state !== seen.state) return `The task has changed. ${phase.sentence}`;
  if (!isSameWorker(seen.worker, task.worker)) return 'Another wallet is the worker of this task now.';
  if (task.round !== seen.round) return 'The worker has changed, and the task has begun another round.';
  if (task.milestone !== seen.milestone)
    return `The task has reached milestone ${task.milestone + 1} of ${task.milestones.length}.`;
  if (task.state === 'DELIVERED' && task.updatedAt !== seen.updatedAt)
    return 'There is a newer delivery. Look at it before you sign.';
  if (task.dispute?.phase !== seen.dispute?.phase) return `The dispute has moved on. ${phase.sentence}`;
  if (task.deadline !== seen.deadline)
    return `The deadline has moved. It is now ${showMoment(task.deadline)}.`;
  const own = nextActionsOf(task, wallet).filter((next) => next.action === action.name);
  if (own.length === 0) return 'This wallet cannot do this now.';
  return own.some((next) => isOpenAt(now, next)) ? null : 'The time for this is over.';
}

function isSameWorker(left: Address | null, right: Address | null): boolean {
  return left === null || right === null ? left === right : isSameAddress(left, right);
}

/**
 * A cost that is gone is paid or no longer needed; one that is new or different has to be seen before it is signed. More for
 * the reader, such as a reward that grows meanwhile, is no reason to stop. Where the calls themselves stay the same, the lines
 * are `fixed`: then one that is gone, or goes to another wallet, is a change as well.
 */
export function findCostChange(
  shown: readonly CostLine[],
  costs: readonly CostLine[],
  are: 'planned' | 'fixed' = 'planned',
): string | null {
  // Two lines may have one name, such as a milestone and a bond that go to the same party.
  const left = [...shown];
  const changed = `The ${are === 'fixed' ? 'amounts' : 'costs'} have changed.`;
  for (const { what, amount, note, isGain = false, tokWei = 0n } of costs) {
    const isMore = (line: CostLine) => isGain && line.tokWei !== undefined && tokWei > line.tokWei;
    const isKept = (line: CostLine) => are === 'planned' || line.note === note;
    const same = left.findIndex(
      (line) => line.what === what && isKept(line) && (line.amount === amount || isMore(line)),
    );
    if (same >= 0) left.splice(same, 1);
    else {
      const before = left.find((line) => line.what === what);
      if (before === undefined)
        return `There is a new ${are === 'fixed' ? 'line' : 'cost'}. ${what}: ${amount}.`;
      const now =
        before.amount === amount ? `${amount}, ${note}` : `now ${amount} instead of ${before.amount}`;
      return `${changed} ${what}: ${now}.`;
    }
  }
  const [gone] = are === 'fixed' ? left : [];
  return gone === undefined ? null : `${changed} ${gone.what}: no longer ${gone.amount}.`;
}
