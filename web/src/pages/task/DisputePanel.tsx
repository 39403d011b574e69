// A dispute: what is disputed, the bonds of both sides, their evidence, and the ruling.
import { readInlineText } from '@svc/sdk/domain';
import { Ago } from '#components/Clock.tsx';
import { Hex, WalletLink } from '#components/Hex.tsx';
import { Tok } from '#components/Money.tsx';
import { UntrustedText, UntrustedUri } from '#components/UntrustedText.tsx';
import type { Task } from '#data/market.ts';
import { showMoment } from '#data/time.ts';

type Dispute = NonNullable<Task['dispute']>;

const phaseNames: Readonly<Record<Dispute['phase'], string>> = {
  ANSWERING: 'waiting for an answer',
  PROPOSING: 'naming an arbitrator',
  ASSIGNED: 'with the arbitrator',
  ESCALATED: 'with the fallback arbitrator',
  CLOSED: 'closed',
};

export function DisputePanel({ task, dispute }: { readonly task: Task; readonly dispute: Dispute }) {
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
            <Text label="Reasons" uri={ruling.uri} hash={ruling.reasonHash} />
          </article>
        )}
        <ol className="evidence stack" aria-label="Evidence">
          {evidence.map((one) => (
            <li key={`${one.transactionHash}${one.evidenceHash}`}>
              <p className="small quiet">
                {one.role} <WalletLink market={task.market} address={one.by} name={one.role} />,{' '}
                <Ago time={one.submittedAt} />
              </p>
              <Text label={`Evidence of the ${one.role}`} uri={one.uri} hash={one.evidenceHash} />
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

function Figures({ task, dispute }: { readonly task: Task; readonly dispute: Dispute }) {
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
  readonly market: Task['market'];
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

/** The text where it is on chain and its hash fits; otherwise its hash, and where it is said to be. */
function Text({
  label,
  uri,
  hash,
}: {
  readonly label: string;
  readonly uri: string | null;
  readonly hash: string;
}) {
  const text = readInlineText(uri, hash);
  if (text !== null) return <UntrustedText label={label} text={text} />;
  return (
    <p>
      {label}: <Hex value={hash} name={`Hash of ${label.toLowerCase()}`} />
      {uri !== null && uri !== '' && (
        <>
          {' '}
          at <UntrustedUri uri={uri} />
        </>
      )}
    </p>
  );
}
