// Folds a task's events, oldest first, into what only its logs tell.
import type { ChainEvent } from './event.ts';
import { indexOf, taskStates } from './state.ts';
import { noFacts, type TaskFacts } from './task.ts';

const posted = indexOf(taskStates, 'POSTED');
const active = indexOf(taskStates, 'ACTIVE');

export function readFacts(events: readonly ChainEvent[]): TaskFacts {
  return events.reduce(applyEvent, noFacts);
}

function applyEvent(facts: TaskFacts, event: ChainEvent): TaskFacts {
  switch (event.name) {
    case 'TaskPosted':
      return { ...facts, uri: String(event.args.uri) };
    case 'TaskClaimed':
      return { ...facts, claimedAt: event.blockTime };
    case 'ProofSubmitted':
      return { ...facts, deliveredAt: event.blockTime };
    case 'TaskState':
      return applyState(facts, Number(event.args.state));
    case 'DisputeResolved':
    case 'DisputeTimedOut':
    case 'MutuallySettled':
      return { ...facts, workerBps: Number(event.args.workerBps) };
    default:
      return facts;
  }
}

/** Listed again, nobody has the task; working on, the next milestone is not delivered yet. An end keeps its times. */
function applyState(facts: TaskFacts, state: number): TaskFacts {
  if (state === posted) return { ...facts, claimedAt: null, deliveredAt: null };
  if (state === active) return { ...facts, deliveredAt: null };
  return facts;
}
