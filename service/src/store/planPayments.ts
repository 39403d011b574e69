// Payments for plans: those that the indexer has read, and those that were used, once and for ever.

import type { Market } from '@svc/sdk/domain';
import { type Address, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Purchase } from '@svc/sdk/internal/domain/posting';
import type { Hex } from 'viem';
import { type ChainRow, type Generation, shownGeneration } from './chainRow.ts';
import type { Database, Param } from './database.ts';
import { buildPurchaseRow, type PurchaseRow, parsePurchaseRow } from './eventRows.ts';
import { insertRows, takeTurn } from './rows.ts';

const columns =
  'tx_hash, log_index, market, payer, tier, pay_with, daily_limit, period_days, block_number, block_time';

/**
 * A used payment stands by its own proof where our rows cannot know of it: above the head, or below the known events.
 * Where they show its transaction, wherever a fork has put it, they have the last word.
 */
const isBeyondRows = `EXISTS (SELECT 1 FROM chain WHERE identity = $1 AND shown IS NOT NULL
    AND (used_payments.block_number > head_number OR used_payments.block_number < history_floor))
  AND NOT EXISTS (SELECT 1 FROM purchases WHERE generation = ${shownGeneration(1)}
    AND market = used_payments.market AND payer = used_payments.payer AND tx_hash = used_payments.tx_hash)`;

/** What is paid, and which blocks the rows speak of: both as of one moment. */
export type Paid = {
  readonly purchases: readonly Purchase[];
  readonly generation: Generation;
  readonly head: bigint;
  readonly startBlock: bigint;
  /** Payments below this block are known only where they were used; startBlock when all are. */
  readonly historyFloor: bigint;
};

type PaidRow = Pick<ChainRow, 'headNumber' | 'startBlock' | 'historyFloor'> & { shown: Generation } & (
    | PurchaseRow
    | { txHash: null }
  );

export type PlanPaymentStore = ReturnType<typeof createPlanPaymentStore>;

export function createPlanPaymentStore(database: Database, identity: string) {
  /** One statement: the head must not move between reading the rows and reading payments beyond them. */
  async function loadPaid(condition: string, params: readonly Param[]): Promise<Paid> {
    const rows = await database.query<PaidRow>(
      `SELECT shown, head_number, start_block, history_floor, paid.* FROM chain LEFT JOIN (
         SELECT ${columns} FROM purchases WHERE generation = ${shownGeneration(1)} AND ${condition}
         UNION SELECT ${columns} FROM used_payments WHERE identity = $1 AND ${condition} AND ${isBeyondRows}
       ) AS paid ON TRUE WHERE identity = $1 AND shown IS NOT NULL`,
      [identity, ...params],
    );
    const [first] = rows;
    if (first === undefined) throw new SvcError('NOT_READY', {});
    return {
      purchases: rows.flatMap(({ shown, headNumber, startBlock, historyFloor, ...row }) =>
        row.txHash === null ? [] : parsePurchaseRow(row),
      ),
      generation: first.shown,
      head: BigInt(first.headNumber),
      startBlock: BigInt(first.startBlock),
      historyFloor: BigInt(first.historyFloor),
    };
  }

  return {
    loadPaid: (market: Market, payer: Address): Promise<Paid> =>
      loadPaid('market = $2 AND payer = $3', [market, addressKey(payer)]),

    /** All payments of this many newest blocks. */
    loadNewestPaid: (blocks: number): Promise<Paid> =>
      loadPaid('block_number > (SELECT head_number FROM chain WHERE identity = $1) - $2', [blocks]),

    async loadUsed(txHash: Hex): Promise<Purchase[]> {
      const rows = await database.query<PurchaseRow>(
        `SELECT ${columns} FROM used_payments WHERE identity = $1 AND tx_hash = $2`,
        [identity, txHash.toLowerCase()],
      );
      return rows.map(parsePurchaseRow);
    },

    /**
     * Returns whether this call uses one of `paid`; of concurrent calls, only one gets true. A fork may move a
     * transaction to another block and its payments to other logs. So payments used earlier are matched with `all`
     * current payments of the transaction, by subject and order. Payments that no longer exist do not count.
     */
    use(paid: readonly Purchase[], all: readonly Purchase[]): Promise<boolean> {
      const txHash = (all[0] as Purchase).txHash.toLowerCase();
      return database.transaction(async (tx) => {
        await takeTurn(tx, `${identity} ${txHash}`);
        const rows = await tx.query<PurchaseRow>(
          `DELETE FROM used_payments WHERE identity = $1 AND tx_hash = $2 RETURNING ${columns}`,
          [identity, txHash],
        );
        const before = Map.groupBy(rows.map(parsePurchaseRow), subjectOf);
        const now = new Set(paid.map(subjectOf));
        const used: Purchase[] = [];
        let isNew = false;
        for (const [subject, alike] of Map.groupBy(all, subjectOf)) {
          const known = before.get(subject)?.length ?? 0;
          isNew ||= now.has(subject) && known < alike.length;
          used.push(...(now.has(subject) ? alike : alike.slice(0, known)));
        }
        const values = used.map((purchase) => ({ identity, ...buildPurchaseRow(purchase) }));
        await insertRows(tx, 'used_payments', values);
        return isNew;
      });
    },
  };
}

function subjectOf({ market, payer, tier, payWith }: Purchase): string {
  return [market, addressKey(payer), tier, payWith].join(' ');
}
