// Payments for plans: those that the follower has read, and those that were used, once and for ever.
import { type Address, addressKey } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Market } from '#domain/market.ts';
import type { Purchase } from '#domain/posting.ts';
import type { Hash } from '#domain/task.ts';
import type { Database, Param } from './database.ts';
import { shownGeneration } from './generation.ts';
import { buildPurchaseRow, type PurchaseRow, parsePurchaseRow, purchaseColumns } from './purchaseRow.ts';

const columns = purchaseColumns.join(', ');

/**
 * A used payment stands by its own proof where our rows cannot know of it: above the head, or below the known events.
 * Where they show its transaction, wherever a fork has put it, they have the last word.
 */
const isBeyondRows = `EXISTS (SELECT 1 FROM chain WHERE identity = $1 AND shown IS NOT NULL
    AND (used_payments.block_number > head_number OR used_payments.block_number < history_floor))
  AND NOT EXISTS (SELECT 1 FROM purchases WHERE generation = ${shownGeneration(1)}
    AND market = used_payments.market AND payer = used_payments.payer AND tx_hash = used_payments.tx_hash)`;

/** A fork may put a payment into another block. It is the same payment, used already, and counts from there. */
const useSql = `INSERT INTO used_payments (identity, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (identity, tx_hash, log_index)
  DO UPDATE SET block_number = excluded.block_number, block_time = excluded.block_time
  WHERE used_payments.block_number <> excluded.block_number
  RETURNING tx_hash`;

/** What is paid, and which blocks the rows speak of: both as of one moment. */
export type Paid = {
  readonly purchases: readonly Purchase[];
  readonly head: bigint;
  readonly startBlock: bigint;
  /** Payments below this block are known only where they were used; startBlock when all are. */
  readonly historyFloor: bigint;
};

type PaidRow = { head_number: number; start_block: number; history_floor: number } & (
  | PurchaseRow
  | { tx_hash: null }
);

export function createPlanPaymentStore(database: Database, identity: string) {
  /** One statement: the head must not move between what the rows tell and what stands beyond them. */
  async function loadPaid(condition: string, params: readonly Param[]): Promise<Paid> {
    const rows = await database.query<PaidRow>(
      `SELECT head_number, start_block, history_floor, paid.* FROM chain LEFT JOIN (
         SELECT ${columns} FROM purchases WHERE generation = ${shownGeneration(1)} AND ${condition}
         UNION SELECT ${columns} FROM used_payments WHERE identity = $1 AND ${condition} AND ${isBeyondRows}
       ) AS paid ON TRUE WHERE identity = $1 AND shown IS NOT NULL`,
      [identity, ...params],
    );
    const [first] = rows;
    if (first === undefined) throw new SvcError('NOT_READY', {});
    return {
      purchases: rows.filter((row) => row.tx_hash !== null).map(parsePurchaseRow),
      head: BigInt(first.head_number),
      startBlock: BigInt(first.start_block),
      historyFloor: BigInt(first.history_floor),
    };
  }

  return {
    loadPaid: (market: Market, payer: Address): Promise<Paid> =>
      loadPaid('market = $2 AND payer = $3', [market, addressKey(payer)]),

    /** All payments of this many newest blocks. */
    loadNewestPaid: (blocks: number): Promise<Paid> =>
      loadPaid('block_number > (SELECT head_number FROM chain WHERE identity = $1) - $2', [blocks]),

    async loadUsed(txHash: Hash): Promise<Purchase[]> {
      const rows = await database.query<PurchaseRow>(
        `SELECT ${columns} FROM used_payments WHERE identity = $1 AND tx_hash = $2`,
        [identity, txHash.toLowerCase()],
      );
      return rows.map(parsePurchaseRow);
    },

    /** Answers whether one of them is used by this call: of all who come at once, one hears true. */
    use(purchases: readonly Purchase[]): Promise<boolean> {
      return database.transaction(async (tx) => {
        let isUsed = false;
        for (const purchase of purchases) {
          const rows = await tx.query(useSql, [identity, ...buildPurchaseRow(purchase)]);
          isUsed ||= rows.length > 0;
        }
        return isUsed;
      });
    },
  };
}
