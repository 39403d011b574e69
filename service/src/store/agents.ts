// Reads about agents that need events: what each was paid, how their disputes ended, and what arbitrators have bonded.

import type { Address, Market } from '@svc/sdk/domain';
import type { DisputeFacts, DisputeOutcome } from '@svc/sdk/internal/domain/disputeFacts';
import { noDisputeFacts, readDisputeEvent } from '@svc/sdk/internal/domain/disputeFacts';
import { type ChainEvent, inChainOrder } from '@svc/sdk/internal/domain/event';
import { isWhole } from './chainRow.ts';
import type { Database } from './database.ts';
import { type EventRow, parseEventRow, queryEvents } from './eventRows.ts';
import { readSum, type SumRow, sumColumns } from './moves.ts';
import { sql } from './sql.ts';

/** A task that ended by a dispute or a settlement; its parties by their keys. */
export type EndedDispute = {
  readonly poster: string;
  readonly worker: string;
  readonly outcome: DisputeOutcome;
};

/** Each is read by itself: all of them together would be looked for among all events. */
const endings = [
  ['disputeCourt', 'DisputeResolved'],
  ['disputeCourt', 'DisputeTimedOut'],
  ['disputeCourt', 'MutuallySettled'],
  ['taskRegistry', 'DisputeSettled'],
] as const;

type EndingRow = EventRow & { poster: string; worker: string };

export function createAgentStore(database: Database) {
  return {
    /** Everything that has changed how much arbitrators have bonded, in order. Few: only people who come and go. */
    async loadBondMoves(market: Market): Promise<ChainEvent[]> {
      const found: ChainEvent[] = [];
      // Each name is a part of an index, and all of them together would be looked for among all events.
      for (const name of ['ArbitratorRegistered', 'ArbitratorSlashed', 'ArbitratorWithdrawn']) {
        const isOf = sql`market = ${market} AND contract = 'disputeCourt' AND name = ${name}`;
        found.push(...(await queryEvents(database, isOf)));
      }
      return found.sort(inChainOrder);
    },

    /** What escrow has paid to each wallet, by its key. */
    async loadEarnings(market: Market): Promise<Map<Address, bigint>> {
      const rows = await database.query<
        SumRow & { account: Address }
      >(sql`SELECT account, ${sumColumns} FROM moves
         WHERE ${isWhole} AND market = ${market} AND kind = 'earned' GROUP BY account`);
      return new Map(rows.map(({ account, ...sum }) => [account, readSum(sum)]));
    },

    /** How each RESOLVED task ended. Such a task is never listed again, so its row still names both parties. */
    async loadEndedDisputes(market: Market): Promise<EndedDispute[]> {
      const rows: EndingRow[] = [];
      for (const [contract, name] of endings)
        rows.push(
          ...(await database.query<EndingRow>(sql`SELECT events.*, tasks.poster, tasks.worker FROM events
         JOIN tasks ON tasks.market = events.market
           AND tasks.number = events.task_number
         WHERE ${isWhole} AND events.market = ${market} AND tasks.state = 'RESOLVED'
           AND events.contract = ${contract} AND events.name = ${name}`)),
        );
      rows.sort((left, right) => left.blockNumber - right.blockNumber || left.logIndex - right.logIndex);
      const found = new Map<number | null, { row: EndingRow; facts: DisputeFacts }>();
      for (const row of rows) {
        const { facts } = found.get(row.taskNumber) ?? { facts: noDisputeFacts };
        found.set(row.taskNumber, { row, facts: readDisputeEvent(facts, parseEventRow(row)) });
      }
      return [...found.values()].flatMap(({ row: { poster, worker }, facts: { outcome } }) =>
        outcome === null ? [] : { poster, worker, outcome },
      );
    },
  };
}
