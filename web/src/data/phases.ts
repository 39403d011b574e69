// The phase of a task as pages show it: the SDK says whose turn it is and until when, the page adds how a task has ended.
import { parseTaskRecord } from '@svc/sdk/actions';
import { type Address, describeEnd, findPhase, rolesOf } from '@svc/sdk/domain';
import { afterOf, sentenceOf, todoOf } from '@svc/sdk/internal/domain/phases';
import type { Task } from './market.ts';

export type Phase = ReturnType<typeof describePhase>;

export const waiting = {
  anyone: 'Open to everyone',
  nobody: 'Finished',
  poster: 'Waiting for the poster',
  worker: 'Waiting for the worker',
  arbitrator: 'Waiting for the arbitrator',
  both: 'Waiting for both parties',
} as const;

/**
 * `who` do what `todo` says, `address` as its role asks: "Your turn: review the delivery". `isOwn` if the wallet has
 * something to do: its parties also once anyone can end a phase. `until` is null where no clock runs.
 */
export function describePhase(task: Task, now: number, address?: Address) {
  const phase = findPhase(parseTaskRecord(task), now);
  const roles = address === undefined ? [] : rolesOf(task, address);
  const who = phase === null ? 'nobody' : whoseTurn(phase.by);
  if (phase === null)
    return {
      who,
      todo: '',
      sentence: describeEnd(task.state, task.dispute?.outcome ?? null, roles.includes('worker')),
      until: null,
      after: '',
      isOver: false,
      isOwn: false,
    };
  const { until, isOverdue } = phase;
  const [todo, sentence, after] = [todoOf(phase, roles), sentenceOf(phase, roles), afterOf(phase, roles)];
  const turn = isOverdue ? ['poster', 'worker'] : phase.by.filter((role) => role !== 'anyone but the poster');
  const isOwn = roles.some((role) => turn.includes(role));
  return { who, todo, sentence, until, after, isOver: isOverdue, isOwn };
}

function whoseTurn(by: readonly string[]): keyof typeof waiting {
  if (by.length > 1) return 'both';
  return (['poster', 'worker', 'arbitrator'] as const).find((role) => role === by[0]) ?? 'anyone';
}
