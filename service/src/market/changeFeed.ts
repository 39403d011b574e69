// Reads the changes once for all who follow along: the newest are kept, so that a notice costs one query, not one for
// each stream.
import type { Change } from '#store/changes.ts';
import type { ChangeSource } from './changes.ts';

export type ChangeFeed = {
  /** The next changes after `seq`, oldest first; empty when there are none yet. */
  readonly loadAfter: (seq: number) => Promise<readonly Change[]>;
  /** Calls back when there may be something new; answers the way to stop. */
  readonly listen: (onNews: () => void) => () => void;
  readonly close: () => Promise<void>;
};

export type ChangeFeedNeeds = {
  readonly source: ChangeSource;
  /** Calls back after every write of the follower, in whichever process it runs. */
  readonly listen: (onNotice: () => void) => Promise<() => Promise<void>>;
};

const pageSize = 500;
const keptChanges = 2_000;

export async function createChangeFeed({ source, listen }: ChangeFeedNeeds): Promise<ChangeFeed> {
  const listeners = new Set<() => void>();
  /** Everything after `floor` that was written until the last look. */
  const kept: Change[] = [];
  let floor = (await source.loadChangeRange())?.last ?? 0;
  let looking: Promise<void> | null = null;
  let again = false;
  let isClosed = false;

  const lastSeen = () => kept.at(-1)?.seq ?? floor;

  async function look(): Promise<void> {
    do {
      again = false;
      const page = await source.loadChangesAfter(lastSeen(), pageSize);
      kept.push(...page);
      if (kept.length > keptChanges) {
        const dropped = kept.splice(0, kept.length - keptChanges);
        floor = dropped.at(-1)?.seq ?? floor;
      }
      again ||= page.length === pageSize;
      if (page.length > 0) for (const onNews of listeners) onNews();
    } while (again);
  }

  function onNotice(): void {
    again = true;
    // A failed look is made up for by the next notice, which comes with every block.
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = null;
        if (again && !isClosed) onNotice();
      });
  }

  const stop = await listen(onNotice);
  // What was written between the first look and the first notice.
  onNotice();
  return {
    loadAfter: async (seq) => {
      if (seq < floor) return source.loadChangesAfter(seq, pageSize);
      const start = findIndexAfter(kept, seq);
      return kept.slice(start, start + pageSize);
    },
    listen: (onNews) => {
      listeners.add(onNews);
      return () => listeners.delete(onNews);
    },
    close: async () => {
      isClosed = true;
      await stop();
      await looking;
    },
  };
}

/** Index of the first change after `seq`; they are sorted, and most readers stand near the end. */
function findIndexAfter(changes: readonly Change[], seq: number): number {
  return changes.findLastIndex((change) => change.seq <= seq) + 1;
}
