// How a document stands to its hash on chain: a word, a mark and one sentence.
import type { DocumentState as State } from '@svc/sdk/internal/domain/documentNames';
import type { TaskDetail } from '#data/market.ts';
import { describeState } from '#data/workDocuments.ts';

const marks: Readonly<Record<State, string>> = {
  verified: '✓',
  mismatch: '✕',
  malformed: '?',
  unavailable: '–',
  withheld: '–',
  foreign: '↗',
};

export function DocumentState({
  state,
  writer,
  task,
}: {
  readonly state: State;
  /** Who has the words, such as "the worker". */
  readonly writer: string;
  readonly task: Pick<TaskDetail, 'scope'>;
}) {
  const { word, sentence } = describeState(state, writer, task.scope === 'private');
  return (
    <p className="docstate" data-is={state}>
      <span className="mark" aria-hidden="true">
        {marks[state]}
      </span>
      <span>
        <b>{word}</b>: {sentence}
      </span>
    </p>
  );
}
