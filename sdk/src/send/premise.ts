// Whether what was shown still holds: the task as its reader saw it against the task as it is, and what is left of a plan
// against the plan that was confirmed.
import type { Hex } from 'viem';
import type { WriteAction } from '../actions/action.ts';
import type { Allowance, ExplainedCall } from '../actions/explainCalls.ts';
import { type Account, describeAmount, describeMovement, type Movement } from '../actions/movements.ts';
import { isOpenAt, nextActionsOf } from '../actions/nextActions.ts';
import type { Call } from '../chain/encodeCall.ts';
import { type Address, addressKey, isSameAddress } from '../domain/address.ts';
import { formatMoment } from '../domain/amount.ts';
import { findPhase } from '../domain/phases.ts';
import type { Task } from '../domain/task.ts';
import type { TypedDataJson } from './wallet.ts';

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
    return `The deadline has moved. It is now ${formatMoment(task.deadline)}.`;
  const own = nextActionsOf(task, wallet).filter((next) => next.action === action.name);
  if (own.length === 0) return 'This wallet cannot do this now.';
  return own.some((next) => isOpenAt(now, next)) ? null : 'The time for this is over.';
}

function isSameWorker(left: Address | null, right: Address | null): boolean {
  return left === null || right === null ? left === right : isSameAddress(left, right);
}

/** What of a plan is compared: bytes, and what they do with money as it is read back from them. */
export type Premise = {
  readonly action: Pick<WriteAction, 'name'>;
  readonly calls: readonly Call[];
  readonly typedData: TypedDataJson | null;
  readonly explained: readonly Pick<ExplainedCall, 'movements' | 'allowance' | 'dangers'>[];
  /** As it was read for the plan. */
  readonly task: Task | null;
  /** Unix seconds of the chain. */
  readonly now: number;
};

/**
 * Why what is left may not be signed by what was shown; null where it may. What is gone is paid, and more for the wallet is no
 * reason to stop. `left` are the calls of the shown plan that were not sent yet.
 */
export function findPlanChange(
  shown: Premise,
  current: Premise,
  left: readonly Call[],
  wallet: Address,
): string | null {
  if (shown.task !== null && current.task !== null) {
    const change = findTaskChange(shown.action, shown.task, current.task, { wallet, now: current.now });
    // What speaks against it from the start is no change; the trial of the calls says whether they would fail.
    const before = findTaskChange(shown.action, shown.task, shown.task, { wallet, now: shown.now });
    if (change !== null && change !== before) return change;
  }
  const isOther = selectorOf(shown.calls.at(-1)) !== selectorOf(current.calls.at(-1));
  if (isOther || (shown.typedData === null) !== (current.typedData === null))
    return 'The action takes another call now.';
  if (current.calls.length > left.length) return 'It takes more steps than were shown.';
  return findMoneyChange(shown, current, wallet);
}

function selectorOf(call: Call | undefined): string {
  return call === undefined ? '' : addressKey(call.to) + call.data.slice(0, 10).toLowerCase();
}

type Line = { readonly key: string; readonly amount: bigint | null; readonly is: 'cost' | 'gain' | 'fixed' };
type Shown = Line & { readonly movement: Movement | null; readonly allowance: Allowance | null };

function findMoneyChange(shown: Premise, current: Premise, wallet: Address): string | null {
  const rest = listLines(shown, wallet);
  const take = (isFit: (one: Line) => boolean): boolean => {
    const at = rest.findIndex(isFit);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  };
  const isExact = (line: Line) => (one: Line) => one.key === line.key && one.amount === line.amount;
  // First those that are as they were: of two lines with one name, the higher one may not cover the lower one.
  const changed = listLines(current, wallet).filter((line) => !take(isExact(line)));
  for (const line of changed) {
    if (take((one) => one.key === line.key && isWithin(one, line))) continue;
    const before = rest.find(({ key }) => key === line.key);
    const now = describeLine(line, wallet);
    if (before === undefined) return `There is a new cost. ${now}.`;
    return `The costs have changed. ${now}, instead of ${describeLine(before, wallet)}.`;
  }
  const known = new Set(shown.explained.flatMap(({ dangers }) => dangers));
  const danger = current.explained.flatMap(({ dangers }) => dangers).find((one) => !known.has(one));
  return danger ?? null;
}

function isWithin(shown: Line, { is, amount }: Line): boolean {
  if (shown.amount === null || amount === null) return shown.amount === amount;
  if (is === 'gain') return amount >= shown.amount;
  return is === 'cost' ? amount <= shown.amount : amount === shown.amount;
}

function listLines({ explained }: Premise, wallet: Address): Shown[] {
  return explained.flatMap(({ movements, allowance }) => [
    ...(allowance === null
      ? []
      : [
          {
            key: `allow ${allowance.token} ${addressKey(allowance.spender)}`,
            amount: allowance.amount,
            is: 'cost' as const,
            movement: null,
            allowance,
          },
        ]),
    ...movements.map((movement) => ({
      key: `${movement.token} ${nameOf(movement.from)} ${nameOf(movement.to)}`,
      amount: movement.amount,
      is: directionOf(movement, wallet),
      movement,
      allowance: null,
    })),
  ]);
}

function directionOf({ from, to }: Movement, wallet: Address): Line['is'] {
  const isOwn = (account: Account) => 'owner' in account && isSameAddress(account.owner, wallet);
  if (isOwn(from)) return 'cost';
  return isOwn(to) ? 'gain' : 'fixed';
}

function nameOf(account: Account): string {
  return 'owner' in account ? `${account.place}:${addressKey(account.owner)}` : account.place;
}

function describeLine({ movement, allowance }: Shown, me: Address): string {
  if (movement !== null) return describeMovement(movement, { me });
  return allowance === null ? '' : `An allowance of ${describeAmount(allowance)} for ${allowance.spender}`;
}

/** Whether two lists of calls end with the same one, which is the action itself. */
export function hasSameEnd(left: readonly Call[], right: readonly Call[]): boolean {
  const [one, other] = [left.at(-1), right.at(-1)];
  if (one === undefined || other === undefined) return false;
  return (['to', 'data', 'value'] as const).every(
    (field) => (one[field] as Hex).toLowerCase() === (other[field] as Hex).toLowerCase(),
  );
}
