// What the worker delivered, milestone by milestone, newest first; earlier rounds are folded.
import { milestoneNumber } from '@svc/sdk/domain';
import { lazy, Suspense } from 'react';
import { Ago } from '#components/Clock.tsx';
import { DocumentState } from '#components/DocumentState.tsx';
import { TechnicalDetails } from '#components/HashCheck.tsx';
import { UntrustedMarkdown } from '#components/Markdown.tsx';
import { TransactionLink } from '#components/TransactionLink.tsx';
import { UntrustedText, UntrustedUri } from '#components/UntrustedText.tsx';
import type { TaskDetail } from '#data/market.ts';
import { type Delivery, deliveriesOf } from '#data/workDocuments.ts';

/** A separate chunk: it is needed only where files were delivered. */
const FileList = lazy(async () => ({ default: (await import('./FileList.tsx')).FileList }));

export function Deliveries({ task }: { readonly task: TaskDetail }) {
  const deliveries = deliveriesOf(task);
  const newest = deliveries[0];
  if (newest === undefined) return null;
  const milestones = [...new Set(deliveries.map(({ milestone }) => milestone))].sort((a, b) => b - a);
  return (
    <section className="sheet deliveries" aria-labelledby="deliveries">
      <header>
        <h2 id="deliveries">{deliveries.length === 1 ? 'Delivery' : 'Deliveries'}</h2>
        <span className="small faint">written by the worker</span>
      </header>
      {milestones.map((milestone) => (
        <MilestoneDelivery
          key={milestone}
          task={task}
          rounds={deliveries.filter((delivery) => delivery.milestone === milestone)}
          isOpen={milestone === newest.milestone}
        />
      ))}
    </section>
  );
}

type RoundsProps = {
  readonly task: TaskDetail;
  /** Of one milestone, newest first. */
  readonly rounds: readonly Delivery[];
  readonly isOpen: boolean;
};

function MilestoneDelivery({ task, rounds: [newest, ...earlier], isOpen }: RoundsProps) {
  if (newest === undefined) return null;
  const title =
    task.milestones.length === 1
      ? 'The work'
      : `Milestone ${milestoneNumber(newest.milestone)} of ${task.milestones.length}`;
  return (
    <details className="delivery" open={isOpen}>
      <summary>
        <h3>{title}</h3>
        <span className="small faint">
          delivered <Ago time={newest.submittedAt} />
          {earlier.length > 0 && `, ${earlier.length + 1} times`}
        </span>
      </summary>
      <DeliveryBody task={task} delivery={newest} />
      {earlier.map((delivery) => (
        <details key={delivery.transactionHash} className="earlier">
          <summary className="small">
            Replaced delivery, <Ago time={delivery.submittedAt} />
          </summary>
          <DeliveryBody task={task} delivery={delivery} />
        </details>
      ))}
    </details>
  );
}

function DeliveryBody({ task, delivery }: { readonly task: TaskDetail; readonly delivery: Delivery }) {
  const { document, documentState, text, uri, proofHash } = delivery;
  const { note = '', links = [], artifacts = [] } = document ?? {};
  return (
    <div className="body stack">
      <DocumentState task={task} state={documentState} writer="the worker" />
      {note !== '' && <UntrustedMarkdown label="Note from the worker" text={note} />}
      {document === null && text !== undefined && (
        <UntrustedText label="As it was written on chain" text={text} />
      )}
      {documentState === 'foreign' && (
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
      {artifacts.length > 0 && (
        <Suspense fallback={<p className="small quiet">Loading the list of files…</p>}>
          <FileList task={task} artifacts={artifacts} />
        </Suspense>
      )}
      <TechnicalDetails hash={proofHash} name="Hash of the delivery" artifacts={artifacts}>
        <dt>Transaction</dt>
        <dd>
          <TransactionLink hash={delivery.transactionHash} />
        </dd>
        <dt>Stored</dt>
        <dd>{uri === '' ? 'not on chain: only the hash is' : <UntrustedUri uri={uri} />}</dd>
      </TechnicalDetails>
    </div>
  );
}
