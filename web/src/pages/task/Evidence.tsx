// What both sides of a dispute say, in the order in which they said it, and the ruling with its reasons.
import { lazy, Suspense } from 'react';
import { Ago } from '#components/Clock.tsx';
import { DocumentState } from '#components/DocumentState.tsx';
import { TechnicalDetails } from '#components/HashCheck.tsx';
import { WalletLink } from '#components/Hex.tsx';
import { UntrustedMarkdown } from '#components/Markdown.tsx';
import { Split } from '#components/Money.tsx';
import { UntrustedText, UntrustedUri } from '#components/UntrustedText.tsx';
import type { TaskDetail } from '#data/market.ts';
import type { Evidence, Ruling } from '#data/workDocuments.ts';

const FileList = lazy(async () => ({ default: (await import('./FileList.tsx')).FileList }));

export function EvidenceTimeline({ task }: { readonly task: TaskDetail }) {
  const { evidence, ruling } = task.dispute ?? { evidence: [], ruling: null };
  if (evidence.length === 0 && ruling === null) return null;
  return (
    <section className="sheet" aria-labelledby="evidence">
      <header>
        <h2 id="evidence">Evidence</h2>
        <span className="small faint">what both sides say, oldest first</span>
      </header>
      <ol className="evidence">
        {evidence.map((entry) => (
          <li key={`${entry.evidenceHash}${entry.submittedAt}`} data-role={entry.role}>
            <EvidenceEntry task={task} entry={entry} />
          </li>
        ))}
        {ruling !== null && (
          <li data-role="arbitrator">
            <RulingEntry task={task} ruling={ruling} />
          </li>
        )}
      </ol>
    </section>
  );
}

function EvidenceEntry({ task, entry }: { readonly task: TaskDetail; readonly entry: Evidence }) {
  const { document, documentState, text, uri, by, role, submittedAt } = entry;
  const artifacts = document?.artifacts ?? [];
  const link = document?.fileURI;
  return (
    <article className="stack">
      <h3>
        {nameOf(role)} <WalletLink address={by} name={nameOf(role)} />{' '}
        <span className="small faint">
          <Ago time={submittedAt} />
        </span>
      </h3>
      <DocumentState task={task} state={documentState} writer={writerOf(role)} />
      {document !== null && <UntrustedMarkdown label={labelOf(document)} text={document.description} />}
      {document === null && text !== undefined && (
        <UntrustedText label="As it was written on chain" text={text} />
      )}
      {documentState === 'foreign' && uri !== null && (
        <p>
          <UntrustedUri uri={uri} />
        </p>
      )}
      {link !== undefined && (
        <p>
          <UntrustedUri uri={link} />
        </p>
      )}
      {artifacts.length > 0 && (
        <Suspense fallback={<p className="small quiet">Loading the list of files…</p>}>
          <FileList task={task} artifacts={artifacts} />
        </Suspense>
      )}
      <TechnicalDetails hash={entry.evidenceHash} name="Hash of the evidence" artifacts={artifacts} />
    </article>
  );
}

function RulingEntry({ task, ruling }: { readonly task: TaskDetail; readonly ruling: Ruling }) {
  const { document, documentState, text, workerBps, reasonHash, by, at } = ruling;
  return (
    <article className="stack">
      <h3>
        Ruling: {workerBps / 100} % to the worker{' '}
        <span className="small faint">
          <Ago time={at} />
        </span>
      </h3>
      {task.dispute !== null && (
        <p>
          <Split wei={task.dispute.amountTokWei} workerBps={workerBps} />
        </p>
      )}
      <p className="small">
        by <WalletLink address={by} name="Arbitrator" />
      </p>
      <DocumentState task={task} state={documentState} writer="the arbitrator" />
      {document !== null && <UntrustedMarkdown label="Reasons" text={document.reasons} />}
      {document === null && text !== undefined && (
        <UntrustedText label="As it was written on chain" text={text} />
      )}
      <TechnicalDetails hash={reasonHash} name="Hash of the reasons" artifacts={[]} />
    </article>
  );
}

/** The name is the first line of most evidence: one that says the same again is left out. */
function labelOf({ name, description }: NonNullable<Evidence['document']>): string {
  return description.startsWith(name) ? 'Evidence' : name;
}

function nameOf(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

function writerOf(role: string): string {
  return role === 'poster' || role === 'worker' || role === 'arbitrator' ? `the ${role}` : 'its sender';
}
