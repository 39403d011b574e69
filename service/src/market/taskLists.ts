// Lists and details of tasks, built from the rows.
import type { TaskDetail } from '@svc/sdk/actions';
import type { FileLookup } from '@svc/sdk/documents';
import { type Address, type Market, parseAddress, SvcError, type TaskKey } from '@svc/sdk/domain';
import { buildOpenRecord, buildTaskDetail, buildTaskRecord } from '@svc/sdk/internal/actions/taskRecord';
import { usdToWeiDown, usdToWeiUp } from '@svc/sdk/internal/domain/dollars';
import { type ListQuery, pickFilters } from '@svc/sdk/internal/schemas/listQueries';
import { fitsSort, type ListKind, type ListPlace } from '../store/findTasks.ts';
import type { StoredTask } from '../store/taskRow.ts';
import type { TaskStore } from '../store/tasks.ts';
import { fillDocuments } from './documents.ts';
import { cutPage } from './listPages.ts';
import { hideDocuments, type LoadWithheld } from './withholding.ts';

/** What every request for a list names; the earlier shape and the tools have no filters. */
export type ListRequest = Pick<ListQuery, 'market' | 'limit'> &
  Partial<ListQuery> & {
    /** Where nobody looks at `total`. */
    readonly isUncounted?: boolean;
  };

type Bounds = Pick<Partial<ListQuery>, `${'min' | 'max'}Amount${'Usd' | 'TokWei'}`>;

type OfWallet = ListRequest & { readonly address: Address };

export type MarketService = ReturnType<typeof createMarketService>;

export function createMarketService({
  tasks,
  loadWithheld,
  now,
  lookUpFile,
  readPrice,
}: {
  readonly tasks: TaskStore;
  readonly loadWithheld: LoadWithheld;
  readonly now: () => number;
  /** Finds documents that are kept as files; without it they are shown as unavailable. */
  readonly lookUpFile?: FileLookup | undefined;
  /** The current price, or the last known one. */
  readonly readPrice: () => Promise<{ readonly priceE8: bigint } | null>;
}) {
  /** The bounds of a list in TOK: what dollars are worth now, and what is given in TOK, whichever is narrower. */
  async function readBounds({ minAmountUsd, maxAmountUsd, minAmountTokWei, maxAmountTokWei }: Bounds) {
    if (minAmountUsd === undefined && maxAmountUsd === undefined)
      return { minAmount: minAmountTokWei, maxAmount: maxAmountTokWei };
    const price = await readPrice();
    if (price === null || price.priceE8 <= 0n) throw new SvcError('PRICE_MISSING', {});
    const [least, most] = [
      usdToWeiUp(minAmountUsd ?? 0n, price.priceE8),
      maxAmountUsd === undefined ? undefined : usdToWeiDown(maxAmountUsd, price.priceE8),
    ];
    return {
      minAmount: minAmountTokWei === undefined || least > minAmountTokWei ? least : minAmountTokWei,
      maxAmount:
        most === undefined || (maxAmountTokWei !== undefined && maxAmountTokWei < most)
          ? maxAmountTokWei
          : most,
    };
  }

  /** A page by number; with filters or an order, what the store finds. */
  async function list<Shown>(request: ListRequest, kind: ListKind, build: (stored: StoredTask) => Shown) {
    const { market, limit } = request;
    const place = parsePlace(request);
    const { sort, ...filter } = pickFilters(request);
    if (sort === undefined && Object.keys(filter).length === 0) {
      const before = place === null ? undefined : BigInt(place.number);
      const found = await tasks.loadPage({ ...kind, market, before, limit: limit + 1 });
      const { shown, nextCursor } = cutPage(found, limit, ({ task }) => String(task.number));
      return { tasks: shown.map(build), count: shown.length, nextCursor, meta: buildMeta(market) };
    }
    const found = await tasks.find({
      ...kind,
      market,
      limit,
      sort: sort ?? 'newest',
      isUncounted: request.isUncounted,
      after: place,
      filter: {
        states: filter.state,
        tags: filter.tag,
        ...(await readBounds(filter)),
        poster: filter.poster === undefined ? undefined : parseAddress(filter.poster),
        deadlineBefore: filter.deadlineBefore,
        fullyFunded: filter.fullyFunded,
        terms: filter.q,
        since: filter.since,
      },
    });
    return {
      tasks: found.tasks.map(build),
      count: found.tasks.length,
      total: found.total,
      nextCursor: found.next === null ? null : formatPlace(found.next),
      meta: buildMeta(market),
    };
  }

  async function buildDetail({ task, facts, words }: StoredTask): Promise<TaskDetail> {
    // The schema has the same shape, with texts in place of their narrower types.
    const detail = buildTaskDetail(task, facts, words) as unknown as TaskDetail;
    return fillDocuments(hideDocuments(detail, await loadWithheld()), lookUpFile);
  }

  const buildOpen = ({ task, facts }: StoredTask) => buildOpenRecord(task, facts);
  const buildRecord = ({ task, facts, words }: StoredTask) => buildTaskRecord(task, facts, words);

  return {
    /** Claimable tasks, newest first. */
    listOpen: (request: ListRequest) => list(request, { list: 'open', now: now() }, buildOpen),
    /** The same tasks with their words. */
    listOpenInFull: (request: ListRequest) => list(request, { list: 'open', now: now() }, buildRecord),
    /** Open-scope tasks in any state, newest first. */
    listRecent: (request: ListRequest) => list(request, { list: 'recent' }, buildRecord),
    listByPoster: ({ address, ...request }: OfWallet) =>
      list(request, { list: 'poster', address }, buildRecord),
    listByWorker: ({ address, ...request }: OfWallet) =>
      list(request, { list: 'worker', address }, buildRecord),

    getTask: async (key: TaskKey) => ({
      task: await buildDetail(await loadTask(tasks, key)),
      meta: buildMeta(key.market),
    }),

    /** Several tasks of one market in the order of the numbers, and the ids of those that do not exist. */
    getTasks: async (market: Market, numbers: readonly bigint[]) => {
      const found = await Promise.all(numbers.map((number) => tasks.loadTask(market, number)));
      const missing = numbers.filter((_, at) => found[at] === null);
      return {
        tasks: await Promise.all(found.filter((stored) => stored !== null).map(buildDetail)),
        missing: missing.map((number) => `v2:${market}:${number}`),
        meta: buildMeta(market),
      };
    },
  };
}

function parsePlace({ cursor, sort = 'newest' }: ListRequest): ListPlace | null {
  if (cursor === undefined) return null;
  const [number, key = null] = cursor.split('.').reverse();
  const place = { key, number: Number(number) };
  if (!fitsSort(place, sort)) throw new SvcError('CURSOR_INVALID', {});
  return place;
}

function formatPlace({ key, number }: ListPlace): string {
  return key === null ? String(number) : `${key}.${number}`;
}

/** Throws TASK_NOT_FOUND when there is none, also for a number that no task can have. */
export async function loadTask(tasks: Pick<TaskStore, 'loadTask'>, key: TaskKey): Promise<StoredTask> {
  const task = await tasks.loadTask(key.market, key.number);
  if (task === null) throw new SvcError('TASK_NOT_FOUND', { taskId: `v2:${key.market}:${key.number}` });
  return task;
}

export function buildMeta(market: Market) {
  return { protocolVersion: 'v2', asset: 'TOK', market, source: 'chain-rpc' } as const;
}
