// Queries about tasks and markets.

import type { ListFilters, OnMarketPage, SiteConfig, TaskList, TaskReply } from '@svc/sdk';
import type { Address, Market } from '@svc/sdk/domain';
import { mixPosters } from '@svc/sdk/internal/domain/fairShare';
import { offeredAmount } from '@svc/sdk/internal/domain/task';
import {
  keepPreviousData,
  queryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, statusOf } from './client.ts';
import { deployedLimits, type Limits } from './collateral.ts';
import { queryKeys } from './queryKeys.ts';

export type Task = TaskList['tasks'][number];
/** With the documents of the work. */
export type TaskDetail = TaskReply['task'];

/** Nobody scrolls further; there is a search. */
const maxPages = 10;
const pageSize = 100;
export const maxListed = maxPages * pageSize;

/** The event stream does not report private tasks, so they are polled. */
const privatePollMs = 5_000;

type Page = OnMarketPage & { readonly market: Market };

type BoardTasks = {
  readonly tasks: readonly Task[];
  /** Whether these are all tasks; otherwise the API has to search. */
  readonly isWhole: boolean;
};

/** The open tasks in full. */
export function boardQuery(market: Market) {
  return queryOptions<readonly Task[]>({
    queryKey: queryKeys.tasks(market, 'open'),
    queryFn: async ({ signal }) => {
      const pages = await loadPages((page) => client.recent({ market, signal, state: 'POSTED', ...page }));
      return pages.flatMap(({ tasks }) => tasks);
    },
  });
}

