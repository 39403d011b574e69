// Folds a task's events, oldest first, into what only its logs tell.
import type { ChainEvent } from './event.ts';
import { noFacts, type TaskFacts } from './task.ts';

export function readFacts(events: readonly ChainEvent[]): TaskFacts {
  return events.reduce(applyEvent, noFacts);
}

function applyEvent(facts: TaskFacts, event: ChainEvent): TaskFacts {
  switch (event.name) {
    case 'TaskPosted':
      return { ...facts, uri: String(event.args.uri) };
    case 'TaskClaimed':
      return { ...facts, claimedAt: event.blockTime, deliveredAt: null };
    case 'ProofSubmitted':
      return { ...facts, deliveredAt: event.blockTime };
    // The next milestone has not been delivered yet; the last one ends the task and keeps its time.
    case 'MilestoneAccepted':
      return { ...facts, deliveredAt: null };
    case 'TaskCompleted':
      return { ...facts, deliveredAt: facts.deliveredAt ?? event.blockTime };
    case 'WorkerLeft':
    case 'WorkerDismissed':
      return { ...facts, claimedAt: null, deliveredAt: null };
    case 'DisputeResolved':
    case 'DisputeTimedOut':
    case 'MutuallySettled':
      return { ...facts, workerBps: Number(event.args.workerBps) };
    default:
      return facts;
  }
}
