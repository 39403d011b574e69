// Lists and details of tasks: the JSON texts of the store joined into bodies.
import type { FileLookup } from '@svc/sdk/documents';
import type { Address, Market, TaskKey } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { type ListQuery, pickFilters } from '@svc/sdk/schemas';
import { fitsSort, type ListKind, type ListPlace } from '#store/findTasks.ts';
import type { PageQuery, StoredTask, TaskStore } from '#store/tasks.ts';
import { fillDocuments } from './documents.ts';

/** A page of a list as JSON, and the cursor of the next one. */
export type ListBody = { readonly body: string; readonly next: string | null };

/** What every request for a list names; the earlier shape and the tools have no filters. */
export type ListRequest = Pick<ListQuery, 'market' | 'limit'> & Partial<ListQuery>;

type OfWallet = ListRequest & { readonly address: Address };

export type MarketService = ReturnType<typeof createMarketService>;

export function createMarketService({
  tasks,
  now,
  lookUpFile,
}: {
  readonly tasks: TaskStore;
  readonly now: () => number;
  /** Finds documents that are kept as files; without it they are shown as unavailable. */
  readonly lookUpFile?: FileLookup | undefined;
}) {
  /** The plain list by `load`; with filters or an order, what the store finds. */
  async function list(
    request: ListRequest,
    kind: ListKind,
    load: (page: PageQuery) => Promise<StoredTask[]>,
  ): Promise<ListBody> {
    const { market, limit } = request;
    const place = parsePlace(request);
    const { sort, ...filter } = pickFilters(request);
    if (sort === undefined && Object.keys(filter).length === 0)
      return buildPlainList(
        { market, limit, before: place === null ? undefined : BigInt(place.number) },
        load,
      );
    const found = await tasks.find({
      ...kind,
      market,
      limit,
      sort: sort ?? 'newest',
      after: place,
      filter: {
        states: filter.state,
        tags: filter.tag,
        minAmount: filter.minAmountTokWei,
        maxAmount: filter.maxAmountTokWei,
        deadlineBefore: filter.deadlineBefore,
        fullyFunded: filter.fullyFunded,
        terms: filter.q,
        since: filter.since,
      },
    });
    const next = found.next === null ? null : formatPlace(found.next);
    return { body: joinList(market, found.tasks, next, found.total), next };
  }

  return {
    /** Claimable tasks, newest first. */
    listOpen: (request: ListRequest) => {
      const time = now();
      return list(request, { list: 'open', now: time }, (page) => tasks.loadOpen({ ...page, now: time }));
    },
    /** Open-scope tasks in any state, newest first. */
    listRecent: (request: ListRequest) => list(request, { list: 'recent' }, tasks.loadRecent),
    listByPoster: ({ address, ...request }: OfWallet) =>
      list(request, { list: 'poster', address }, (page) => tasks.loadByPoster({ ...page, address })),
    listByWorker: ({ address, ...request }: OfWallet) =>
      list(request, { list: 'worker', address }, (page) => tasks.loadByWorker({ ...page, address })),

    /** The body, and what identifies its content. */
    getTask: async (key: TaskKey): Promise<{ readonly body: string; readonly digest: string }> => {
      const { text, seal } = await fillDocuments(await loadTask(tasks, key), lookUpFile);
      return { body: `{"task":${text},"meta":${metaTexts[key.market]}}`, digest: seal };
    },

    /** Several tasks of one market in the order of the numbers, and the ids of those that do not exist. */
    getTasks: async (market: Market, numbers: readonly bigint[]): Promise<string> => {
      const found = await Promise.all(
        numbers.map(async (number) => {
          const task = await tasks.loadTask(market, number);
          return task === null ? null : (await fillDocuments(task, lookUpFile)).text;
        }),
      );
      const missing = numbers.filter((_, at) => found[at] === null).map((number) => `v2:${market}:${number}`);
      const shown = found.filter((text) => text !== null).join(',');
      return `{"tasks":[${shown}],"missing":${JSON.stringify(missing)},"meta":${metaTexts[market]}}`;
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

/** Throws TASK_NOT_FOUND when there is none. */
export async function loadTask(tasks: Pick<TaskStore, 'loadTask'>, key: TaskKey): Promise<StoredTask> {
  const task = await tasks.loadTask(key.market, key.number);
  if (task === null) throw new SvcError('TASK_NOT_FOUND', { taskId: `v2:${key.market}:${key.number}` });
  return task;
}

async function buildPlainList(
  page: PageQuery,
  load: (page: PageQuery) => Promise<StoredTask[]>,
): Promise<ListBody> {
  // One more than asked for shows whether there is a next page.
  const found = await load({ ...page, limit: page.limit + 1 });
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  const next = found.length > page.limit && last !== undefined ? String(last.number) : null;
  return { body: joinList(page.market, shown, next), next };
}

/** The texts are JSON already: joining them is many times faster than parsing them. */
function joinList(
  market: Market,
  tasks: readonly StoredTask[],
  next: string | null,
  total?: number | null,
): string {
  const list = tasks.map(({ text }) => text).join(',');
  const all = total === undefined ? '' : `"total":${total},`;
  return `{"tasks":[${list}],"count":${tasks.length},${all}"nextCursor":${JSON.stringify(next)},"meta":${metaTexts[market]}}`;
}

export function buildMeta(market: Market) {
  return { protocolVersion: 'v2', asset: 'TOK', market, source: 'chain-rpc' } as const;
}

const metaTexts: Readonly<Record<Market, string>> = {
  standard: JSON.stringify(buildMeta('standard')),
  micro: JSON.stringify(buildMeta('micro')),
};
