// Reads the changes once for all who follow along: the newest are kept, so that a notice costs one query, not one for
// each stream.
import type { Change } from '../store/changes.ts';
import { followNotices, type Listen } from '../store/notices.ts';
import { type ChangeSource, keptChanges } from './changes.ts';

export type ChangeFeed = Awaited<ReturnType<typeof createChangeFeed>>;

const pageSize = 500;
/** Earlier pages that are kept for other readers at the same position. */
const sharedPages = 8;

export async function createChangeFeed({
  source,
  listen,
}: {
  readonly source: ChangeSource;
  /** For writes of the indexer. */
  readonly listen: Listen;
}) {
  const listeners = new Set<() => void>();
  /** Everything after `floor` that was written until the last look. */
  const kept: Change[] = [];
  // With what a client may still ask for: after a restart many come back at once.
  let floor = Math.max(0, ((await source.loadChangeRange())?.last ?? 0) - keptChanges);
  const older = new Map<number, Promise<readonly Change[]>>();

  /** Readers that fell behind what is kept share one read with others at the same position. */
  function loadOlder(seq: number): Promise<readonly Change[]> {
    const found = older.get(seq) ?? source.loadChangesAfter(seq, pageSize);
    older.set(seq, found);
    found.catch(() => older.delete(seq));
    if (older.size > sharedPages) older.delete(older.keys().next().value as number);
    return found;
  }

  /** Where streams may begin, read once for all who come during the read before: thousands may come at once. */
  let reading: Promise<unknown> = Promise.resolve();
  let next: ReturnType<ChangeSource['loadChangeRange']> | null = null;
  function loadChangeRange() {
    next ??= reading.then(() => {
      const range = source.loadChangeRange();
      next = null;
      reading = range.catch(() => undefined);
      return range;
    });
    return next;
  }

  const lastSeen = () => kept.at(-1)?.seq ?? floor;

  const looking = await followNotices(listen, async () => {
    for (let isMore = true; isMore; ) {
      const page = await source.loadChangesAfter(lastSeen(), pageSize);
      kept.push(...page);
      const dropped = kept.splice(0, Math.max(0, kept.length - keptChanges));
      floor = dropped.at(-1)?.seq ?? floor;
      isMore = page.length === pageSize;
      if (page.length > 0) for (const onNews of listeners) onNews();
    }
  });

  // What was written between the first look and the first notice.
  looking.run();
  return {
    loadChangeRange,
    /** The next changes after `seq`, oldest first; empty when there are none yet. */
    loadAfter: async (seq: number): Promise<readonly Change[]> => {
      if (seq < floor) return loadOlder(seq);
      // They are sorted, and most readers stand near the end.
      const start = kept.findLastIndex((change) => change.seq <= seq) + 1;
      return kept.slice(start, start + pageSize);
    },
    /** Calls back when there may be something new; returns a function that stops it. */
    listen: (onNews: () => void) => {
      listeners.add(onNews);
      return (): void => void listeners.delete(onNews);
    },
    close: looking.close,
  };
}
