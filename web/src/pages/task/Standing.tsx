// What a wallet is worth trusting with: its score in the reputation registry, and what its ledger says it has done.

import type { Ledger } from '@svc/sdk/client';
import type { Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../data/client.ts';
import { showRoundTok } from '../../data/format.ts';
import { useReputation } from '../../data/gateway.ts';

const unreadAgainMs = 5_000;

type Props = { readonly market: Market; readonly address: string };

export function Standing({ market, address, isPoster }: Props & { readonly isPoster: boolean }) {
  const { data } = useQuery<Ledger>({
    queryKey: ['ledger', market, address],
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.complete === false ? unreadAgainMs : false),
    queryFn: ({ signal }) => client.ledger(address, { market, signal }),
  });
  if (data === undefined) return <span className="small faint">reading its record…</span>;
  const entries = data.entries.filter(({ role }) => role === (isPoster ? 'poster' : 'worker'));
  const side = isPoster ? data.asPoster : data.asWorker;
  // What a poster has paid stands in its tasks; what a worker got may stand in payments that are still unread.
  const isPartial = !isPoster && !data.complete;
  return (
    <span className="small quiet">
      <Score market={market} address={address} />
      {isPartial && 'at least '}
      {entries.length} {isPoster ? 'posted' : 'claimed'} here, {showRoundTok(side.releasedTokWei)} TOK{' '}
      {isPoster ? 'paid out' : 'earned'}
      {isPartial && '; older payments are still being read from the chain'}
    </span>
  );
}

/** As the contracts count it; the service adds nothing. */
function Score({ market, address }: Props) {
  const { data } = useReputation(market, address);
  if (data === undefined) return null;
  if (data === null) return <span className="score">No record yet. </span>;
  const { score, rank, completed, won, lost, left, dismissed } = data;
  const blots = [
    lost > 0 && `${lost} lost`,
    left > 0 && `left ${left}`,
    dismissed > 0 && `dismissed ${dismissed} ×`,
  ].filter((blot) => blot !== false);
  return (
    <span className="score">
      <strong>Score {score}</strong>, rank {rank}: {completed} completed, {won}{' '}
      {won === 1 ? 'dispute' : 'disputes'} won
      {blots.length > 0 && `, ${blots.join(', ')}`}
    </span>
  );
}
