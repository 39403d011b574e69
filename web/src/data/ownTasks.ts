// What waits for one wallet: what needs it now, what waits for others, the past. All of it where the wallet has signed in.
import { type Address, markets } from '@svc/sdk/domain';
import { roleNames } from '@svc/sdk/internal/domain/concernNames';
import { toPlain } from '@svc/sdk/internal/domain/text';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followMarket, queries, useIsGateway } from './client.ts';
import { linkTask } from './format.ts';
import { loadGateway } from './gateway.ts';
import { parseSession, sessionName } from './gatewaySession.ts';
import { waiting as waitingFor } from './phases.ts';
import { queryKeys } from './queryKeys.ts';
import { useText } from './savedText.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof loadGateway>>['loadTodo']>>;
type Todo = Page['todo'][number];
export type Concern = NonNullable<Todo['task']>;
type Place = Pick<Page, 'market'> & { readonly cursor?: string | undefined };

export type OwnTask = ReturnType<typeof toOwnTask>;

/** Phases also end by themselves, without an event, and messages have none. */
const pollMs = 20_000;
const starts: readonly Place[] = [...markets, 'none' as const].map((market) => ({ market }));

/** The gateway says when it is over. */
export function useSessionToken(address: Address): string | null {
  const text = useText(sessionName(address));
  return useIsGateway() ? (parseSession(text, 0)?.token ?? null) : null;
}

export function useTodo(address: Address) {
  const token = useSessionToken(address);
  return useInfiniteQuery({
    queryKey: queryKeys.todo(address, token !== null),
    initialPageParam: starts,
    queryFn: async ({ pageParam, signal }) => {
      const { loadTodo } = await loadGateway();
      return Promise.all(
        pageParam.map((place) => loadTodo(address, token, { ...place, limit: 100, signal })),
      );
    },
    select: ({ pages }) => pages.flat(),
    getNextPageParam: (lists) => {
      const more = lists.flatMap(({ market, nextCursor }) =>
        nextCursor === null ? [] : [{ market, cursor: nextCursor }],
      );
      return more.length === 0 ? undefined : more;
    },
    refetchInterval: pollMs,
  });
}

/** How much waits for the wallet. Asked with the page and after events; My work knows it from its lists. */
export function useNeeded(address: Address, isAsked: boolean): number {
  const token = useSessionToken(address);
  const { data } = useQuery({
    queryKey: queryKeys.needed(address, token !== null),
    enabled: isAsked,
    queryFn: async ({ signal }) => {
      const { loadTodo } = await loadGateway();
      const lists = starts.map((place) => loadTodo(address, token, { ...place, limit: 1, signal }));
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

/** The pages of all lists in three groups, the shortest clock first. */
export function sortOwnTasks(pages: readonly Page[]) {
  const own = pages.flatMap(({ todo }) => todo).map(toOwnTask);
  const pick = (...turns: readonly Todo['turn'][]) => own.filter(({ turn }) => turns.includes(turn));
  // Every page has the counts of its list.
  const lists = [...new Map(pages.toReversed().map((page) => [page.market, page])).values()];
  const count = (...turns: readonly Todo['turn'][]) =>
    lists.reduce((sum, { counts }) => sum + turns.reduce((part, turn) => part + counts[turn], 0), 0);
  return {
    needed: pick('mine', 'anyone').sort(byClock),
    waiting: pick('theirs').sort(byClock),
    finished: pick('nobody').sort((one, other) => other.since - one.since),
    /** Of all that the server knows; counting ends at 100 for each list. */
    counts: { needed: count('mine', 'anyone'), waiting: count('theirs'), finished: count('nobody') },
  };
}

function toOwnTask(todo: Todo) {
  const { about, task, says } = todo;
  if (task === null) {
    const [words] = says.flatMap((part) =>
      typeof part === 'object' && 'foreign' in part ? [part.foreign] : [],
    );
    const { page, name } = places[about.kind];
    return {
      ...todo,
      href: page + encodeURIComponent(about.id),
      name: name ?? toPlain(words ?? 'A conversation'),
    };
  }
  const { taskId: id, title, isPrivate } = task;
  const scope = isPrivate ? ('private' as const) : ('open' as const);
  return { ...todo, ...linkTask({ id, title: title ?? undefined, scope }) };
}

/** What a tool writes about its request is no name. */
const places: Readonly<Record<Todo['about']['kind'], { readonly page: string; readonly name?: string }>> = {
  task: { page: '/market.html?task=' },
  listing: { page: '/market.html?listing=' },
  conversation: { page: '/messages.html?conversation=' },
  request: { page: '/approve.html?request=', name: 'A request of your tools' },
};

export const nameRoles = ({ roles }: Concern) => roles.map((role) => roleNames[role]).join(' and ');

/** "Your turn: review the delivery", or for whom it waits. */
export function describeTurn({ turn, phase, sentence, state, by }: Concern): string {
  if (turn === 'nobody') return sentence;
  if (turn !== 'theirs') return `Your turn: ${phase}`;
  const [first] = by;
  if (state === 'POSTED') return 'Waiting for a worker';
  return by.length > 1
    ? waitingFor.both
    : waitingFor[first === 'sponsor' || first === undefined ? 'anyone' : first];
}

/** Rows without a clock come first: their time is over. */
const byClock = ({ due: one }: Todo, { due: other }: Todo) => (one ?? 0) - (other ?? 0);
