// Reads about agents that need events: which accounts have deposited, what each was paid, and how their disputes ended.

import type { Market } from '@svc/sdk/domain';
import { type Address, parseAddress } from '@svc/sdk/domain';
import type { DisputeFacts, DisputeOutcome } from '@svc/sdk/internal/domain/disputeFacts';
import { noDisputeFacts, readDisputeEvent } from '@svc/sdk/internal/domain/disputeFacts';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { shownOf } from './chainRow.ts';
import { type Database, jsonText } from './database.ts';
import { type EventRow, parseEventRow, queryEvents } from './eventRows.ts';
import { readSum, type SumRow, sumColumns } from './moves.ts';
import { queryColumn } from './rows.ts';
import { raw, sql } from './sql.ts';

/** A task that ended by a dispute or a settlement; its parties by their keys. */
export type EndedDispute = {
  readonly poster: string;
  readonly worker: string;
  readonly outcome: DisputeOutcome;
};

type EndingRow = EventRow & { poster: string; worker: string };

export function createAgentStore(database: Database, identity: string) {
  const agentOf = jsonText(database.dialect, 'args', 'agent');

  return {
    /** All accounts that have ever had a deposit. */
    async loadDepositors(market: Market): Promise<Address[]> {
      const agents = await queryColumn<string>(
        database.query,
        sql`SELECT DISTINCT ${raw(agentOf)} AS agent FROM events
          WHERE generation = ${shownOf(identity)} AND market = ${market} AND contract = 'depositVault'
            AND name = 'Deposited'`,
      );
      return agents.map(parseAddress);
    },

    /** Everything that has changed how much collateral a market holds, in order. Few: only people who come and go. */
    loadCollateralMoves: (market: Market): Promise<ChainEvent[]> =>
      queryEvents(
        database,
        identity,
        sql`market = ${market} AND (
          contract = 'depositVault' AND name IN ('Deposited', 'Withdrawn') OR contract = 'disputeCourt'
            AND name IN ('ArbitratorRegistered', 'ArbitratorSlashed', 'ArbitratorWithdrawn'))
        ORDER BY block_number, log_index`,
      ),

    /** What escrow has paid to each wallet, by its key. */
    async loadEarnings(market: Market): Promise<Map<Address, bigint>> {
      const rows = await database.query<
        SumRow & { account: Address }
      >(sql`SELECT account, ${sumColumns} FROM moves
         WHERE generation = ${shownOf(identity)} AND market = ${market} AND kind = 'earned' GROUP BY account`);
      return new Map(rows.map(({ account, ...sum }) => [account, readSum(sum)]));
    },

    /** How each RESOLVED task ended. Such a task is never listed again, so its row still names both parties. */
    async loadEndedDisputes(market: Market): Promise<EndedDispute[]> {
      const rows = await database.query<EndingRow>(sql`SELECT events.*, tasks.poster, tasks.worker FROM events
         JOIN tasks ON tasks.generation = events.generation AND tasks.market = events.market
           AND tasks.number = events.task_number
         WHERE events.generation = ${shownOf(identity)} AND events.market = ${market} AND tasks.state = 'RESOLVED'
           AND (events.contract = 'disputeCourt'
               AND events.name IN ('DisputeResolved', 'DisputeTimedOut', 'MutuallySettled')
             OR events.contract = 'taskRegistry' AND events.name = 'DisputeSettled')
         ORDER BY events.block_number, events.log_index`);
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
