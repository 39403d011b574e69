// A document of the work (a delivery, evidence, a ruling): how it stands to its hash on chain, its words, links and files.

import type { Artifact } from '@svc/sdk/documents';
import type { DocumentState } from '@svc/sdk/internal/domain/documentNames';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Hex } from '../../components/Hex.tsx';
import { UntrustedMarkdown } from '../../components/Markdown.tsx';
import { Loading, lazyPart } from '../../components/QueryView.tsx';
import { TechnicalFacts } from '../../components/Sheet.tsx';
import { UntrustedText, UntrustedUri } from '../../components/UntrustedText.tsx';
import type { TaskDetail } from '../../data/market.ts';

/** A separate chunk: it hashes and opens files. */
export const FileList = lazyPart(
  async () => (await import('./FileList.tsx')).FileList,
  <Loading what="the list of files" />,
);

type WorkDocumentProps = {
  task: TaskDetail;
  entry: {
    documentState: DocumentState;
    document: object | null;
    text?: string | undefined;
    uri?: string | null;
  };
  /** Who has the words, such as "the worker". */
  writer: string;
  words: { label: string; text: string } | null;
  /** Whose words they are, in the place of their label. */
  by?: ReactNode;
  links?: readonly string[] | undefined;
  artifacts?: readonly Artifact[] | undefined;
  hash: string;
  /** What the hash is of, such as "the delivery". */
  of: string;
  /** More rows of the technical details. */
  technical?: Readonly<Record<string, ReactNode>>;
};

export function WorkDocument(props: WorkDocumentProps) {
  const {
    task,
    entry,
    writer,
    words,
    by = undefined,
    links = [],
    artifacts = [],
    hash,
    of,
    technical,
  } = props;
  const { documentState, document, text, uri } = entry;
  return (
    <>
      <StateLine state={documentState} writer={writer} isPrivate={task.scope === 'private'} />
      {words !== null && words.text !== '' && (
        <UntrustedMarkdown label={words.label} by={by} text={words.text} />
      )}
      {document === null && text !== undefined && (
        <UntrustedText label="As it was written on chain" text={text} />
      )}
      {documentState === 'foreign' && typeof uri === 'string' && (
        <p>
          <UntrustedUri uri={uri} />
        </p>
      )}
      {links.length > 0 && (
        <ul className="stack dense" aria-label="Links">
          {links.map((link) => (
            <li key={link}>
              <UntrustedUri uri={link} />
            </li>
          ))}
        </ul>
      )}
      {artifacts.length > 0 && <FileList task={task} artifacts={artifacts} />}
      <TechnicalFacts
        facts={{ 'Hash on chain': <Hex value={hash} name={`Hash of ${of}`} />, ...technical }}
      />
    </>
  );
}

/** What each state means for the reader, and what to do about it. */
const states: Readonly<
  Record<DocumentState, { mark: string; word: string; say: (writer: string, isPrivate: boolean) => string }>
> = {
  verified: {
    mark: '✓',
    word: 'Words as signed',
    say: () => 'These are exactly the words whose hash is on chain.',
  },
  mismatch: {
    mark: '✕',
    word: 'Does not match',
    say: (writer) =>
      `these words have another hash than the one on chain, or are about another task. Do not rely on them; ask ${writer}.`,
  },
  malformed: {
    mark: '?',
    word: 'Not a document',
    say: (writer) =>
      `${writer} wrote something on chain that is not a document of this market. It is shown as plain text.`,
  },
  unavailable: {
    mark: '–',
    word: 'Not available',
    say: (writer, isPrivate) =>
      isPrivate
        ? `only a hash is on chain. The words are in messages between the parties: sign in to read yours, or ask ${writer} for them.`
        : `only a hash is on chain, and this market does not have the words. Ask ${writer} for them.`,
  },
  withheld: {
    mark: '–',
    word: 'Withheld',
    say: (writer) => `the operator of this market does not show these words. Ask ${writer} for them.`,
  },
  foreign: {
    mark: '↗',
    word: 'Elsewhere',
    say: () => 'the words are at the link, on another site that this page never loads.',
  },
};

type StateLineProps = { state: DocumentState; writer: string; isPrivate: boolean };

function StateLine({ state, writer, isPrivate }: StateLineProps) {
  const { mark, word, say } = states[state];
  if (state === 'verified')
    return (
      <p className="label" data-tone="act" title={say(writer, isPrivate)}>
        <ShieldCheck className="s" />
        {word}
      </p>
    );
  return (
    <p className="docstate" data-is={state}>
      <span className="mark" aria-hidden="true">
        {mark}
      </span>
      <span>
        <b>{word}</b>: {say(writer, isPrivate)}
      </span>
    </p>
  );
}
