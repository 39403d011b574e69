// The tasks of one wallet in three groups: what needs it now (the shortest clock first), what waits for others, the past.
import { type Address, isSameAddress, isTerminal } from '@svc/sdk/domain';
import type { Task } from './market.ts';
import { describePhase, isOwnTurn, waiting as waitingFor } from './phases.ts';

export type OwnTask = {
  readonly task: Task;
  readonly role: 'poster' | 'worker' | 'arbitrator';
  /** "Your turn: review the delivery", or for whom it waits. */
  readonly sentence: string;
  /** The clock that runs now. */
  readonly until: number | null;
};

export type OwnTasks = Readonly<Record<'needed' | 'waiting' | 'finished', readonly OwnTask[]>>;

const shownFinished = 20;

export function sortOwnTasks(tasks: readonly Task[], address: Address, now: number): OwnTasks {
  const known = [...new Map(tasks.map((task) => [task.id, task])).values()];
  const groups: Record<keyof OwnTasks, OwnTask[]> = { needed: [], waiting: [], finished: [] };
  for (const task of known) {
    const phase = describePhase(task, now);
    const own = { task, role: roleOf(task, address), until: phase.isOver ? null : phase.until };
    if (isTerminal(task.state)) groups.finished.push({ ...own, sentence: phase.sentence });
    else if (isOwnTurn(task, now, address))
      groups.needed.push({ ...own, sentence: `Your turn: ${phase.todo}` });
    else groups.waiting.push({ ...own, sentence: describeWaiting(task, phase.who) });
  }
  return {
    needed: groups.needed.sort(byClock),
    waiting: groups.waiting.sort(byClock),
    finished: groups.finished
      .sort((one, other) => other.task.updatedAt - one.task.updatedAt)
      .slice(0, shownFinished),
  };
}

function describeWaiting({ state }: Task, who: keyof typeof waitingFor): string {
  return state === 'POSTED' ? 'Waiting for a worker' : waitingFor[who];
}

function roleOf({ poster, worker }: Task, address: Address): OwnTask['role'] {
  if (isSameAddress(poster as Address, address)) return 'poster';
  return worker !== undefined && isSameAddress(worker as Address, address) ? 'worker' : 'arbitrator';
}

/** Tasks without a clock come first: their time is over. */
function byClock(one: OwnTask, other: OwnTask): number {
  return (one.until ?? 0) - (other.until ?? 0);
}
