// The state of a dispute: its phase, the money at stake, and the arbitrators that were named.
import { WalletLink } from '#components/Hex.tsx';
import { Tok } from '#components/Money.tsx';
import { Facts, Sheet } from '#components/Sheet.tsx';
import type { TaskDetail } from '#data/market.ts';
import { showMoment } from '#data/time.ts';

type Dispute = NonNullable<TaskDetail['dispute']>;

const phaseNames: Readonly<Record<Dispute['phase'], string>> = {
  ANSWERING: 'waiting for an answer',
  PROPOSING: 'naming an arbitrator',
  ASSIGNED: 'with the arbitrator',
  ESCALATED: 'with the fallback arbitrator',
  CLOSED: 'closed',
};

export function DisputePanel({ task, dispute }: { task: TaskDetail; dispute: Dispute }) {
  const { poster, worker, phase, judge, answerEndsAt, evidence, evidenceCount } = dispute;
  return (
    <Sheet className="dispute" title="Dispute" aria-label="Dispute" note={phaseNames[phase]}>
      <Facts
        facts={{
          Disputed: <Tok wei={dispute.amountTokWei} hasUsd />,
          'Poster’s bond': <Tok wei={poster.bondTokWei} hasUsd />,
          'Worker’s bond': worker.payer === null ? 'none' : <WorkerBond task={task} worker={worker} />,
          'Answer by': phase === 'ANSWERING' && answerEndsAt !== null && showMoment(answerEndsAt),
          'Poster named': poster.pick && <WalletLink address={poster.pick} name="Poster named" />,
          'Worker named': worker.pick && <WalletLink address={worker.pick} name="Worker named" />,
          'Rules now': judge && <WalletLink address={judge} name="Rules now" />,
        }}
      />
      {evidenceCount > evidence.length && (
        <p className="small quiet">
          {evidenceCount - evidence.length} earlier entries are in the history below.
        </p>
      )}
    </Sheet>
  );
}

function WorkerBond({ task, worker }: { task: TaskDetail; worker: Dispute['worker'] }) {
  return (
    <>
      <Tok wei={worker.bondTokWei} hasUsd />
      {worker.payer !== null && worker.payer !== task.worker && (
        <>
          {' '}
          by <WalletLink address={worker.payer} name="Sponsor" />
        </>
      )}
    </>
  );
}
