// Reads what changed, for clients that follow along, and a task's own events.
import type { Address } from '#domain/address.ts';
import type { ChainEvent } from '#domain/event.ts';
import type { Market } from '#domain/market.ts';
import type { Scope, TaskState } from '#domain/state.ts';
import type { Database } from './database.ts';
import { type EventRow, parseEventRow } from './eventRow.ts';

export type Change = {
  readonly seq: number;
  readonly market: Market;
  readonly number: bigint;
  readonly blockNumber: bigint;
  readonly state: TaskState;
  readonly poster: Address;
  readonly worker: Address | null;
  readonly scope: Scope;
};

type ChangeRow = {
  seq: number;
  market: Market;
  task_number: number;
  block_number: number;
  state: TaskState;
  poster: Address;
  worker: Address | null;
  scope: Scope;
};

export function createChangeStore(database: Database) {
  return {
    /** Oldest first. */
    async loadChangesAfter(seq: number, limit: number): Promise<Change[]> {
      const rows = await database.query<ChangeRow>(
        'SELECT * FROM changes WHERE seq > $1 ORDER BY seq LIMIT $2',
        [seq, limit],
      );
      return rows.map(({ task_number, block_number, ...row }) => ({
        ...row,
        number: BigInt(task_number),
        blockNumber: BigInt(block_number),
      }));
    },

    /** The first and the last change that are still kept; null when there are none. */
    async loadChangeRange(): Promise<{ first: number; last: number } | null> {
      const [row] = await database.query<{ first: number | null; last: number | null }>(
        'SELECT MIN(seq) AS first, MAX(seq) AS last FROM changes',
      );
      if (row === undefined || row.first === null || row.last === null) return null;
      return { first: row.first, last: row.last };
    },

    /** Oldest first. */
    async loadTaskEvents(market: Market, number: bigint): Promise<ChainEvent[]> {
      const rows = await database.query<EventRow>(
        'SELECT * FROM events WHERE market = $1 AND task_number = $2 ORDER BY block_number, log_index',
        [market, Number(number)],
      );
      return rows.map(parseEventRow);
    },
  };
}
