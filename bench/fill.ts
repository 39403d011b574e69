// Fills a store with a crowd of tasks: the first ones by the very functions by which the follower writes, the rest as
// copies of their rows.
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { chainIdentity } from '#sdk/chain/deployment.ts';
import type { Head } from '#sdk/domain/follow.ts';
import type { Database } from '#service/store/database.ts';
import { migrate } from '#service/store/migrate.ts';
import { createProjectionStore } from '#service/store/projection.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import type { Chain } from './chain.ts';
import { copyCrowd } from './copyCrowd.ts';
import { buildCrowdEvents, buildCrowdTask } from './crowd.ts';

/** So many are written one by one; hashing and encoding a million would take longer than all measurements. */
const written = 10_000;
/** Between two lots the process looks up: SQLite answers at once, so without a pause no signal would ever be heard. */
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
    await writeTasks(chain, database, head, { from, to: Math.min(to, written) });
    if (to > written && to % written !== 0) throw new RangeError(`${to} is not so many times ${written}`);
    for (let done = Math.max(written, from - 1); done < to; done += written) {
      await breathe();
      await copyCrowd(database, { count: written, offset: done });
    }
  } finally {
    await database.close();
  }
}

async function writeTasks(
  { deployment }: Chain,
  database: Database,
  head: Head,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const store = createProjectionStore(database, () => head.time);
  if ((await store.loadCursor()) === null) {
    const generation = await store.begin(chainIdentity(deployment));
    await store.finishSnapshot(generation, head, BigInt(deployment.startBlock));
  }
  const shown = (await store.loadCursor())?.shown ?? null;
  if (shown === null) throw new Error('the store shows nothing');
  for (let first = from; first <= to; first += tasksAtOnce) {
    await breathe();
    const length = Math.min(tasksAtOnce, to - first + 1);
    const tasks = Array.from({ length }, (_, at) => buildCrowdTask(deployment, first + at, head));
    await store.saveBlocks({
      generation: shown.generation,
      base: head.hash,
      fork: null,
      events: tasks.flatMap((task) => buildCrowdEvents(task, head)),
      tasks,
      gone: [],
      head,
      kept: [],
    });
  }
}
