// The tasks of one wallet as the index of the server has them: what needs it now, what waits for others, the past.

import type { ConcernList } from '@svc/sdk';
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { roleNames } from '@svc/sdk/internal/domain/concernNames';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client, followMarket, queries } from './client.ts';
import { waiting as waitingFor } from './phases.ts';
import { queryKeys } from './queryKeys.ts';

export type Concern = ConcernList['concerns'][number];

export type OwnTask = ReturnType<typeof toOwnTask>;

/** Phases also end by themselves, without an event. */
const pollMs = 20_000;

export function useConcerns(market: Market, address: Address) {
  return useInfiniteQuery({
    queryKey: queryKeys.concerns(market, address),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.concerns(address, { market, limit: 100, cursor: pageParam, signal }),
    select: ({ pages }) => pages,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: pollMs,
  });
}

/** How many tasks wait for the wallet. Asked with the page and after events; My work knows it from its lists. */
export function useNeeded(address: Address, isAsked: boolean): number {
  const { data } = useQuery({
    queryKey: queryKeys.needed(address),
    enabled: isAsked,
    queryFn: async ({ signal }) => {
      const lists = markets.map((market) => client.concerns(address, { market, limit: 1, signal }));
      return sortOwnTasks(await Promise.all(lists)).counts.needed;
    },
  });
  return data ?? 0;
}

/** The server counts no further than 100 in each market. */
export function showCapped(count: number): string {
  return count >= 100 ? '100+' : String(count);
}

/** Follows the tasks that concern the wallet; the shared stream does not report private ones. */
export function useOwnNews(address: Address): void {
  useEffect(() => {
    const stop = new AbortController();
    void follow(address, stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [address]);
}

async function follow(address: Address, signal: AbortSignal): Promise<void> {
  for await (const _ of followMarket(signal, address))
    void queries.invalidateQueries({ queryKey: ['concerns'] });
}

/** The pages of both markets in three groups, the shortest clock first. */
export function sortOwnTasks(pages: readonly ConcernList[]) {
  const own = pages.flatMap(({ concerns }) => concerns).map(toOwnTask);
  const pick = (...turns: readonly Concern['turn'][]) =>
    own.filter(({ concern }) => turns.includes(concern.turn));
  const count = (...turns: readonly Concern['turn'][]) =>
    firstPages(pages).reduce(
      (sum, { counts }) => sum + turns.reduce((part, turn) => part + counts[turn], 0),
      0,
    );
  return {
    needed: pick('mine', 'anyone').sort(byClock),
    waiting: pick('theirs').sort(byClock),
    finished: pick('nobody').sort((one, other) => other.concern.updatedAt - one.concern.updatedAt),
    /** Of all that the server knows; counting ends at 100 for each market. */
    counts: { needed: count('mine', 'anyone'), waiting: count('theirs'), finished: count('nobody') },
  };
}

/** Every page has the counts of its market. */
function firstPages(pages: readonly ConcernList[]): ConcernList[] {
  return [...new Map(pages.toReversed().map((page) => [page.meta.market, page])).values()];
}

function toOwnTask(concern: Concern) {
  const { taskId, title, isPrivate, roles } = concern;
  return {
    task: { id: taskId, title: title ?? undefined, scope: isPrivate ? 'private' : 'open' } as const,
    concern,
    role: roles.map((role) => roleNames[role]).join(' and '),
    /** "Your turn: review the delivery", or for whom it waits. */
    sentence: describeTurn(concern),
  };
}

function describeTurn({ turn, phase, sentence, state, by }: Concern): string {
  if (turn === 'nobody') return sentence;
  if (turn !== 'theirs') return `Your turn: ${phase}`;
  const [first] = by;
  if (state === 'POSTED') return 'Waiting for a worker';
  return by.length > 1
    ? waitingFor.both
    : waitingFor[first === 'sponsor' || first === undefined ? 'anyone' : first];
}

/** Tasks without a clock come first: their time is over. */
function byClock({ concern: one }: OwnTask, { concern: other }: OwnTask): number {
  return (one.until ?? 0) - (other.until ?? 0);
}