function nameFilters(filters: ListFilters): string {
  return JSON.stringify(filters, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** Tasks per request of the board, the first of which is sent with the document. */
export const boardPage = 50;

/** The tasks of the board that the API finds, page by page; those of one poster do not stand together where `isMixed`. */
export function useBoardList(market: Market, view: 'open' | 'all', filters: ListFilters) {
  const isMixed = filters.sort === 'mixed';
  const asked = isMixed ? { ...filters, sort: 'newest' as const } : filters;
  return useInfiniteQuery({
    queryKey: queryKeys.tasks(market, `board ${view}`, nameFilters(filters)),
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      client.recent({
        market,
        signal,
        ...asked,
        ...(view === 'open' && { state: 'POSTED' }),
        limit: boardPage,
        ...(pageParam !== undefined && { cursor: pageParam }),
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ tasks }) => (isMixed ? mixPosters(tasks) : tasks)),
  });
}

/** The newest tasks that were paid to their end. */
export const paidQuery = (market: Market) =>
  queryOptions<readonly Task[]>({
    queryKey: queryKeys.tasks(market, 'paid'),
    queryFn: async ({ signal }) =>
      (await client.recent({ market, signal, state: 'COMPLETED', limit: 20 })).tasks,
  });

/** The tasks that a wallet posted or claimed, newest first. */
export function ownTasksQuery(market: Market, address: string) {
  return queryOptions<BoardTasks>({
    queryKey: queryKeys.tasks(market, 'own', address),
    refetchInterval: privatePollMs,
    queryFn: async ({ signal }) => {
      const roles = ['poster', 'worker'] as const;
      const lists = await Promise.all(roles.map((role) => loadTasksOf(role, address, { market, signal })));
      const tasks = lists.flat().toSorted((left, right) => right.createdAt - left.createdAt);
      return { tasks, isWhole: tasks.length < maxListed };
    },
  });
}

/** The tasks of a wallet in one role, newest first, at most `maxListed`. */
export function useTasksOf(role: 'poster' | 'worker', market: Market, address: string) {
  return useQuery({
    queryKey: queryKeys.tasks(market, role, address),
    queryFn: ({ signal }) => loadTasksOf(role, address, { market, signal }),
  });
}

async function loadTasksOf(role: keyof typeof ownLists, address: string, asked: Page) {
  const pages = await loadPages((page) => client[ownLists[role]](address, { ...asked, ...page }));
  return pages.flatMap(({ tasks }) => tasks);
}

const ownLists = { poster: 'posterTasks', worker: 'workerTasks' } as const;

/** A list that the service counts. */
export type CountedList = {
  readonly market: Market;
  readonly list: 'open' | 'all' | keyof typeof ownLists;
  /** Of a wallet's list. */
  readonly address?: string | undefined;
  readonly filters?: ListFilters;
};

/**
 * How many tasks these lists have together, for lists that are too long to load. Undefined until all have been counted, null
 * where the service stops counting earlier.
 */
export function useCount(lists: readonly CountedList[]): number | null | undefined {
  return useQueries({ queries: lists.map(countQuery), combine: addCounts });
}

function countQuery({ market, list, address = '', filters = {} }: CountedList) {
  // The open list has one state, and refuses to look for others.
  const { state, ...others } = filters;
  const chosen = list === 'open' || state === undefined ? others : filters;
  return queryOptions({
    queryKey: queryKeys.tasks(market, `count ${list}`, `${address} ${nameFilters(chosen)}`),
    queryFn: async ({ signal }): Promise<number | null> => {
      const page = { market, signal, sort: 'newest', ...chosen, limit: 1 } as const;
      if (list === 'open') return (await client.open(page)).total ?? null;
      if (list === 'all') return (await client.recent(page)).total ?? null;
      return (await client[ownLists[list]](address, page)).total ?? null;
    },
  });
}

function addCounts(results: readonly { readonly data: number | null | undefined }[]) {
  const counts = results.map(({ data }) => data);
  if (counts.includes(undefined)) return undefined;
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** "1,234", or that there are more than the service counts. */
export function showCount(count: number | null): string {
  return count === null ? 'more than 10,000' : count.toLocaleString('en-US');
}

export function useTask(id: string) {
  return useQuery<TaskReply, Error, TaskDetail>({
    queryKey: queryKeys.task(id),
    // A missing task may be a private one whose block is not indexed yet.
    refetchInterval: ({ state: { data, error } }) =>
      data?.task.scope === 'private' || statusOf(error) === 404 ? privatePollMs : false,
    queryFn: ({ signal }) => client.task(id, { signal }),
    select: ({ task }) => task,
  });
}

/** The newest cases of an arbitrator, those that wait for it first, private ones included. */
export function useCases(market: Market, address: Address) {
  return useQuery({
    queryKey: queryKeys.concerns(market, `${address} cases`),
    queryFn: async ({ signal }) => {
      const { concerns } = await client.concerns(address, { market, role: 'arbitrator', limit: 50, signal });
      if (concerns.length === 0) return [];
      return (
        await client.tasks(
          concerns.map(({ taskId }) => taskId),
          { signal },
        )
      ).tasks;
    },
  });
}

/** Oldest first, at most `maxListed` events. */
export function useTimeline({ id, scope }: Pick<Task, 'id' | 'scope'>) {
  return useQuery({
    queryKey: queryKeys.timeline(id),
    refetchInterval: scope === 'private' ? privatePollMs : false,
    queryFn: async ({ signal }) => {
      const pages = await loadPages((page) => client.timeline(id, { signal, ...page }));
      return {
        events: pages.flatMap(({ events }) => events),
        isAll: pages.at(-1)?.nextCursor === null,
      };
    },
  });
}

export function useSiteConfig(market: Market, isEnabled = true) {
  return useQuery({
    queryKey: ['site-config', market],
    enabled: isEnabled,
    staleTime: 300_000,
    queryFn: ({ signal }) => client.siteConfig({ market, signal }),
  });
}

/** The collateral thresholds that the service reports; until its reply arrives, those of a new deployment. */
export function useLimits(market: Market): Limits {
  const { data } = useSiteConfig(market);
  return data?.limits ?? deployedLimits[market];
}

/** Of both markets; null until both are known. */
export function useSiteConfigs(): readonly SiteConfig[] | null {
  const [standard, micro] = [useSiteConfig('standard'), useSiteConfig('micro')];
  const isPending = standard.isPending || micro.isPending;
  return useMemo(
    () => (isPending ? null : [standard.data, micro.data].filter((site) => site !== undefined)),
    [isPending, standard.data, micro.data],
  );
}

type Result<Item> = UseQueryResult<readonly Item[]>;

/** One query over both markets: it has data once both have answered, and an error if one of them failed. */
export function useBothMarkets<Item>(
  standard: Result<Item>,
  micro: Result<Item>,
): UseQueryResult<readonly Item[]> {
  const data = useMemo(
    () => standard.data && micro.data && [...standard.data, ...micro.data],
    [standard.data, micro.data],
  );
  const shown = [standard, micro].find((query) => query.data === undefined && query.isError) ?? standard;
  return { ...shown, data } as unknown as UseQueryResult<readonly Item[]>;
}

/** What a wallet has earned, paid and locked. */
export const ledgerQuery = (market: Market, address: string) =>
  paymentsQuery(queryKeys.ledger(market, address), (signal) => client.ledger(address, { market, signal }));

export const earningsQuery = (market: Market, address: string) =>
  paymentsQuery(queryKeys.earnings(market, address), (signal) =>
    client.earnings(address, { market, limit: 1, signal }),
  );

function paymentsQuery<Reply>(queryKey: readonly unknown[], load: (signal: AbortSignal) => Promise<Reply>) {
  return queryOptions<Reply>({
    queryKey,
    staleTime: 60_000,
    queryFn: ({ signal }) => load(signal),
  });
}

export function useUnion(market: Market) {
  return useQuery({
    queryKey: queryKeys.union(market),
    refetchInterval: 30_000,
    queryFn: ({ signal }) => client.union({ market, signal }),
  });
}

/** The index of the milestone that is in work or delivered. */
export function currentMilestone(task: Task): number {
  return task.milestones.findIndex(({ state }) => state === 'current' || state === 'delivered');
}

async function loadPages<T extends Pick<TaskList, 'nextCursor'>>(
  load: (page: Pick<OnMarketPage, 'limit' | 'cursor'>) => Promise<T>,
): Promise<T[]> {
  const pages: T[] = [];
  let cursor: string | null = null;
  do {
    const reply: T = await load({ limit: pageSize, ...(cursor !== null && { cursor }) });
    pages.push(reply);
    cursor = reply.nextCursor;
  } while (cursor !== null && pages.length < maxPages);
  return pages;
}

/** What the next acceptance pays. */
export function dueAmount(task: Task): bigint {
  return BigInt(task.milestones[currentMilestone(task)]?.amountTokWei ?? 0);
}

/** What a worker keeps of the whole reward after the fee; null where nothing is left of it. */
export function useKept(task: Task): bigint | null {
  const fee = useSiteConfig(task.market).data?.limits.accessFeeTokWei;
  const kept = fee === undefined ? 0n : BigInt(offeredAmount(task)) - BigInt(fee);
  return kept > 0n ? kept : null;
}
