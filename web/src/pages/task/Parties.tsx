// The parties of a task and their track records.

import { isTerminal, type Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { WalletLink } from '../../components/Hex.tsx';
import { Usd } from '../../components/Money.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { explainScore, isEarly } from '../../data/agentRecord.ts';
import { showRoundTok } from '../../data/format.ts';
import { useEntry } from '../../data/gateway.ts';
import { ledgerQuery, type Task } from '../../data/market.ts';

type Props = { market: Market; address: string };

export function Parties({ task }: { task: Task }) {
  const { market, poster, worker, dispute } = task;
  const judge = dispute?.judge ?? null;
  return (
    <Sheet title="Parties" isBare>
      <dl className="body stack parties">
        <Party name="Poster" address={poster}>
          <TrackRecord market={market} address={poster} isPoster />
        </Party>
        {worker === undefined ? (
          <div>
            <dt>Worker</dt>
            <dd className="quiet">{isTerminal(task.state) ? 'nobody' : 'nobody yet'}</dd>
          </div>
        ) : (
          <Party name="Worker" address={worker}>
            <TrackRecord market={market} address={worker} isPoster={false} />
          </Party>
        )}
        {judge !== null && (
          <Party name="Arbitrator" address={judge}>
            <Rulings market={market} address={judge} />
          </Party>
        )}
      </dl>
    </Sheet>
  );
}

function Party({ name, address, children }: { name: string; address: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <WalletLink address={address} name={name} />
        {children}
      </dd>
    </div>
  );
}

/** The wallet's score in the reputation registry, and its totals from the ledger. */
function TrackRecord({ market, address, isPoster }: Props & { isPoster: boolean }) {
  const { data, isError } = useQuery(ledgerQuery(market, address));
  if (isError && data === undefined)
    return <span className="small faint">the track record cannot be read now</span>;
  if (data === undefined) return <span className="small faint">loading the track record…</span>;
  const side = isPoster ? data.asPoster : data.asWorker;
  return (
    <span className="small quiet">
      <Score market={market} address={address} />
      {side.taskCount} {isPoster ? 'posted' : 'claimed'} here, {showRoundTok(side.releasedTokWei)} TOK
      <Usd wei={side.releasedTokWei} /> {isPoster ? 'paid out' : 'earned'}
    </span>
  );
}

/** What an arbitrator is judged by; the fallback arbitrator has no record. */
function Rulings({ market, address }: Props) {
  const { data } = useEntry('verifiers', market, address);
  if (data === undefined || data === null) return null;
  const { resolved, pairs, judgedTokWei, missed } = data;
  return (
    <span className="small quiet">
      {resolved} {resolved === 1 ? 'ruling' : 'rulings'} given for {pairs}{' '}
      {pairs === 1 ? 'pair of parties' : 'pairs of parties'}, {showRoundTok(judgedTokWei)} TOK in all;{' '}
      {missed} {missed === 1 ? 'case' : 'cases'} missed
    </span>
  );
}

/** Points only where enough was counted: one bad day is no verdict. */
function Score({ market, address }: Props) {
  const { data } = useEntry('reputation', market, address);
  if (data == null) return null;
  const parts = explainScore(data);
  if (parts.length === 0) return null;
  const counted = parts.map(({ count, what }) => `${count} ${what}`).join(', ');
  return (
    <span className="score">
      {!isEarly(data) && (
        <>
          <strong>Score {data.score}</strong>, rank {data.rank}:{' '}
        </>
      )}
      {counted}
    </span>
  );
}
