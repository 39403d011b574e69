// Whose turn it is on a task, until when, and what happens when nobody moves.
import { protocolConstants } from '@svc/sdk/domain';
import type { Task } from './market.ts';

export type Turn = {
  readonly who: 'anyone' | 'poster' | 'worker' | 'arbitrator' | 'both' | 'nobody';
  readonly sentence: string;
  /** The clock that runs, if one does. */
  readonly until: number | null;
  /** What happens when that clock has run out, and who then may act. */
  readonly after: string;
};

const { activationWindowSeconds: activation, deliveryGraceSeconds: grace } = protocolConstants;

export function readTurn(task: Task, now: number): Turn {
  const open = turns[task.state](task);
  const isOver = open.until !== null && now > open.until;
  return isOver
    ? { ...open, who: 'anyone', sentence: 'The time is over: anyone may end this phase now.' }
    : open;
}

const turns: Readonly<Record<Task['state'], (task: Task) => Turn>> = {
  POSTED: (task) => ({
    who: 'anyone',
    sentence: task.fullyFunded
      ? 'Open: any wallet but the poster’s may claim it.'
      : 'Open to claim; the poster has yet to fund it before work can start.',
    until: task.deadline,
    after: 'Then it leaves the list. Anyone may close it, and what escrow holds goes back to the poster.',
  }),
  CLAIMED: (task) =>
    task.fullyFunded
      ? {
          who: 'poster',
          sentence: 'The poster starts the work; after a day of silence the worker may.',
          until: task.updatedAt + 2 * activation,
          after: 'Then anyone may list it again. The worker gets the bond back.',
        }
      : {
          who: 'poster',
          sentence: 'The poster must fund the rest before work can start.',
          until: task.updatedAt + activation,
          after: 'Then anyone may cancel it. The worker gets the bond back.',
        },
  ACTIVE: (task) => ({
    who: 'worker',
    sentence: 'The worker delivers a proof of the current milestone.',
    until: task.deadline + grace,
    after: 'Then anyone may end it: the escrow goes back and the worker’s bond goes to the poster.',
  }),
  DELIVERED: (task) => ({
    who: 'poster',
    sentence: 'The poster reviews: accepts the milestone, or disputes it.',
    until: task.updatedAt + task.reviewPeriod,
    after: 'Then the worker is paid as if it had been accepted; anyone may see to that.',
  }),
  DISPUTED: (task) => disputeTurn(task),
  COMPLETED: () => ended('Done: everything was paid to the worker.'),
  RESOLVED: () => ended('Settled: the money was split and both bonds are free or moved.'),
  CANCELLED: () => ended('Ended without completion: what escrow held went back to the poster.'),
};

function disputeTurn({ dispute }: Task): Turn {
  const until = dispute?.phaseEndsAt ?? null;
  if (dispute?.phase === 'ASSIGNED') {
    const after = 'Then anyone may escalate, and the arbitrator loses a tenth of its bond.';
    return { who: 'arbitrator', sentence: 'The arbitrator rules on the split.', until, after };
  }
  if (dispute?.phase === 'ESCALATED') {
    const after = 'Then anyone may have the milestone halved.';
    return { who: 'arbitrator', sentence: 'The fallback arbitrator rules on the split.', until, after };
  }
  const after = 'Then anyone may escalate to the fallback arbitrator.';
  return { who: 'both', sentence: 'Both parties name an arbitrator; the same name seats it.', until, after };
}

function ended(sentence: string): Turn {
  return { who: 'nobody', sentence, until: null, after: '' };
}
