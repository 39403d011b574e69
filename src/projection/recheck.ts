// Reads all tasks that can still change anew, after logs had to be believed without proof: a provider that cut a long
// list short would otherwise leave rows behind that no later log corrects.
import { isDeepStrictEqual } from 'node:util';
import { SvcError } from '#domain/errors.ts';
import type { Generation } from '#domain/follow.ts';
import { type Market, markets } from '#domain/market.ts';
import type { ChainSource, ProjectionStore } from './needs.ts';

const pageSize = 150;

/** Answers how many tasks were not what the rows said; null when there was nothing to check, or no longer is. */
export async function recheckLive(source: ChainSource, store: ProjectionStore): Promise<number | null> {
  const shown = (await store.loadCursor())?.shown ?? null;
  if (shown === null || shown.unprovenBlock === null) return null;
  let corrected = 0;
  for (const market of markets) {
    for (let after: bigint | null = 0n; after !== null; ) {
      const page: Page | null = await recheckPage(source, store, shown.generation, market, after);
      if (page === null) return null;
      corrected += page.corrected;
      after = page.last;
    }
  }
  await store.markProven(shown.generation, shown.unprovenBlock);
  return corrected;
}

type Page = { readonly corrected: number; readonly last: bigint | null };

/** At the head of its own moment: the rows move on meanwhile, and must not be set back. */
async function recheckPage(
  source: ChainSource,
  store: ProjectionStore,
  generation: Generation,
  market: Market,
  after: bigint,
): Promise<Page | null> {
  const shown = (await store.loadCursor())?.shown ?? null;
  if (shown?.generation !== generation) return null;
  const stored = await store.loadLive(market, after, pageSize);
  const known = new Map(stored.map((task) => [task.number, task]));
  const current = await source.readTasks(market, [...known.keys()], shown.head.hash);
  const tasks = current.filter((task) => !isDeepStrictEqual(task, known.get(task.number)));
  try {
    if (tasks.length > 0) await store.saveCorrection({ generation, base: shown.head.hash, tasks });
  } catch (error) {
    // The head has moved meanwhile: the same page again.
    if (error instanceof SvcError && error.code === 'FOLLOWER_OVERTAKEN')
      return { corrected: 0, last: after };
    throw error;
  }
  return { corrected: tasks.length, last: stored.at(-1)?.number ?? null };
}
