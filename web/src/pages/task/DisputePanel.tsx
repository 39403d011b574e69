// A dispute: what is disputed, the bonds of both sides, their evidence, and the ruling.
import { Ago } from '#components/Clock.tsx';
import { Hex, WalletLink } from '#components/Hex.tsx';
import { Tok } from '#components/Money.tsx';
import { UntrustedText, UntrustedUri } from '#components/UntrustedText.tsx';
import type { TaskDetail } from '#data/market.ts';
import { showMoment } from '#data/time.ts';

type Dispute = NonNullable<TaskDetail['dispute']>;
type Filed = Dispute['evidence'][number] | NonNullable<Dispute['ruling']>;

const phaseNames: Readonly<Record<Dispute['phase'], string>> = {
  ANSWERING: 'waiting for an answer',
  PROPOSING: 'naming an arbitrator',
  ASSIGNED: 'with the arbitrator',
  ESCALATED: 'with the fallback arbitrator',
  CLOSED: 'closed',
};

export function DisputePanel({ task, dispute }: { readonly task: TaskDetail; readonly dispute: Dispute }) {
  const { evidence, evidenceCount, ruling } = dispute;
  return (
    <section className="sheet dispute" aria-label="Dispute">
      <header>
        <h2>Dispute</h2>
        <span className="small faint">{phaseNames[dispute.phase]}</span>
      </header>
      <div className="body stack">
        <Figures task={task} dispute={dispute} />
        {ruling !== null && (
          <article aria-label="Ruling">
            <p className="small quiet">
              Ruling: {ruling.workerBps / 100} % to the worker, by{' '}
              <WalletLink market={task.market} address={ruling.by} name="Judge" />, <Ago time={ruling.at} />
            </p>
            <Text label="Reasons" filed={ruling} hash={ruling.reasonHash} />
          </article>
        )}
        <ol className="evidence stack" aria-label="Evidence">
          {evidence.map((one) => (
            <li key={`${one.transactionHash}${one.evidenceHash}`}>
              <p className="small quiet">
                {one.role} <WalletLink market={task.market} address={one.by} name={one.role} />,{' '}
                <Ago time={one.submittedAt} />
              </p>
              <Text label={`Evidence of the ${one.role}`} filed={one} hash={one.evidenceHash} />
            </li>
          ))}
        </ol>
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
        <Tok wei={dispute.amountTokWei} />
      </dd>
      <dt>Poster’s bond</dt>
      <dd>
        <Tok wei={poster.bondTokWei} />
      </dd>
      <dt>Worker’s bond</dt>
      <dd>
        {worker.payer === null ? (
          'none'
        ) : (
          <>
            <Tok wei={worker.bondTokWei} />
            {worker.payer !== task.worker && (
              <>
                {' '}
                by <WalletLink market={task.market} address={worker.payer} name="Sponsor" />
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
      <Pick name="Poster named" market={task.market} address={poster.pick} />
      <Pick name="Worker named" market={task.market} address={worker.pick} />
      <Pick name="Rules now" market={task.market} address={judge} />
    </dl>
  );
}

function Pick({
  name,
  market,
  address,
}: {
  readonly name: string;
  readonly market: TaskDetail['market'];
  readonly address: string | null;
}) {
  if (address === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <WalletLink market={market} address={address} name={name} />
      </dd>
    </>
  );
}

/** The words of the document, and whether they are those whose hash is on chain; otherwise where they are said to be. */
function Text({
  label,
  filed: { document, documentState, text, uri },
  hash,
}: {
  readonly label: string;
  readonly filed: Filed;
  readonly hash: string;
}) {
  const words = document === null ? text : 'reasons' in document ? document.reasons : document.description;
  return (
    <>
      {words !== undefined && <UntrustedText label={label} text={words} />}
      <p className="small quiet">
        {label}, {documentState}: <Hex value={hash} name={`Hash of ${label.toLowerCase()}`} />
        {words === undefined && uri !== null && uri !== '' && (
          <>
            {' '}
            at <UntrustedUri uri={uri} />
          </>
        )}
      </p>
    </>
  );
}
