// Fills a store with a crowd of tasks, by the very functions by which the follower writes.
import { join } from 'node:path';
import { chainIdentity } from '#chain/deployment.ts';
import { migrate } from '#store/migrate.ts';
import { createProjectionStore } from '#store/projection.ts';
import { createSqliteDatabase } from '#store/sqlite.ts';
import type { Chain } from './chain.ts';
import { buildCrowdEvents, buildCrowdTask } from './crowd.ts';

const tasksAtOnce = 1_000;

/**
 * Tasks `from` to `to`. The chain has none of them, but it is the chain whose identity the rows carry and whose newest
 * block they are written at, so a site serves them and follows the chain from there. It must stand still meanwhile.
 */
export async function fillStore(
  chain: Chain,
  dataDir: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const database = createSqliteDatabase(join(dataDir, 'svc.sqlite'));
  try {
    await migrate(database);
    const head = await chain.readHead();
    const store = createProjectionStore(database, () => head.time);
    let cursor = await store.loadCursor();
    if (cursor === null) {
      const generation = await store.begin(chainIdentity(chain.deployment));
      await store.finishSnapshot(generation, head, BigInt(chain.deployment.startBlock));
      cursor = await store.loadCursor();
    }
    const shown = cursor?.shown ?? null;
    if (shown === null) throw new Error('the store shows nothing');
    const { generation } = shown;
    for (let first = from; first <= to; first += tasksAtOnce) {
      const length = Math.min(tasksAtOnce, to - first + 1);
      const tasks = Array.from({ length }, (_, at) => buildCrowdTask(chain.deployment, first + at, head));
      const events = tasks.flatMap((task) => buildCrowdEvents(task, head));
      await store.saveBlocks({
        generation,
        base: head.hash,
        fork: null,
        events,
        tasks,
        gone: [],
        head,
        kept: [],
      });
    }
  } finally {
    await database.close();
  }
}
