// A document of the work (a delivery, evidence, a ruling): how it stands to its hash on chain, its words, links and files.
import type { DocumentState as State } from '@svc/sdk/internal/domain/documentNames';
import type { Artifact } from '@svc/sdk/schemas';
import type { ReactNode } from 'react';
import { DocumentState } from '#components/DocumentState.tsx';
import { TechnicalDetails } from '#components/HashCheck.tsx';
import { lazyPart } from '#components/lazyPart.tsx';
import { UntrustedMarkdown } from '#components/Markdown.tsx';
import { UntrustedText, UntrustedUri } from '#components/UntrustedText.tsx';
import type { TaskDetail } from '#data/market.ts';

/** A separate chunk: it hashes and opens files. */
export const FileList = lazyPart(
  async () => (await import('./FileList.tsx')).FileList,
  <p className="small quiet">Loading the list of files…</p>,
);

export function WorkDocument({
  task,
  entry: { documentState, document, text, uri },
  writer,
  words,
  links = [],
  artifacts = [],
  hash,
  hashName,
  technical,
}: {
  task: TaskDetail;
  entry: {
    readonly documentState: State;
    readonly document: object | null;
    readonly text?: string | undefined;
    readonly uri?: string | null;
  };
  /** Who has the words, such as "the worker". */
  writer: string;
  words: { label: string; text: string } | null;
  links?: readonly string[] | undefined;
  artifacts?: readonly Artifact[] | undefined;
  hash: string;
  /** Such as "Hash of the delivery". */
  hashName: string;
  /** More rows of the technical details. */
  technical?: ReactNode;
}) {
  return (
    <>
      <DocumentState task={task} state={documentState} writer={writer} />
      {words !== null && words.text !== '' && <UntrustedMarkdown label={words.label} text={words.text} />}
      {document === null && text !== undefined && (
        <UntrustedText label="As it was written on chain" text={text} />
      )}
      {documentState === 'foreign' && typeof uri === 'string' && (
        <p>
          <UntrustedUri uri={uri} />
        </p>
      )}
      {links.length > 0 && (
        <ul className="links" aria-label="Links">
          {links.map((link) => (
            <li key={link}>
              <UntrustedUri uri={link} />
            </li>
          ))}
        </ul>
      )}
      {artifacts.length > 0 && <FileList task={task} artifacts={artifacts} />}
      <TechnicalDetails hash={hash} name={hashName} artifacts={artifacts}>
        {technical}
      </TechnicalDetails>
    </>
  );
}
