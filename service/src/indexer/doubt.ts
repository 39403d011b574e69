// Logs of a long stretch have to be believed without proof. Where a provider kept some back, rows would stay behind that
// no later log corrects: so every task that can still change is compared with the chain before the stretch is shown.
import { isDeepStrictEqual } from 'node:util';
import type { BlockRef, TaskKey } from '@svc/sdk/domain';
import { type Market, markets, SvcError } from '@svc/sdk/domain';
import type { ChainSource, ProjectionStore } from './needs.ts';

const pageSize = 150;

/** Tasks that exist at the target but are neither stored nor told of. */
export async function findMissed(
  source: ChainSource,
  store: ProjectionStore,
  told: readonly TaskKey[],
  target: BlockRef,
): Promise<TaskKey[]> {
  const counts = await source.readTaskCounts(target.hash);
  const known = new Set(told.map(keyText));
  const missed: TaskKey[] = [];
  for (const market of markets) {
    for (let number = (await store.loadTaskCount(market)) + 1n; number <= counts[market]; number++) {
      if (!known.has(keyText({ market, number }))) missed.push({ market, number });
    }
  }
  return missed;
}

/** Throws CHAIN_LOGS_MISSING, and blames who answered, where any task changed that the logs do not tell of. */
export async function verifyUntold(
  source: ChainSource,
  store: ProjectionStore,
  told: readonly TaskKey[],
  target: BlockRef,
): Promise<void> {
  const missed = await findMissed(source, store, told, target);
  if (missed.length === 0 && (await areUnchanged(source, store, told, target))) return;
  const error = new SvcError('CHAIN_LOGS_MISSING', { block: String(target.number) });
  source.blame(error);
  throw error;
}

async function areUnchanged(
  source: ChainSource,
  store: ProjectionStore,
  told: readonly TaskKey[],
  target: BlockRef,
): Promise<boolean> {
  const known = new Set(told.map(keyText));
  for (const market of markets) {
    let page = await store.loadLive(market, 0n, pageSize);
    for (; page.length > 0; page = await store.loadLive(market, page.at(-1)?.number ?? 0n, pageSize)) {
      const untold = page.filter((task) => !known.has(keyText(task)));
      if (untold.length === 0) continue;
      const numbers = untold.map(({ number }) => number);
      if (!isDeepStrictEqual(await source.readTasks(market, numbers, target.hash), untold)) return false;
    }
  }
  return true;
}

export function keyText({ market, number }: { readonly market: Market; readonly number: bigint }): string {
  return `${market}:${number}`;
}
