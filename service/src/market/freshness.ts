// Knows, without asking, how fresh the rows are: the head they show, and a version for each market that changes
// whenever an answer about it may.
import { type Market, markets } from '@svc/sdk/domain';
import type { Shown } from '../store/chainRow.ts';
import { followNotices, type Listen } from '../store/notices.ts';

export type FreshnessNeeds = {
  readonly loadShown: () => Promise<Shown | null>;
  readonly loadVersion: (market: Market) => Promise<number>;
  readonly loadNextDeadline: (market: Market, now: number) => Promise<number | null>;
  /** For writes of the indexer. */
  readonly listen: Listen;
  readonly now: () => number;
};

/** Longer timers overflow; a deadline further away is looked for again when this is over. */
const longestTimerMs = 3_600_000;

export async function createFreshness(needs: FreshnessNeeds) {
  let state: Shown | null = null;
  const versions = new Map<Market, string>();
  const deadlines = new Map<Market, number | null>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function refresh(): Promise<void> {
    // First: a block that is written meanwhile would be shown with the versions of before, and so with what was kept under them.
    const shown = await needs.loadShown();
    for (const market of markets) {
      // A task past its deadline leaves the open list, so the second that passes is part of the version.
      const deadline = await needs.loadNextDeadline(market, needs.now());
      versions.set(market, `${await needs.loadVersion(market)}.${deadline ?? ''}`);
      deadlines.set(market, deadline);
    }
    state = shown;
    if (!isClosed) setTimer();
  }

  function setTimer(): void {
    clearTimeout(timer);
    const next = Math.min(...[...deadlines.values()].filter((deadline) => deadline !== null));
    if (!Number.isFinite(next)) return;
    const wait = Math.max(0, (next + 1 - needs.now()) * 1_000);
    timer = setTimeout(() => look(), Math.min(wait + 20, longestTimerMs));
    timer.unref();
  }

  let look = () => {};
  const looking = await followNotices(needs.listen, refresh);
  look = looking.run;
  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(timer);
    await looking.close();
  }
  try {
    await refresh();
  } catch (error) {
    await close();
    throw error;
  }
  /** No answer is kept under it, since it is never given twice. */
  let unknownVersions = 0;

  /** Between the passing of a deadline and the next look, nothing that was built before may be served. */
  function version(market: Market): string {
    const deadline = deadlines.get(market) ?? null;
    if (deadline === null || needs.now() <= deadline) return versions.get(market) ?? '';
    looking.run();
    return `?${unknownVersions++}`;
  }

  return {
    /** Null while nothing is known of this chain. */
    state: () => state,
    version,
    close,
  };
}
