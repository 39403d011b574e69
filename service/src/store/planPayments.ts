// Payments for plans: those that the indexer has read, and those that were used, once and for ever.

import { SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { PostingCounts, Purchase } from '@svc/sdk/internal/domain/posting';
import type { Hex } from 'viem';
import { type ChainRow, type Generation, shownOf } from './chainRow.ts';
import type { Database } from './database.ts';
import { buildPurchaseRow, type PurchaseRow, parsePurchaseRow } from './eventRows.ts';
import { type AskedWallet, countPosts, type Moment } from './pendingPosts.ts';
import { insertRows, takeTurn } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

const columns = raw(
  'tx_hash, log_index, market, payer, tier, pay_with, daily_limit, period_days, block_number, block_time',
);

/** What is paid, and which blocks the rows speak of: both as of one moment. */
export type Paid = {
  readonly purchases: readonly Purchase[];
  readonly generation: Generation;
  readonly head: bigint;
  readonly startBlock: bigint;
  /** Payments below this block are known only where they were used; startBlock when all are. */
  readonly historyFloor: bigint;
};

/** With what is counted of the wallet's day at the same moment. */
export type PaidAndCounted = Paid & { readonly counts: PostingCounts };

type PlaceRow = Pick<ChainRow, 'headNumber' | 'startBlock' | 'historyFloor'> & { readonly shown: Generation };
type PaidRow = PurchaseRow | { readonly txHash: null };

export type PlanPaymentStore = ReturnType<typeof createPlanPaymentStore>;

export function createPlanPaymentStore(database: Database, identity: string) {
  /**
   * A used payment stands by its own proof where our rows cannot know of it: above the head, or below the known events.
   * Where they show its transaction, wherever a fork has put it, they have the last word.
   */
  const isBeyondRows = sql`EXISTS (SELECT 1 FROM chain WHERE identity = ${identity} AND shown IS NOT NULL
      AND (used_payments.block_number > head_number OR used_payments.block_number < history_floor))
    AND NOT EXISTS (SELECT 1 FROM purchases WHERE generation = ${shownOf(identity)}
      AND market = used_payments.market AND payer = used_payments.payer AND tx_hash = used_payments.tx_hash)`;

  /** The payments that meet a condition, beside where the rows stand. */
  const selectPaid = (condition: Sql, more = raw(''), join = raw('')) =>
    sql`SELECT shown, head_number, start_block, history_floor, ${more} paid.* FROM chain ${join} LEFT JOIN (
       SELECT ${columns} FROM purchases WHERE generation = ${shownOf(identity)} AND ${condition}
       UNION SELECT ${columns} FROM used_payments WHERE identity = ${identity} AND ${condition} AND ${isBeyondRows}
     ) AS paid ON TRUE WHERE identity = ${identity} AND shown IS NOT NULL`;

  /** One statement: the head must not move between reading the rows and reading payments beyond them. */
  async function loadRows<T>(statement: Sql): Promise<Paid & { readonly first: T }> {
    const rows = await database.query<T & PlaceRow & PaidRow>(statement, [], { isHot: true });
    const [first] = rows;
    if (first === undefined) throw new SvcError('NOT_READY', {});
    return {
      first,
      purchases: rows.flatMap(pickPurchase),
      generation: first.shown,
      head: BigInt(first.headNumber),
      startBlock: BigInt(first.startBlock),
      historyFloor: BigInt(first.historyFloor),
    };
  }

  return {
    /** What a quota is made of: asked before each post, so it is one statement. */
    async loadPaid(wallet: AskedWallet, moment: Moment): Promise<PaidAndCounted> {
      const statement = selectPaid(
        sql`market = ${wallet.market} AND payer = ${addressKey(wallet.address)}`,
        raw('confirmed, pending, arriving, next_drop_at,'),
        sql`CROSS JOIN (${countPosts(identity, wallet, moment)}) AS counts`,
      );
      const { first, ...paid } = await loadRows<PostingCounts>(statement);
      const { confirmed, pending, arriving, nextDropAt } = first;
      return { ...paid, counts: { confirmed, pending, arriving, nextDropAt } };
    },

    /** All payments of this many newest blocks. */
    loadNewestPaid: (blocks: number): Promise<Paid> =>
      loadRows(
        selectPaid(
          sql`block_number > (SELECT head_number FROM chain WHERE identity = ${identity}) - ${blocks}`,
        ),
      ),

    async loadUsed(txHash: Hex): Promise<Purchase[]> {
      const rows = await database.query<PurchaseRow>(
        sql`SELECT ${columns} FROM used_payments WHERE identity = ${identity}
          AND tx_hash = ${txHash.toLowerCase()}`,
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
          sql`DELETE FROM used_payments WHERE identity = ${identity} AND tx_hash = ${txHash}
            RETURNING ${columns}`,
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

/** Of a row that also says other things. */
function pickPurchase(row: PaidRow): Purchase[] {
  if (row.txHash === null) return [];
  const { txHash, logIndex, market, payer, tier, payWith, dailyLimit, periodDays, blockNumber, blockTime } =
    row;
  const given = { txHash, logIndex, market, payer, tier, payWith, dailyLimit, periodDays };
  return [parsePurchaseRow({ ...given, blockNumber, blockTime })];
}

function subjectOf({ market, payer, tier, payWith }: Purchase): string {
  return [market, addressKey(payer), tier, payWith].join(' ');
}
