// What both sides of a dispute say, in the order in which they said it, and the ruling with its reasons.
import { Ago } from '#components/Clock.tsx';
import { WalletLink } from '#components/Hex.tsx';
import { Split } from '#components/Money.tsx';
import { Sheet } from '#components/Sheet.tsx';
import type { TaskDetail } from '#data/market.ts';
import type { Evidence, Ruling } from '#data/workDocuments.ts';
import { WorkDocument } from './WorkDocument.tsx';

export function EvidenceTimeline({ task }: { task: TaskDetail }) {
  const { evidence, ruling } = task.dispute ?? { evidence: [], ruling: null };
  if (evidence.length === 0 && ruling === null) return null;
  return (
    <Sheet title="Evidence" note="what both sides say, oldest first" aria-label="Evidence" isBare>
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
    </Sheet>
  );
}

function EvidenceEntry({ task, entry }: { task: TaskDetail; entry: Evidence }) {
  const { document, by, role, submittedAt, evidenceHash } = entry;
  const name = role.charAt(0).toUpperCase() + role.slice(1);
  return (
    <article className="stack">
      <h3>
        {name} <WalletLink address={by} name={name} />{' '}
        <span className="small faint">
          <Ago time={submittedAt} />
        </span>
      </h3>
      <WorkDocument
        task={task}
        entry={entry}
        writer={writers.has(role) ? `the ${role}` : 'its sender'}
        words={document && { label: labelOf(document), text: document.description }}
        links={document?.fileURI === undefined ? [] : [document.fileURI]}
        artifacts={document?.artifacts}
        hash={evidenceHash}
        hashName="Hash of the evidence"
      />
    </article>
  );
}

const writers: ReadonlySet<string> = new Set(['poster', 'worker', 'arbitrator']);

function RulingEntry({ task, ruling }: { task: TaskDetail; ruling: Ruling }) {
  const { document, workerBps, reasonHash, by, at } = ruling;
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
      <WorkDocument
        task={task}
        entry={ruling}
        writer="the arbitrator"
        words={document && { label: 'Reasons', text: document.reasons }}
        hash={reasonHash}
        hashName="Hash of the reasons"
      />
    </article>
  );
}

/** The name is the first line of most evidence: one that says the same again is left out. */
function labelOf({ name, description }: NonNullable<Evidence['document']>): string {
  return description.startsWith(name) ? 'Evidence' : name;
}
