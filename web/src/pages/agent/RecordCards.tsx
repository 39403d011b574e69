// The records of a wallet on each market: as arbitrator with its bond and cases, its score with every point explained, and
// its collateral.
import { type Address, isSameAddress, type Market, markets } from '@svc/sdk/domain';
import { Ago } from '../../components/Clock.tsx';
import { marketNames } from '../../components/MarketHeader.tsx';
import { Dollars, RuledSplit } from '../../components/Money.tsx';
import { GatewayOnly, Loading } from '../../components/QueryView.tsx';
import { Facts, Sheet, Status } from '../../components/Sheet.tsx';
import { explainScore, isEarly, showShare } from '../../data/agentRecord.ts';
import { nameTask, showDeposit } from '../../data/format.ts';
import { useEntry } from '../../data/gateway.ts';
import { type TaskDetail, useCases } from '../../data/market.ts';

type Props = { market: Market; address: Address };

export function ArbitratorCards({ address }: { address: Address }) {
  return markets.map((market) => <ArbitratorCard key={market} market={market} address={address} />);
}

/** Nothing for a wallet without a bond that has judged nothing. */
function ArbitratorCard({ market, address }: Props) {
  const { data: record } = useEntry('verifiers', market, address);
  const { data = [] } = useCases(market, address);
  const cases = data.filter((task) => isJudge(task, address));
  if (record == null && cases.length === 0) return null;
  return (
    <Sheet
      title={`As arbitrator, ${marketNames[market]}`}
      aria-label={`Arbitrator, ${marketNames[market]}`}
      note={
        record != null && (
          <Status tone={record.eligible ? 'act' : 'done'}>
            {record.eligible ? '● takes cases' : '○ takes no cases'}
          </Status>
        )
      }
    >
      {record != null && (
        <Facts
          facts={{
            'Bond at stake': <Dollars wei={record.bondTokWei} isExact />,
            'Decided in time': showShare({ part: record.resolved, of: record.resolved + record.missed }),
            'Pairs of parties': record.pairs,
            'Judged in all': <Dollars wei={record.judgedTokWei} isExact />,
            'Open cases': record.openCases,
            'Smallest case':
              record.minHeldTokWei === '0' ? 'any' : <Dollars wei={record.minHeldTokWei} isExact />,
          }}
        />
      )}
      {cases.length > 0 && <Cases cases={cases} />}
    </Sheet>
  );
}

function Cases({ cases }: { cases: readonly TaskDetail[] }) {
  return (
    <>
      <h3 className="small">Its newest cases</h3>
      <ul className="stack tight cases">
        {cases.map((task) => (
          <li key={task.id}>
            <a href={`/market.html?task=${task.id}`} dir="auto">
              {nameTask(task)}
            </a>
            <span className="small quiet">
              <Decision task={task} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Decision({ task }: { task: TaskDetail }) {
  const ruling = task.dispute?.ruling;
  if (ruling == null) return 'to be decided';
  return (
    <>
      <RuledSplit task={task} workerBps={ruling.workerBps} />, <Ago time={ruling.at} />
    </>
  );
}

/** Of an open case, or of one that it has decided. */
function isJudge({ dispute }: TaskDetail, address: Address): boolean {
  const judge = dispute?.ruling?.by ?? (dispute?.outcome === null ? dispute.judge : null);
  return typeof judge === 'string' && isSameAddress(judge, address);
}

export function ScoreCards({ address }: { address: Address }) {
  return (
    <Sheet title="Score and collateral" aria-label="Score">
      <GatewayOnly what="the score of this wallet">
        {markets.map((market) => (
          <div key={market} className="marketscore">
            <h3>{marketNames[market]}</h3>
            <Score market={market} address={address} />
            <Collateral market={market} address={address} />
          </div>
        ))}
        <p className="small quiet">
          The contracts count the points of finished work and disputes; nobody can edit them. Each market has
          its own score.
        </p>
      </GatewayOnly>
    </Sheet>
  );
}

function Score({ market, address }: Props) {
  const { data: record, isError } = useEntry('reputation', market, address);
  if (isError) return <p className="small quiet">The score is not available now.</p>;
  if (record === undefined) return <Loading what="the score" />;
  const parts = record === null ? [] : explainScore(record);
  if (record === null || parts.length === 0) return <p className="small quiet">No work counted yet.</p>;
  return (
    <>
      <p>
        {isEarly(record) ? (
          'Too little to judge by, in either direction.'
        ) : (
          <>
            <b>{record.score}</b> points, rank {record.rank}
          </>
        )}
      </p>
      <ul className="small quiet">
        {parts.map(({ what, count, points }) => (
          <li key={what}>
            {count} {what}: {points > 0 ? `+${points}` : `−${-points}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function Collateral({ market, address }: Props) {
  const { data: deposit } = useEntry('treasury', market, address);
  if (deposit == null) return null;
  return (
    <p className="small">
      Collateral {showDeposit(deposit.balanceUsd)}, {showDeposit(deposit.lockedUsd)} of it locked in{' '}
      {deposit.engagements} open {deposit.engagements === 1 ? 'task' : 'tasks'}
      {deposit.paused && (
        <>
          . <Status tone="time">◆ paused until it tops up</Status>
        </>
      )}
    </p>
  );
}
