// Renders a task's API records from its facts. Rows keep the result as a cache under a seal: where the seal does not fit,
// an older or another version of this code rendered the texts, and the reader renders them from the facts instead.
import { hash } from 'node:crypto';
import { buildOpenRecord, buildTaskDetail, buildTaskRecord } from '@svc/sdk/actions';
import { buildInlineDocument, buildTaskDocument } from '@svc/sdk/documents';
import type { Address, Delivery, Dispute, DisputePhase, Task, TaskFacts, TaskState } from '@svc/sdk/domain';
import { disputePhases, hashCriteria, noFacts, taskStates } from '@svc/sdk/domain';

/**
 * The columns that hold JSON of the API: a task as most lists show it, as the open list does, and in detail with the
 * documents of the work. The last one is empty while there are none.
 */
export const textColumns = ['record', 'open_record', 'detail'] as const;
export type TextColumn = (typeof textColumns)[number];

export type Rendered = Readonly<Record<TextColumn, string>>;

/** With the texts that a search finds, which are part of the record. */
export type RenderedTask = Rendered & { readonly texts: TaskTexts };
export type TaskTexts = Partial<Readonly<Record<'title' | 'description' | 'criteria', string>>> & {
  readonly tags?: readonly string[];
};

export type Rendering = {
  /** Changes whenever the same facts render differently. */
  readonly version: string;
  readonly render: (task: Task, facts: TaskFacts) => RenderedTask;
  /** Binds a text to this version. Code that knows no seals replaces the text and leaves a seal that no longer fits. */
  readonly seal: (text: string) => string;
};

type BuildRecord = (task: Task, facts: TaskFacts) => object;

/** Raise it for a change that none of the samples below shows. */
const edition = 1;

export function createRendering(
  buildRecord: BuildRecord,
  buildOpen: BuildRecord,
  buildDetail: BuildRecord,
): Rendering {
  const render = (task: Task, facts: TaskFacts): RenderedTask => {
    const texts = buildRecord(task, facts);
    return {
      record: JSON.stringify(texts),
      open_record: JSON.stringify(buildOpen(task, facts)),
      detail: hasDocuments(task, facts) ? JSON.stringify(buildDetail(task, facts)) : '',
      texts,
    };
  };
  const samples = sampleTasks().map(([task, facts]) => {
    const { texts: _, ...rendered } = render(task, facts);
    return rendered;
  });
  const version = digest(JSON.stringify([edition, samples]));
  return { version, render, seal: (text) => digest(`${version}\n${text}`) };
}

function hasDocuments({ dispute }: Task, { deliveries }: TaskFacts): boolean {
  return dispute !== null || deliveries.length > 0;
}

const sealLength = digest('').length;

/** The detail of a task, from what the columns hold. */
export function completeDetail({ record, detail }: Pick<Rendered, 'record' | 'detail'>): string {
  if (detail !== '') return detail;
  // Quotes inside of a text are escaped, so this is the field of the record.
  const isRead = !record.includes('"uri":null');
  return `${record.slice(0, -1)},"deliveries":[],"historyComplete":${isRead}}`;
}

/** The seals of all texts, for the column `rendering`. */
export function sealAll({ seal }: Rendering, rendered: Rendered): string {
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
  current ??= createRendering(buildTaskRecord, buildOpenRecord, buildTaskDetail);
  return current;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** A dispute is open in one state only. */
function phasesOf(state: TaskState): readonly DisputePhase[] {
  return state === 'DISPUTED' ? disputePhases : ['NONE', 'CLOSED'];
}

/** Tasks in every state and phase: what they render to identifies the version, so nobody has to remember to raise a number. */
function sampleTasks(): [Task, TaskFacts][] {
  const criteria = 'The text has 500 words.';
  const criteriaHash = hashCriteria(criteria);
  const document = { title: 'Write a text', description: 'About ships.', criteria, tags: ['text'] };
  const { uri, hash: documentHash } = buildTaskDocument(document);
  const [poster, worker, judge] = ['0x11', '0x22', '0x33'].map(
    (pair) => pair.padEnd(42, pair.slice(2)) as Address,
  ) as [Address, Address, Address];
  const transactionHash = hashCriteria('transaction');
  const settlementDigest = hashCriteria('settlement');
  const someFacts: TaskFacts = {
    uri,
    claimedAt: 11,
    deliveredAt: 12,
    deliveries: sampleDeliveries(),
    dispute: {
      openedAt: 13,
      answerEndsAt: 14,
      evidence: [poster, worker, judge].map((by) => ({
        by,
        evidenceHash: criteriaHash,
        uri: 'data:,',
        submittedAt: 13,
        transactionHash,
      })),
      evidenceCount: 3,
      ruling: {
        workerBps: 5_000,
        reasonHash: criteriaHash,
        uri: null,
        by: judge,
        at: 15,
        transactionHash,
      },
      outcome: 'ruling',
      settlementKind: 'ruling',
      workerBps: 5_000,
    },
  };
  // How a document is shown does not depend on the state, and each start of a process checks all of these.
  const withoutDocuments: TaskFacts = {
    ...someFacts,
    deliveries: [],
    dispute: { ...someFacts.dispute, evidence: [] },
  };
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
    for (const phase of phasesOf(state))
      for (const isFull of [true, false])
        for (const isNoticed of [true, false]) {
          const dispute: Dispute | null =
            phase === 'NONE'
              ? null
              : {
                  phase,
                  phaseEndsAt: 500_000,
                  judge: isFull ? judge : null,
                  posterPick: judge,
                  workerPick: isNoticed ? judge : null,
                  posterPayer: poster,
                  workerPayer: isNoticed ? worker : null,
                  amount: 700n,
                  bond: 35n,
                };
          const varied = {
            ...task,
            state,
            dispute,
            milestone: isNoticed ? 1 : 0,
            round: isNoticed ? 1 : 0,
            funded: isFull ? 1_000n : 300n,
            worker: isFull ? worker : null,
            settlementDigest: isFull ? settlementDigest : null,
            criteriaHash: isNoticed ? criteriaHash : documentHash,
            dismissAt: isNoticed ? 900_000 : null,
          };
          const known = state === 'DISPUTED' ? someFacts : withoutDocuments;
          samples.push([varied as Task, isFull ? known : noFacts]);
        }
  return samples;
}

/** A delivery in every state that a rendering can show. */
function sampleDeliveries(): Delivery[] {
  const { hash, uri } = buildInlineDocument('svc-delivery-v1', {
    taskId: 'v2:standard:7',
    milestone: 0,
    note: 'As agreed.',
    artifacts: [],
  });
  const uris = [uri, 'data:text/plain,x', '', 'https://a.example/', 'words'];
  const [submittedAt, transactionHash] = [12, hashCriteria('transaction')];
  return [0, 1].flatMap((milestone) =>
    uris.map((at) => ({ milestone, round: 1, proofHash: hash, uri: at, submittedAt, transactionHash })),
  );
}
