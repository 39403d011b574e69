// A dispute: its phase and the money at stake, what both sides say, and the ruling with its reasons.
import { parseTaskRecord } from '@svc/sdk/actions';
import { rolesOf } from '@svc/sdk/domain';
import { payRuling } from '@svc/sdk/internal/domain/ruling';
import { Ago } from '../../components/Clock.tsx';
import { WalletLink } from '../../components/Hex.tsx';
import { RuledSplit, Tok } from '../../components/Money.tsx';
import { Facts, Sheet } from '../../components/Sheet.tsx';
import { showMoment } from '../../data/format.ts';
import { type TaskDetail, useSiteConfig, useTimeline } from '../../data/market.ts';
import { useWallet } from '../../wallet/useWallet.tsx';
import { WorkDocument } from './WorkDocument.tsx';

type Dispute = NonNullable<TaskDetail['dispute']>;
type Evidence = Dispute['evidence'][number];

const phaseNames: Readonly<Record<Dispute['phase'], string>> = {
  ANSWERING: 'waiting for an answer',
  PROPOSING: 'naming an arbitrator',
  ASSIGNED: 'with the arbitrator',
  ESCALATED: 'with the fallback arbitrator',
  CLOSED: 'closed',
};

export function DisputePanel({ task, dispute }: { task: TaskDetail; dispute: Dispute }) {
  const { poster, worker, phase, judge, answerEndsAt, evidence, evidenceCount } = dispute;
  const isNaming = phase === 'ANSWERING' || phase === 'PROPOSING';
  return (
    <Sheet className="dispute" title="Dispute" aria-label="Dispute" note={phaseNames[phase]}>
      <Facts
        facts={{
          Disputed: <Tok wei={dispute.amountTokWei} hasUsd />,
          'Poster’s bond': <Tok wei={poster.bondTokWei} hasUsd />,
          'Worker’s bond': worker.payer === null ? 'none' : <WorkerBond task={task} worker={worker} />,
          'Answer by': phase === 'ANSWERING' && answerEndsAt !== null && showMoment(answerEndsAt),
          'Poster named': isNaming && poster.pick && <WalletLink address={poster.pick} name="Poster named" />,
          'Worker named': isNaming && worker.pick && <WalletLink address={worker.pick} name="Worker named" />,
          Arbitrator: judge && <WalletLink address={judge} name="Arbitrator" />,
          'Arbitrator’s fee': (isNaming || judge !== null) && <Fee dispute={dispute} />,
        }}
      />
      <OwnEnd task={task} dispute={dispute} />
      {evidenceCount > evidence.length && (
        <p className="small quiet">
          {evidenceCount - evidence.length} earlier entries are in the history below.
        </p>
      )}
    </Sheet>
  );
}

/** What the end of a dispute came to for its reader, in money. A settlement ends the task, and stands in the history. */
function OwnEnd({ task, dispute }: { task: TaskDetail; dispute: Dispute }) {
  const own = useWallet()?.address;
  const { data: timeline } = useTimeline(task);
  const { bondUsd } = useSiteConfig(task.market).data?.limits ?? {};
  const { workerBps, outcome, amountTokWei, poster, worker, bondTokWei } = dispute;
  const record = parseTaskRecord(task).dispute;
  const role = own === undefined ? undefined : rolesOf(task, own).find((one) => one in { poster, worker });
  if (role === undefined || record === null || workerBps === null || outcome === null) return null;
  if (outcome === 'settled' || timeline === undefined) return null;
  const isRuled = outcome === 'ruling';
  const shares = payRuling(record, workerBps, !isRuled || task.feesTokWei === '0');
  const won = role === 'poster' ? shares.poster : shares.worker;
  const lost = BigInt(amountTokWei) - won;
  const { payer } = role === 'poster' ? poster : worker;
  const back = timeline.events
    .flatMap((event) =>
      event.name === 'DisputeBondPaid' && event.args.to === own ? [event.args.amount] : [],
    )
    .reduce((sum, amount) => sum + BigInt(amount), 0n);
  const spent = payer === own ? BigInt(bondTokWei) - back : 0n;
  const losesCollateral = isRuled && won === 0n && bondUsd !== undefined;
  const [first, second] = won >= lost ? (['won', 'lost'] as const) : (['lost', 'won'] as const);
  const amounts = { won, lost };
  return (
    <p className="notice" data-is={won >= lost ? 'act' : 'risk'} role="status">
      <b>
        You {first} <Tok wei={amounts[first]} hasUsd />
      </b>{' '}
      of the <Tok wei={amountTokWei} /> of the milestone
      {amounts[second] > 0n && (
        <>
          , and {second} <Tok wei={amounts[second]} hasUsd />
        </>
      )}
      .
      {spent > 0n && (
        <>
          {' '}
          The arbitrator got <Tok wei={spent} hasUsd /> of your bond.
        </>
      )}
      {losesCollateral && ` ${bondUsd} USDC of your collateral went to the other side.`}
    </p>
  );
}

/** Both bonds pay it together; beside a side without one it follows the share that this side wins. */
function Fee({ dispute: { bondTokWei, poster, worker, phase } }: { dispute: Dispute }) {
  const unbonded = poster.payer === null ? 'poster' : worker.payer === null ? 'worker' : null;
  return (
    <>
      <Tok wei={bondTokWei} hasUsd />
      {phase === 'ESCALATED' &&
        unbonded !== null &&
        ` at most: in the share that the ${unbonded} wins, because its side put up no bond`}
    </>
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

export function EvidenceTimeline({ task }: { task: TaskDetail }) {
  const { dispute } = task;
  if (dispute === null || (dispute.evidence.length === 0 && dispute.ruling === null)) return null;
  return (
    <Sheet title="Evidence" note="what both sides say, oldest first" aria-label="Evidence" isBare>
      <ol className="rows evidence">
        {dispute.evidence.map((entry) => (
          <li key={`${entry.evidenceHash}${entry.submittedAt}`} data-role={entry.role}>
            <EvidenceEntry task={task} entry={entry} />
          </li>
        ))}
        {dispute.ruling !== null && (
          <li data-role="arbitrator">
            <RulingEntry task={task} ruling={dispute.ruling} />
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
        writer={['poster', 'worker', 'arbitrator'].includes(role) ? `the ${role}` : 'its sender'}
        words={document && { label: labelOf(document), text: document.description }}
        links={document?.fileURI === undefined ? [] : [document.fileURI]}
        artifacts={document?.artifacts}
        hash={evidenceHash}
        of="the evidence"
      />
    </article>
  );
}

type RulingProps = { task: TaskDetail; ruling: NonNullable<Dispute['ruling']> };

function RulingEntry({ task, ruling }: RulingProps) {
  const { document, workerBps, reasonHash, by, at } = ruling;
  return (
    <article className="stack">
      <h3>
        Ruling: {workerBps / 100} % to the worker{' '}
        <span className="small faint">
          <Ago time={at} />
        </span>
      </h3>
      <p>
        <RuledSplit task={task} workerBps={workerBps} />
      </p>
      <p className="small">
        by <WalletLink address={by} name="Arbitrator" />
      </p>
      <WorkDocument
        task={task}
        entry={ruling}
        writer="the arbitrator"
        words={document && { label: 'Reasons', text: document.reasons }}
        hash={reasonHash}
        of="the reasons"
      />
    </article>
  );
}

/** The name is the first line of most evidence: one that says the same again is left out. */
function labelOf({ name, description }: NonNullable<Evidence['document']>): string {
  return description.startsWith(name) ? 'Evidence' : name;
}
