// Lists and details of tasks: JSON texts joined into the bodies that readers get.
import type { Address, Market, TaskKey } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';

/** A stored task: its number and its two ready JSON records. */
export type StoredTask = { readonly number: bigint; readonly record: string; readonly openRecord: string };

export type StoredRecord = Omit<StoredTask, 'openRecord'>;

export type Page = { readonly market: Market; readonly before?: bigint | undefined; readonly limit: number };

export type TaskSource = {
  readonly loadOpen: (page: Page & { readonly now: number }) => Promise<StoredTask[]>;
  readonly loadRecent: (page: Page) => Promise<StoredTask[]>;
  readonly loadByPoster: (page: Page & { readonly address: Address }) => Promise<StoredTask[]>;
  readonly loadByWorker: (page: Page & { readonly address: Address }) => Promise<StoredTask[]>;
  readonly loadTask: (market: Market, number: bigint) => Promise<StoredRecord | null>;
  readonly loadTogether: (market: Market, number: number, onRecord: (record: string | null) => void) => void;
};

export type MarketService = ReturnType<typeof createMarketService>;

export function createMarketService({
  tasks,
  now,
}: {
  readonly tasks: TaskSource;
  readonly now: () => number;
}) {
  return {
    /** Claimable tasks, newest first. */
    listOpen: (page: Page) => buildList(page, (more) => tasks.loadOpen({ ...more, now: now() }), openText),
    /** Open-scope tasks in any state, newest first. */
    listRecent: (page: Page) => buildList(page, tasks.loadRecent, recordText),
    listByPoster: (page: Page & { readonly address: Address }) =>
      buildList(page, tasks.loadByPoster, recordText),
    listByWorker: (page: Page & { readonly address: Address }) =>
      buildList(page, tasks.loadByWorker, recordText),

    getTask: async (key: TaskKey) => {
      const { record } = await loadTask(tasks, key);
      return buildTaskBody(key.market, record);
    },

    /** The same body for one of a crowd; null where there is no such task, or no answer from the store. */
    getTaskTogether: (market: Market, number: number, onBody: (body: string | null) => void) =>
      tasks.loadTogether(market, number, (record) =>
        onBody(record === null ? null : buildTaskBody(market, record)),
      ),
  };
}

function buildTaskBody(market: Market, record: string): string {
  return `{"task":${record},"meta":${metaTexts[market]}}`;
}

/** Throws when there is none. */
export async function loadTask(tasks: Pick<TaskSource, 'loadTask'>, key: TaskKey): Promise<StoredRecord> {
  const task = await tasks.loadTask(key.market, key.number);
  if (task === null) throw new SvcError('TASK_NOT_FOUND', { taskId: `v2:${key.market}:${key.number}` });
  return task;
}

/** The list's body as text: the records are JSON already, and joining them is many times faster than a parse. */
async function buildList<P extends Page>(
  page: P,
  load: (page: P) => Promise<StoredTask[]>,
  text: (task: StoredTask) => string,
): Promise<string> {
  // One more than asked for tells whether there is a next page.
  const found = await load({ ...page, limit: page.limit + 1 });
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  const nextCursor = found.length > page.limit && last !== undefined ? `"${last.number}"` : 'null';
  const list = shown.map(text).join(',');
  return `{"tasks":[${list}],"count":${shown.length},"nextCursor":${nextCursor},"meta":${metaTexts[page.market]}}`;
}

const openText = ({ openRecord }: StoredTask) => openRecord;
const recordText = ({ record }: StoredTask) => record;

export function buildMeta(market: Market) {
  return { protocolVersion: 'v2', asset: 'TOK', market, source: 'chain-rpc' } as const;
}

const metaTexts: Readonly<Record<Market, string>> = {
  standard: JSON.stringify(buildMeta('standard')),
  micro: JSON.stringify(buildMeta('micro')),
};
