// The documents of a task as pages show them: deliveries, evidence and rulings, each with its state in a sentence.
import type { DocumentState } from '@svc/sdk/internal/domain/documentNames';
import type { TaskDetail } from './market.ts';

export type Delivery = TaskDetail['deliveries'][number];

type Dispute = NonNullable<TaskDetail['dispute']>;
export type Evidence = Dispute['evidence'][number];
export type Ruling = NonNullable<Dispute['ruling']>;

/** Newest first. */
export function deliveriesOf({ deliveries }: TaskDetail): readonly Delivery[] {
  return deliveries.toSorted((one, other) => other.submittedAt - one.submittedAt);
}

/** What a state means for the reader, and what to do about it. `writer` is such as "the worker". */
export function describeState(
  state: DocumentState,
  writer: string,
  isPrivate: boolean,
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
        sentence: isPrivate
          ? `only a hash is on chain. The words are in messages between the parties: sign in to read yours, or ask ${writer} for them and check them below.`
          : `only a hash is on chain, and this market does not have the words. Ask ${writer} for them, then check them below.`,
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
