// Followers of the changes of tasks. What follows the chain is in the other part of the database, so it cannot be written
// with the blocks: each follower has a name and a position in `own`, and handles every change at least once, whenever processes end
// and whatever forks. One process at a time does it.
import type { ChangeStore, TaskChange } from './changes.ts';
import type { Database, Query, Transaction } from './database.ts';
import type { Lease } from './lease.ts';
import { findRow, queryValue, removeRows, updateRows } from './rows.ts';
import { sql } from './sql.ts';

/** What comes next for a follower. */
export type ChangePage = {
  /**
   * The number of a reset, which comes before the changes; null where there is none. Tasks may be gone, or changes may be
   * missing here: what was made of any task may be wrong.
   */
  readonly reset: number | null;
  /** Oldest first. */
  readonly changes: readonly TaskChange[];
  /** Everything up to here is in the page. */
  readonly upTo: number;
};

/**
 * Compare and set: everything up to this number is handled, together with what `save` writes. False, and nothing is written, where
 * another process has moved the position since it was read.
 */
export type Move = (upTo: number, save?: (tx: Transaction) => Promise<void>) => Promise<boolean>;

/** Must move the position itself, at the latest to the end of the page; what is not moved over comes again. */
export type Handle = (page: ChangePage, move: Move) => Promise<void>;

export type Consumer = {
  readonly name: string;
  readonly handle: Handle;
  /** Where the first page begins: everything that is kept, or only what comes from now on. */
  readonly begin?: 'oldest' | 'newest';
  readonly pageSize?: number;
};

export type ConsumeNeeds = {
  readonly cursors: CursorStore;
  readonly changes: Pick<ChangeStore, 'loadChangesAfter' | 'loadChangeRange'>;
};

const usualPage = 500;

/** Hands over the next page, if there is one; resolves to whether there may be more. The caller holds a lease. */
export async function consumePage(
  { cursors, changes }: ConsumeNeeds,
  { name, handle, begin = 'oldest', pageSize = usualPage }: Consumer,
): Promise<boolean> {
  const position = await cursors.load(name, begin);
  const range = await changes.loadChangeRange();
  if (range === null || range.last === position) return false;
  const page = await loadPage(changes, position, range, pageSize);
  let current = position;
  await handle(page, async (upTo, save) => {
    const hasMoved = await cursors.move(name, current, upTo, save);
    if (hasMoved) current = upTo;
    return hasMoved;
  });
  return current === page.upTo && current < range.last;
}

export type Consume = (consumer: Consumer) => Promise<boolean>;

/** A follower with a lease of its own: rounds of it run in every process, and one of them works. */
export function createConsumer(needs: ConsumeNeeds & Consumer & { readonly lease: Lease }) {
  const { cursors, changes, lease, name, begin = 'oldest' } = needs;
  async function hasNews(): Promise<boolean> {
    const range = await changes.loadChangeRange();
    return range !== null && range.last !== (await cursors.load(name, begin));
  }
  return {
    round: async (signal: AbortSignal): Promise<void> => {
      // Without news a round costs two reads.
      while (!signal.aborted && (await hasNews()) && (await lease.hold()))
        if (!(await consumePage(needs, needs))) return;
    },
    /** After its last round. Another process need not wait until the lease is over; if this fails, it does. */
    close: (): Promise<void> => lease.release().catch(() => undefined),
  };
}

/** A reset is always at the beginning, so that what comes before it is not mixed with what comes after it. */
async function loadPage(
  changes: ConsumeNeeds['changes'],
  position: number,
  { first, last }: { readonly first: number; readonly last: number },
  pageSize: number,
): Promise<ChangePage> {
  // Numbers that this database has not given: it was restored without them.
  if (position > last) return { reset: last, changes: [], upTo: last };
  const found = await changes.loadChangesAfter(position, pageSize);
  const isReset = found[0]?.kind === 'reset';
  const reset = isReset ? (found[0]?.seq ?? null) : position < first - 1 ? first - 1 : null;
  const rest = isReset ? found.slice(1) : found;
  const end = rest.findIndex(({ kind }) => kind === 'reset');
  const page = end === -1 ? rest : rest.slice(0, end);
  return {
    reset,
    changes: page.filter((change) => change.kind === 'task'),
    upTo: page.at(-1)?.seq ?? reset ?? position,
  };
}

export type CursorStore = ReturnType<typeof createCursorStore>;

export function createCursorStore(database: Database) {
  return {
    /** The position of a follower, which begins here if it has none. */
    async load(name: string, begin: 'oldest' | 'newest'): Promise<number> {
      const known = await findRow<{ position: number }>(database.query, 'cursors', { name }, 'position');
      return known?.position ?? beginCursor(database.write, name, begin);
    },

    /** As `Move` says. */
    move: (
      name: string,
      from: number,
      to: number,
      save?: (tx: Transaction) => Promise<void>,
    ): Promise<boolean> =>
      database.transaction(async (tx) => {
        if ((await updateRows(tx.query, 'cursors', { position: to }, { name, position: from })) === 0)
          return false;
        await save?.(tx);
        return true;
      }),
  };
}

/** Resolves to where the follower stands. */
export async function beginCursor(write: Query, name: string, begin: 'oldest' | 'newest'): Promise<number> {
  const first = begin === 'newest' ? sql`COALESCE((SELECT MAX(seq) FROM changes), 0)` : sql`0`;
  const position = await queryValue<number>(
    write,
    sql`INSERT INTO cursors (name, position) SELECT CAST(${name} AS TEXT), ${first} WHERE TRUE
      ON CONFLICT (name) DO UPDATE SET position = cursors.position RETURNING position`,
  );
  return position ?? 0;
}

export async function endCursor(write: Query, name: string): Promise<void> {
  await removeRows(write, 'cursors', { name });
}
