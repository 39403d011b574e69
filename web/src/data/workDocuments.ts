// The documents of a task as pages show them: deliveries, evidence and rulings, each with its state in a sentence.
import type { DocumentState } from '@svc/sdk/domain';
import type { DocumentName, DocumentOf } from '@svc/sdk/schemas';
import type { Task, TaskDetail } from './market.ts';

/** A document beside the event on chain that names it. */
type Shown<Name extends DocumentName> = {
  readonly uri: string;
  readonly document: DocumentOf<Name> | null;
  readonly documentState: DocumentState;
  /** The bytes as plain text, where they are no valid document. */
  readonly text?: string | undefined;
};

export type Delivery = TaskDetail['deliveries'][number];

export type Evidence = Shown<'svc-evidence-v1'> & {
  readonly by: string;
  readonly role: string;
  readonly evidenceHash: string;
  readonly submittedAt: number;
};

export type Ruling = Shown<'svc-ruling-v1'> & {
  readonly workerBps: number;
  readonly reasonHash: string;
  readonly at: number;
};

/** Newest first. */
export function deliveriesOf({ deliveries }: TaskDetail): readonly Delivery[] {
  return deliveries.toSorted((one, other) => other.submittedAt - one.submittedAt);
}

type Court = { readonly evidence?: readonly Evidence[]; readonly ruling?: Ruling | null };

/** Oldest first, as it was said. */
export function evidenceOf(task: Task): readonly Evidence[] {
  const { evidence = [] } = (task.dispute ?? {}) as Court;
  return evidence.toSorted((one, other) => one.submittedAt - other.submittedAt);
}

export function rulingOf(task: Task): Ruling | null {
  return ((task.dispute ?? {}) as Court).ruling ?? null;
}

/** What a state means for the reader, and what to do about it. `writer` is such as "the worker". */
export function describeState(
  state: DocumentState,
  writer: string,
): { readonly word: string; readonly sentence: string } {
  switch (state) {
    case 'verified':
      return { word: 'Verified', sentence: 'these are exactly the words whose hash is on chain.' };
    case 'mismatch':
      return {
        word: 'Does not match',
        sentence: `these words have another hash than the one on chain, or are about another task. Do not rely on them; ask ${writer}.`,
      };
    case 'malformed':
      return {
        word: 'Not a document',
        sentence: `${writer} wrote something on chain that is not a document of this market. It is shown as plain text.`,
      };
    case 'unavailable':
      return {
        word: 'Not available',
        sentence: `only a hash is on chain, and this market does not have the words. Ask ${writer} for them, then check them below.`,
      };
    case 'withheld':
      return {
        word: 'Withheld',
        sentence: `the operator of this market does not show these words. Ask ${writer} for them, then check them below.`,
      };
    case 'foreign':
      return {
        word: 'Elsewhere',
        sentence:
          'the words are at the link, on another site that this page never loads. Check below what you download there.',
      };
  }
}
