// The score of a wallet on each market, with every point explained, and its collateral.
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { marketNames } from '#components/MarketHeader.tsx';
import { GatewayOnly } from '#components/QueryView.tsx';
import { Sheet, Status } from '#components/Sheet.tsx';
import { explainScore, isEarly } from '#data/agentRecord.ts';
import { showDeposit } from '#data/format.ts';
import { useEntry } from '#data/gateway.ts';

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

type Props = { market: Market; address: Address };

function Score({ market, address }: Props) {
  const { data: record, isError } = useEntry('reputation', market, address);
  if (isError) return <p className="small quiet">The score is not available now.</p>;
  if (record === undefined) return <p className="small quiet">Loading the score…</p>;
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
