// What the worker delivered, milestone by milestone, newest first; earlier rounds are folded.
import { milestoneNumber } from '@svc/sdk/domain';
import { Ago } from '../../components/Clock.tsx';
import { TransactionLink } from '../../components/Hex.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { UntrustedUri } from '../../components/UntrustedText.tsx';
import type { TaskDetail } from '../../data/market.ts';
import { WorkDocument } from './WorkDocument.tsx';

type Delivery = TaskDetail['deliveries'][number];

export function Deliveries({ task }: { task: TaskDetail }) {
  const deliveries = task.deliveries.toSorted((one, other) => other.submittedAt - one.submittedAt);
  const title = deliveries.length === 1 ? 'Delivery' : 'Deliveries';
  if (deliveries.length === 0) return null;
  const milestones = [...new Set(deliveries.map(({ milestone }) => milestone))].sort((a, b) => b - a);
  return (
    <Sheet className="deliveries" title={title} aria-label={title} note="written by the worker" isBare>
      {milestones.map((milestone) => (
        <MilestoneDelivery
          key={milestone}
          task={task}
          rounds={deliveries.filter((delivery) => delivery.milestone === milestone)}
          isOpen={milestone === deliveries[0]?.milestone}
        />
      ))}
    </Sheet>
  );
}

/** `rounds` are of one milestone, newest first. */
type RoundsProps = { task: TaskDetail; rounds: readonly Delivery[]; isOpen: boolean };

function MilestoneDelivery({ task, rounds: [newest, ...earlier], isOpen }: RoundsProps) {
  if (newest === undefined) return null;
  const count = task.milestones.length;
  return (
    <details className="delivery" open={isOpen}>
      <summary className="line">
        <h3>{count === 1 ? 'The work' : `Milestone ${milestoneNumber(newest.milestone)} of ${count}`}</h3>
        <span className="small faint">
          delivered <Ago time={newest.submittedAt} />
          {earlier.length > 0 && `, ${earlier.length + 1} times`}
        </span>
      </summary>
      <DeliveryBody task={task} delivery={newest} />
      {earlier.map((delivery) => (
        <details key={delivery.transactionHash} className="earlier">
          <summary className="line small">
            Replaced delivery, <Ago time={delivery.submittedAt} />
          </summary>
          <DeliveryBody task={task} delivery={delivery} />
        </details>
      ))}
    </details>
  );
}

function DeliveryBody({ task, delivery }: { task: TaskDetail; delivery: Delivery }) {
  const { document, uri, proofHash, transactionHash } = delivery;
  return (
    <div className="body stack">
      <WorkDocument
        task={task}
        entry={delivery}
        writer="the worker"
        words={{ label: 'Note from the worker', text: document?.note ?? '' }}
        links={document?.links}
        artifacts={document?.artifacts}
        hash={proofHash}
        of="the delivery"
        technical={{
          Transaction: <TransactionLink hash={transactionHash} />,
          Stored: uri === '' ? 'not on chain: only the hash is' : <UntrustedUri uri={uri} />,
        }}
      />
    </div>
  );
}
