// What a wallet has done on this market before, from its ledger.
import { useQuery } from '@tanstack/react-query';
import type { Market } from '#domain/market.ts';
import { client } from '../../data/client.ts';
import { showRoundTok } from '../../data/format.ts';

export function Standing({
  market,
  address,
  isPoster,
}: {
  readonly market: Market;
  readonly address: string;
  readonly isPoster: boolean;
}) {
  const { data } = useQuery({
    queryKey: ['ledger', market, address],
    staleTime: 60_000,
    queryFn: ({ signal }) => client.ledger(address, { market, signal }),
  });
  if (data === undefined) return <span className="small faint">reading its record…</span>;
  const entries = data.entries.filter(({ role }) => role === (isPoster ? 'poster' : 'worker'));
  const countOf = (state: string) => entries.filter((entry) => entry.state === state).length;
  const side = isPoster ? data.asPoster : data.asWorker;
  return (
    <span className="small quiet">
      {entries.length} {isPoster ? 'posted' : 'claimed'}, {countOf('COMPLETED')} completed,{' '}
      {countOf('DISPUTED') + countOf('RESOLVED')} disputed or settled, {showRoundTok(side.releasedTokWei)} TOK{' '}
      {isPoster ? 'paid out' : 'earned'}
    </span>
  );
}
