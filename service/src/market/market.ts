// Lists and details of tasks: the JSON texts of the store joined into bodies.
import type { FileLookup } from '@svc/sdk/documents';
import type { Address, Market, TaskKey } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { PageQuery, StoredTask, TaskStore } from '#store/tasks.ts';
import { fillDocuments } from './documents.ts';

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
  return {
    /** Claimable tasks, newest first. */
    listOpen: (page: PageQuery) => buildList(page, (more) => tasks.loadOpen({ ...more, now: now() })),
    /** Open-scope tasks in any state, newest first. */
    listRecent: (page: PageQuery) => buildList(page, tasks.loadRecent),
    listByPoster: (page: PageQuery & { readonly address: Address }) => buildList(page, tasks.loadByPoster),
    listByWorker: (page: PageQuery & { readonly address: Address }) => buildList(page, tasks.loadByWorker),

    /** The body, and what identifies its content. */
    getTask: async (key: TaskKey): Promise<{ readonly body: string; readonly digest: string }> => {
      const { text, seal } = await fillDocuments(await loadTask(tasks, key), lookUpFile);
      return { body: `{"task":${text},"meta":${metaTexts[key.market]}}`, digest: seal };
    },
  };
}

/** Throws TASK_NOT_FOUND when there is none. */
export async function loadTask(tasks: Pick<TaskStore, 'loadTask'>, key: TaskKey): Promise<StoredTask> {
  const task = await tasks.loadTask(key.market, key.number);
  if (task === null) throw new SvcError('TASK_NOT_FOUND', { taskId: `v2:${key.market}:${key.number}` });
  return task;
}

/** The texts are JSON already: joining them is many times faster than parsing them. */
async function buildList<P extends PageQuery>(
  page: P,
  load: (page: P) => Promise<StoredTask[]>,
): Promise<string> {
  // One more than asked for shows whether there is a next page.
  const found = await load({ ...page, limit: page.limit + 1 });
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  const nextCursor = found.length > page.limit && last !== undefined ? `"${last.number}"` : 'null';
  const list = shown.map(({ text }) => text).join(',');
  return `{"tasks":[${list}],"count":${shown.length},"nextCursor":${nextCursor},"meta":${metaTexts[page.market]}}`;
}

export function buildMeta(market: Market) {
  return { protocolVersion: 'v2', asset: 'TOK', market, source: 'chain-rpc' } as const;
}

const metaTexts: Readonly<Record<Market, string>> = {
  standard: JSON.stringify(buildMeta('standard')),
  micro: JSON.stringify(buildMeta('micro')),
};
