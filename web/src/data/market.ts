// What the pages ask of the markets, each question under the name it is remembered by.

import type { OnMarketPage, OpenList, TaskList, TaskReply } from '@svc/sdk/client';
import type { Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { client, statusOf } from './client.ts';

export type OpenTask = OpenList['tasks'][number];
export type Task = TaskReply['task'];

/** More than this is searched for by other means than scrolling. */
const maxPages = 10;
const pageSize = 100;
export const maxListed = maxPages * pageSize;

/** Changes of private tasks are told to nobody who does not ask for them by name; so they are looked for. */
const untoldAgainMs = 5_000;

export function useOpenTasks(market: Market, isWanted = true) {
  return useQuery({
    queryKey: ['tasks', market, 'open'],
    enabled: isWanted,
    queryFn: ({ signal }) => loadTasks((page) => client.open({ market, signal, ...page })),
  });
}

export function useRecentTasks(market: Market, isWanted = true) {
  return useQuery({
    queryKey: ['tasks', market, 'all'],
    enabled: isWanted,
    queryFn: ({ signal }) => loadTasks((page) => client.recent({ market, signal, ...page })),
  });
}

/** What a wallet posted and what it works on, newest first. */
export function useOwnTasks(market: Market, address: string | undefined, isWanted = true) {
  return useQuery({
    queryKey: ['tasks', market, 'own', address],
    enabled: isWanted && address !== undefined,
    refetchInterval: untoldAgainMs,
    queryFn: async ({ signal }) => {
      const wallet = address ?? '';
      const [posted, worked] = await Promise.all([
        loadTasks((page) => client.posterTasks(wallet, { market, signal, ...page })),
        loadTasks((page) => client.workerTasks(wallet, { market, signal, ...page })),
      ]);
      return [...posted, ...worked].sort((left, right) => right.createdAt - left.createdAt);
    },
  });
}

export function useTask(id: string) {
  return useQuery<TaskReply, Error, Task>({
    queryKey: ['task', id],
    // One that is not there may be a private one whose block is not read yet.
    refetchInterval: ({ state: { data, error } }) =>
      data?.task.scope === 'private' || statusOf(error) === 404 ? untoldAgainMs : false,
    queryFn: ({ signal }) => client.task(id, { signal }),
    select: ({ task }) => task,
  });
}

/** Oldest first, as far as `maxListed` goes. */
export function useTimeline({ id, scope }: Pick<Task, 'id' | 'scope'>) {
  return useQuery({
    queryKey: ['timeline', id],
    refetchInterval: scope === 'private' ? untoldAgainMs : false,
    queryFn: async ({ signal }) => {
      const pages = await loadPages((page) => client.timeline(id, { signal, ...page }));
      return {
        events: pages.flatMap(({ events }) => events),
        complete: pages.every(({ complete }) => complete),
        isAll: pages.at(-1)?.nextCursor === null,
      };
    },
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

async function loadTasks<T>(
  load: (page: Page) => Promise<Pick<TaskList, 'nextCursor'> & { readonly tasks: readonly T[] }>,
): Promise<T[]> {
  return (await loadPages(load)).flatMap(({ tasks }) => tasks);
}

async function loadPages<T extends Pick<TaskList, 'nextCursor'>>(
  load: (page: Page) => Promise<T>,
): Promise<T[]> {
  const pages: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const answer: T = await load({ limit: pageSize, ...(cursor !== null && { cursor }) });
    pages.push(answer);
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  return pages;
}
