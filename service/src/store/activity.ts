// Reads what the health of a market is computed from: its events, in parts of a limited size.
import type { Market } from '@svc/sdk/domain';
import { loadShown } from './chainRow.ts';
import { type Database, jsonText } from './database.ts';
import { hasRow } from './rows.ts';
import { raw, sql } from './sql.ts';

/** An event that counts, with the argument that is needed from it. */
export type ActivityEvent = {
  readonly market: Market;
  readonly name: string;
  readonly time: number;
  /** The amount of an event of the escrow, the new state of a `TaskState`. */
  readonly value: string | null;
  /** Of a `MilestoneAccepted`: when its delivery came. */
  readonly deliveredAt: number | null;
};

/** The place of an event in the chain. The hash of its block stands for all blocks before it. */
export type ActivityPlace = { readonly block: number; readonly log: number; readonly hash: string };

export type ActivityPart = {
  readonly events: readonly ActivityEvent[];
  /** Where the part ends; null where nothing is left. */
  readonly end: ActivityPlace | null;
};

type ActivityHead = { readonly block: number };

export function createActivityStore(database: Database) {
  const argument = (name: string) => jsonText(database.dialect, 'e.args', name);

  return {
    /** The newest block that is shown. */
    async loadHead(): Promise<ActivityHead | null> {
      const shown = await loadShown(database);
      return shown && { block: Number(shown.head.number) };
    },

    /** Whether this event is still there in the same block, and so everything before it. */
    hasPlace: ({ block, log, hash }: ActivityPlace): Promise<boolean> =>
      hasRow(database.query, 'events', { blockNumber: block, logIndex: log, blockHash: hash }),

    /** The next events of both markets after a place, up to a block. Looks at no more rows than `limit`. */
    async loadPart(after: ActivityPlace, lastBlock: number, limit: number): Promise<ActivityPart> {
      const rows = await database.query<
        ActivityEvent & ActivityPlace
      >(sql`SELECT e.block_number AS block, e.log_index AS log,
          e.block_hash AS hash, e.block_time AS time, e.market, e.name,
           CASE WHEN e.name IN ('Funded', 'Released', 'Refunded', 'FeePaid') THEN ${raw(argument('amount'))}
             WHEN e.name = 'TaskState' THEN ${raw(argument('state'))} END AS value,
           CASE e.name WHEN 'MilestoneAccepted' THEN (
             SELECT d.block_time FROM events d
             WHERE d.market = e.market AND d.task_number = e.task_number
               AND d.block_number <= e.block_number AND d.name = 'ProofSubmitted'
             ORDER BY d.block_number DESC, d.log_index DESC LIMIT 1) END AS delivered_at
         FROM events e
         WHERE (e.block_number, e.log_index) > (${after.block}, ${after.log})
         AND e.block_number <= ${lastBlock}
         ORDER BY e.block_number, e.log_index LIMIT ${limit}`);
      const last = rows.at(-1);
      return { events: rows, end: last ? { block: last.block, log: last.log, hash: last.hash } : null };
    },
  };
}

export type ActivityStore = ReturnType<typeof createActivityStore>;
