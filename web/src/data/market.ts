// What the pages ask of the markets, each question under the name it is remembered by.
import { useQuery } from '@tanstack/react-query';
import type { OnMarketPage, OpenList, TaskList, TaskReply } from '#client/createMarketClient.ts';
import type { Market } from '#domain/market.ts';
import { client } from './client.ts';

export type OpenTask = OpenList['tasks'][number];
export type Task = TaskReply['task'];

/** More than this is searched for by other means than scrolling. */
const maxPages = 10;
const pageSize = 100;
export const maxTasks = maxPages * pageSize;

export function useOpenTasks(market: Market, isWanted = true) {
  return useQuery({
    queryKey: ['tasks', market, 'open'],
    enabled: isWanted,
    queryFn: ({ signal }) => loadAll((page) => client.open({ market, signal, ...page })),
  });
}

export function useRecentTasks(market: Market, isWanted = true) {
  return useQuery({
    queryKey: ['tasks', market, 'all'],
    enabled: isWanted,
    queryFn: ({ signal }) => loadAll((page) => client.recent({ market, signal, ...page })),
  });
}

/** What a wallet posted and what it works on, newest first. */
export function useOwnTasks(market: Market, address: string | undefined, isWanted = true) {
  return useQuery({
    queryKey: ['tasks', market, 'own', address],
    enabled: isWanted && address !== undefined,
    queryFn: async ({ signal }) => {
      const wallet = address ?? '';
      const [posted, worked] = await Promise.all([
        loadAll((page) => client.posterTasks(wallet, { market, signal, ...page })),
        loadAll((page) => client.workerTasks(wallet, { market, signal, ...page })),
      ]);
      return [...posted, ...worked].sort((left, right) => right.createdAt - left.createdAt);
    },
  });
}

export function useTask(id: string) {
  return useQuery({
    queryKey: ['task', id],
    queryFn: ({ signal }) => client.task(id, { signal }),
    select: ({ task }) => task,
  });
}

export function useTimeline(id: string) {
  return useQuery({
    queryKey: ['timeline', id],
    queryFn: ({ signal }) => client.timeline(id, { limit: 100, signal }),
  });
}

export function useSiteConfig(market: Market, isWanted = true) {
  return useQuery({
    queryKey: ['site-config', market],
    enabled: isWanted,
    staleTime: 300_000,
    queryFn: ({ signal }) => client.siteConfig({ market, signal }),
  });
}

export function useUnion(market: Market) {
  return useQuery({
    queryKey: ['union', market],
    refetchInterval: 30_000,
    queryFn: ({ signal }) => client.union({ market, signal }),
  });
}

/** The index of the milestone that is being worked on or was delivered. */
export function currentMilestone(task: Task): number {
  return task.milestones.findIndex(({ state }) => state === 'current' || state === 'delivered');
}

type Page = Required<Pick<OnMarketPage, 'limit'>> & Pick<OnMarketPage, 'cursor'>;

async function loadAll<T>(
  load: (page: Page) => Promise<Pick<TaskList, 'nextCursor'> & { readonly tasks: readonly T[] }>,
): Promise<T[]> {
  const tasks: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const answer = await load({ limit: pageSize, ...(cursor !== null && { cursor }) });
    tasks.push(...answer.tasks);
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  return tasks;
}
