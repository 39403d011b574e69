// Reads about agents that need events: which accounts have deposited, and what each was paid.

import type { ChainEvent, Market } from '@svc/sdk/domain';
import { type Address, parseAddress } from '@svc/sdk/domain';
import type { Database } from './database.ts';
import { type EventRow, parseEventRow } from './eventRow.ts';
import { shownGeneration } from './generation.ts';

export function createAgentStore(database: Database, identity: string) {
  const agentOf =
    database.dialect === 'postgres' ? `CAST(args AS json) ->> 'agent'` : `json_extract(args, '$.agent')`;

  return {
    /** All accounts that have ever had a deposit. */
    async loadDepositors(market: Market): Promise<Address[]> {
      const rows = await database.query<{ agent: string }>(
        `SELECT DISTINCT ${agentOf} AS agent FROM events
         WHERE generation = ${shownGeneration(1)} AND market = $2 AND contract = 'depositVault'
           AND name = 'Deposited'`,
        [identity, market],
      );
      return rows.map(({ agent }) => parseAddress(agent));
    },

    /** Everything that has changed how much collateral a market holds, in order. Few: only people who come and go. */
    async loadCollateralMoves(market: Market): Promise<ChainEvent[]> {
      const rows = await database.query<EventRow>(
        `SELECT * FROM events WHERE generation = ${shownGeneration(1)} AND market = $2
           AND (contract = 'depositVault' AND name IN ('Deposited', 'Withdrawn') OR contract = 'disputeCourt'
             AND name IN ('ArbitratorRegistered', 'ArbitratorSlashed', 'ArbitratorWithdrawn'))
         ORDER BY block_number, log_index`,
        [identity, market],
      );
      return rows.map(parseEventRow);
    },

    /** What escrow has paid to each wallet, by its key. */
    async loadEarnings(market: Market): Promise<Map<Address, bigint>> {
      const rows = await database.query<{ account: Address; amount: string }>(
        `SELECT account, amount FROM payouts WHERE generation = ${shownGeneration(1)} AND market = $2`,
        [identity, market],
      );
      const earned = new Map<Address, bigint>();
      for (const { account, amount } of rows) {
        earned.set(account, (earned.get(account) ?? 0n) + BigInt(amount));
      }
      return earned;
    },
  };
}
