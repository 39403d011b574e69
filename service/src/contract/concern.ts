// What one task asks of one wallet: whose turn it is, until when, what silence does, and what is at stake.
import {
  type Address,
  describeEnd,
  findPhase,
  formatTaskId,
  formatTok,
  formatUsdc,
  isSameAddress,
  marketParameters,
  type Task,
} from '@svc/sdk/domain';
import { isOpenAt, nextActionsOf } from '@svc/sdk/internal/actions/nextActions';
import { type StakeKind, turns } from '@svc/sdk/internal/domain/concernNames';
import { afterOf, sentenceOf, todoOf } from '@svc/sdk/internal/domain/phases';
import { toRole } from '@svc/sdk/internal/domain/state';
import { disputedAmount, lockedAmount, type TaskFacts } from '@svc/sdk/internal/domain/task';
import { type ConcernRow, rolesIn } from './concernRows.ts';

type ConcernSource = {
  readonly task: Task;
  readonly facts: Pick<TaskFacts, 'dispute'>;
  /** Null where the words are unknown or not shown. */
  readonly title: string | null;
};

/** `row` is the row of the index that holds for the wallet at the second `now`. */
export function buildConcern(
  { task, facts, title }: ConcernSource,
  wallet: Address,
  row: Pick<ConcernRow, 'part' | 'roles'>,
  now: number,
) {
  const turn = turns[row.part] ?? 'nobody';
  const phase = turn === 'nobody' ? null : findPhase(task, now);
  const possible = nextActionsOf(task, wallet).filter((window) => isOpenAt(now, window));
  const names = phase === null ? [] : [...new Set(possible.map(({ action }) => action))];
  const isWorker = task.worker !== null && isSameAddress(task.worker, wallet);
  const roles = rolesIn(row.roles);
  const isExpected = (name: string) => name === phase?.action;
  return {
    taskId: formatTaskId(task),
    title: task.scope === 'open' ? title : null,
    isPrivate: task.scope !== 'open',
    roles,
    state: task.state,
    turn,
    by: phase === null ? [] : phase.by.map(toRole),
    phase: phase === null ? null : todoOf(phase, roles),
    sentence:
      phase === null
        ? describeEnd(task.state, facts.dispute.outcome, isWorker)
        : sentenceOf(phase, turn === 'mine' ? roles : []),
    actions: [...names.filter(isExpected), ...names.filter((name) => !isExpected(name))],
    until: phase === null || phase.isOverdue ? null : phase.until,
    afterwards: phase === null ? null : afterOf(phase, roles),
    atStake: phase === null ? [] : listStakes(task),
    updatedAt: task.updatedAt,
  };
}

/** What the running phase decides about, in whole tokens, exact. Nothing is at stake where nothing is held. */
function listStakes(task: Task) {
  const { market, state, dispute } = task;
  const stake = (kind: StakeKind, token: 'TOK' | 'USDC', amount: string) => ({ kind, token, amount });
  const tok = (kind: StakeKind, amount: bigint) => stake(kind, 'TOK', formatTok(amount));
  const workBond = stake('workBond', 'USDC', formatUsdc(marketParameters[market].bondUsdc));
  const stakes = {
    POSTED: [tok('escrow', lockedAmount(task))],
    CLAIMED: [tok('escrow', lockedAmount(task))],
    ACTIVE: [tok('escrow', lockedAmount(task)), workBond],
    DELIVERED: [tok('milestone', disputedAmount(task)), workBond],
    DISPUTED: [
      tok('milestone', disputedAmount(task)),
      ...(dispute?.posterPayer == null ? [] : [tok('disputeBond', dispute.bond)]),
      workBond,
    ],
    COMPLETED: [],
    RESOLVED: [],
    CANCELLED: [],
  }[state];
  return stakes.filter(({ amount }) => amount !== '0');
}
