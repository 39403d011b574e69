// What the worker delivered, milestone by milestone, newest first; earlier rounds are folded.
import { milestoneNumber } from '@svc/sdk/domain';
import { Ago } from '../../components/Clock.tsx';
import { TransactionLink } from '../../components/Hex.tsx';
import { WhoName } from '../../components/People.tsx';
import { Fold, Sheet } from '../../components/Sheet.tsx';
import { UntrustedUri } from '../../components/UntrustedText.tsx';
import type { TaskDetail } from '../../data/market.ts';
import { WorkDocument } from './WorkDocument.tsx';

type Delivery = TaskDetail['deliveries'][number];

export function Deliveries({ task }: { task: TaskDetail }) {
  const deliveries = task.deliveries.toSorted((one, other) => other.submittedAt - one.submittedAt);
  const milestones = [...new Set(deliveries.map(({ milestone }) => milestone))].sort((a, b) => b - a);
  return milestones.map((milestone, at) => (
    <MilestoneDelivery
      key={milestone}
      task={task}
      rounds={deliveries.filter((delivery) => delivery.milestone === milestone)}
      isNewest={at === 0}
    />
  ));
}

/** `rounds` are of one milestone, newest first. */
type RoundsProps = { task: TaskDetail; rounds: readonly Delivery[]; isNewest: boolean };

function MilestoneDelivery({ task, rounds: [newest, ...earlier], isNewest }: RoundsProps) {
  if (newest === undefined) return null;
  const count = task.milestones.length;
  const title = count === 1 ? 'The delivery' : `Delivery ${milestoneNumber(newest.milestone)} of ${count}`;
  const body = (
    <>
      <DeliveryBody task={task} delivery={newest} />
      {earlier.map((delivery) => (
        <Fold
          key={delivery.transactionHash}
          title={
            <span>
              Replaced delivery, <Ago time={delivery.submittedAt} />
            </span>
          }
        >
          <DeliveryBody task={task} delivery={delivery} />
        </Fold>
      ))}
    </>
  );
  if (!isNewest)
    return (
      <section className="sheet rows" aria-label={title}>
        <Fold title={title}>{body}</Fold>
      </section>
    );
  return (
    <Sheet
      title={title}
      aria-label={title}
      note={task.state !== 'DELIVERED' && <Ago time={newest.submittedAt} />}
    >
      {body}
    </Sheet>
  );
}

function DeliveryBody({ task, delivery }: { task: TaskDetail; delivery: Delivery }) {
  const { document, uri, proofHash, transactionHash } = delivery;
  return (
    <WorkDocument
      task={task}
      entry={delivery}
      writer="the worker"
      words={{ label: 'Note from the worker', text: document?.note ?? '' }}
      by={
        task.worker !== undefined && (
          <>
            <WhoName address={task.worker} /> wrote
          </>
        )
      }
      links={document?.links}
      artifacts={document?.artifacts}
      hash={proofHash}
      of="the delivery"
      technical={{
        Transaction: <TransactionLink hash={transactionHash} />,
        Stored: uri === '' ? 'not on chain: only the hash is' : <UntrustedUri uri={uri} />,
      }}
    />
  );
}
