// The score of a wallet on each market, with every point explained, and its collateral.
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { marketNames } from '#components/MarketHeader.tsx';
import { GatewayOnly } from '#components/QueryView.tsx';
import { explainScore, isEarly } from '#data/agentRecord.ts';
import { showDeposit } from '#data/format.ts';
import { useEntry } from '#data/gateway.ts';

export function ScoreCards({ address }: { readonly address: Address }) {
  return (
    <section className="sheet" aria-label="Score">
      <header>
        <h2>Score and collateral</h2>
      </header>
      <div className="body stack">
        <GatewayOnly what="the score of this wallet">
          {markets.map((market) => (
            <Score key={market} market={market} address={address} />
          ))}
          <p className="small quiet">
            The contracts count the points of finished work and disputes; nobody can edit them. Each market
            has its own score.
          </p>
        </GatewayOnly>
      </div>
    </section>
  );
}

function Score({ market, address }: { readonly market: Market; readonly address: Address }) {
  const { data: record, isError } = useEntry('reputation', market, address);
  const { data: deposit } = useEntry('treasury', market, address);
  const parts = record == null ? [] : explainScore(record);
  return (
    <div className="marketscore">
      <h3>{marketNames[market]}</h3>
      {isError ? (
        <p className="small quiet">The score is not available now.</p>
      ) : record === undefined ? (
        <p className="small quiet">Loading the score…</p>
      ) : parts.length === 0 ? (
        <p className="small quiet">No work counted yet.</p>
      ) : (
        <>
          <p>
            {record == null || isEarly(record) ? (
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
      )}
      {deposit != null && (
        <p className="small">
          Collateral {showDeposit(deposit.balanceUsd)}, {showDeposit(deposit.lockedUsd)} of it locked in{' '}
          {deposit.engagements} open {deposit.engagements === 1 ? 'task' : 'tasks'}
          {deposit.paused && (
            <>
              .{' '}
              <span className="status" data-tone="time">
                ◆ paused until it tops up
              </span>
            </>
          )}
        </p>
      )}
    </div>
  );
}
