// Renders a task's API records from its facts. Rows keep the result as a cache under a seal: where the seal does not fit,
// an older or another version of this code rendered the texts, and the reader renders them from the facts instead.
import { hash } from 'node:crypto';
import { buildOpenRecord, buildTaskRecord } from '@svc/sdk/actions';
import { buildTaskDocument } from '@svc/sdk/documents';
import type { Task, TaskFacts } from '@svc/sdk/domain';
import { disputePhases, hashCriteria, noFacts, taskStates } from '@svc/sdk/domain';

/** The columns that hold JSON of the API: a task in full, and as the open list shows it. */
export const textColumns = ['record', 'open_record'] as const;
export type TextColumn = (typeof textColumns)[number];

export type Rendered = Readonly<Record<TextColumn, string>>;

export type Rendering = {
  /** Changes whenever the same facts render differently. */
  readonly version: string;
  readonly render: (task: Task, facts: TaskFacts) => Rendered;
  /** Binds a text to this version. Code that knows no seals replaces the text and leaves a seal that no longer fits. */
  readonly seal: (text: string) => string;
};

type BuildRecord = (task: Task, facts: TaskFacts) => object;

/** Raise it for a change that none of the samples below shows. */
const edition = 1;

export function createRendering(buildRecord: BuildRecord, buildOpen: BuildRecord): Rendering {
  const render = (task: Task, facts: TaskFacts): Rendered => ({
    record: JSON.stringify(buildRecord(task, facts)),
    open_record: JSON.stringify(buildOpen(task, facts)),
  });
  const samples = sampleTasks().map(([task, facts]) => render(task, facts));
  const version = digest(JSON.stringify([edition, samples]));
  return { version, render, seal: (text) => digest(`${version}\n${text}`) };
}

const sealLength = digest('').length;

/** The seals of both texts, for the column `rendering`. */
export function sealBoth({ seal }: Rendering, rendered: Rendered): string {
  return textColumns.map((column) => seal(rendered[column])).join('');
}

/** The seal of one text in the column `rendering`. */
export function pickSeal(rendering: string, column: TextColumn): string {
  const at = textColumns.indexOf(column) * sealLength;
  return rendering.slice(at, at + sealLength);
}

let current: Rendering | undefined;

/** The rendering of this code. */
export function currentRendering(): Rendering {
  current ??= createRendering(buildTaskRecord, buildOpenRecord);
  return current;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Tasks in every state and phase: what they render to identifies the version, so nobody has to remember to raise a number. */
function sampleTasks(): [Task, TaskFacts][] {
  const criteria = 'The text has 500 words.';
  const document = { title: 'Write a text', description: 'About ships.', criteria, tags: ['text'] };
  const someFacts = {
    uri: buildTaskDocument(document).uri,
    claimedAt: 11,
    deliveredAt: 12,
    workerBps: 5_000,
  };
  const [poster, worker, arbitrator] = ['0x11', '0x22', '0x33'].map((pair) => pair.padEnd(42, pair.slice(2)));
  const task = {
    market: 'standard',
    number: 7n,
    registryAddress: poster,
    poster,
    scope: 'open',
    milestones: [300n, 700n],
    reviewPeriod: 259_200,
    deadline: 1_000_000,
    createdAt: 10,
    updatedAt: 400_000,
    totalAmount: 1_000n,
    released: 300n,
    refunded: 40n,
    fees: 5n,
  };
  const samples: [Task, TaskFacts][] = [];
  for (const state of taskStates.filter((name) => name !== 'NONE'))
    for (const phase of disputePhases)
      for (const isFull of [true, false])
        for (const isNoticed of [true, false]) {
          const dispute =
            phase === 'NONE' ? null : { phase, opener: worker, arbitrator, phaseEndsAt: 500_000 };
          const varied = {
            ...task,
            state,
            dispute,
            milestone: isNoticed ? 1 : 0,
            round: isNoticed ? 1 : 0,
            funded: isFull ? 1_000n : 300n,
            worker: isFull ? worker : null,
            settlementDigest: isFull ? hashCriteria('settlement') : null,
            criteriaHash: hashCriteria(isNoticed ? criteria : 'other'),
            dismissAt: isNoticed ? 900_000 : null,
          };
          samples.push([varied as Task, isFull ? someFacts : noFacts]);
        }
  return samples;
}
