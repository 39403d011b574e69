import { WalletLink } from '#components/Hex.tsx';
import { Tok } from '#components/Money.tsx';
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

export function DisputePanel({ task, dispute }: { readonly task: TaskDetail; readonly dispute: Dispute }) {
  const { evidence, evidenceCount } = dispute;
  return (
    <section className="sheet dispute" aria-label="Dispute">
      <header>
        <h2>Dispute</h2>
        <span className="small faint">{phaseNames[dispute.phase]}</span>
      </header>
      <div className="body stack">
        <Figures task={task} dispute={dispute} />
        {evidenceCount > evidence.length && (
          <p className="small quiet">
            {evidenceCount - evidence.length} earlier entries are in the history below.
          </p>
        )}
      </div>
    </section>
  );
}

function Figures({ task, dispute }: { readonly task: TaskDetail; readonly dispute: Dispute }) {
  const { poster, worker, judge, answerEndsAt } = dispute;
  return (
    <dl className="pairs">
      <dt>Disputed</dt>
      <dd>
        <Tok wei={dispute.amountTokWei} hasUsd />
      </dd>
      <dt>Poster’s bond</dt>
      <dd>
        <Tok wei={poster.bondTokWei} hasUsd />
      </dd>
      <dt>Worker’s bond</dt>
      <dd>
        {worker.payer === null ? (
          'none'
        ) : (
          <>
            <Tok wei={worker.bondTokWei} hasUsd />
            {worker.payer !== task.worker && (
              <>
                {' '}
                by <WalletLink address={worker.payer} name="Sponsor" />
              </>
            )}
          </>
        )}
      </dd>
      {dispute.phase === 'ANSWERING' && answerEndsAt !== null && (
        <>
          <dt>Answer by</dt>
          <dd>{showMoment(answerEndsAt)}</dd>
        </>
      )}
      <Pick name="Poster named" address={poster.pick} />
      <Pick name="Worker named" address={worker.pick} />
      <Pick name="Rules now" address={judge} />
    </dl>
  );
}

function Pick({ name, address }: { readonly name: string; readonly address: string | null }) {
  if (address === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <WalletLink address={address} name={name} />
      </dd>
    </>
  );
}
