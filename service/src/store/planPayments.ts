// Payments for plans: those that the indexer has read, and those that were used, once and for ever.

import { SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { PostingCounts, Purchase } from '@svc/sdk/internal/domain/posting';
import type { Hex } from 'viem';
import { type ChainRow, isWhole } from './chainRow.ts';
import type { Database } from './database.ts';
import { buildPurchaseRow, type PurchaseRow, parsePurchaseRow } from './eventRows.ts';
import { gather } from './gather.ts';
import { type AskedWallet, countPosts, type Moment, nameAsked } from './pendingPosts.ts';
import { insertRows, takeTurn } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

const columns = raw(
  'tx_hash, log_index, market, payer, tier, pay_with, daily_limit, period_days, block_number, block_time',
);

/** Of one statement: a long one would hold up those who come after it. */
const maxTogether = 64;

/** What is paid, and which blocks the rows speak of: both as of one moment. */
export type Paid = {
  readonly purchases: readonly Purchase[];
  readonly head: bigint;
};

/** With what is counted of the wallet's day at the same moment. */
export type PaidAndCounted = Paid & { readonly counts: PostingCounts };

type PlaceRow = Pick<ChainRow, 'headNumber'>;
type PaidRow = PurchaseRow | { readonly txHash: null };
type Asked = ReturnType<typeof nameAsked>;

export type PlanPaymentStore = ReturnType<typeof createPlanPaymentStore>;

export function createPlanPaymentStore(database: Database) {
  /**
   * A used payment stands by its own proof where our rows cannot know of it: above the head. Where they show its transaction, wherever a fork has
   * put it, they have the last word.
   */
  const isBeyondRows = sql`EXISTS (SELECT 1 FROM chain WHERE is_whole = 1 AND used_payments.block_number > head_number)
    AND NOT EXISTS (SELECT 1 FROM purchases WHERE ${isWhole}
      AND market = used_payments.market AND payer = used_payments.payer AND tx_hash = used_payments.tx_hash)`;

  // PostgreSQL answers for many wallets in one statement; SQLite, which has no round trip, for one.
  const isTogether = database.dialect === 'postgres';
  const lateral = raw(isTogether ? 'LATERAL' : '');

  /** The payments that meet a condition, beside where the rows stand. */
  const selectPaid = (condition: Sql, more = raw(''), join = raw('')) =>
    sql`SELECT head_number, ${more} paid.* FROM chain ${join} LEFT JOIN ${lateral} (
       SELECT ${columns} FROM purchases WHERE ${isWhole} AND ${condition}
       UNION ALL SELECT ${columns} FROM used_payments WHERE ${condition} AND ${isBeyondRows}
     ) AS paid ON TRUE WHERE is_whole = 1`;

  /** One statement: the head must not move between reading the rows and reading payments beyond them. */
  async function loadRows<T>(statement: Sql) {
    const rows = await database.query<T & PlaceRow & PaidRow>(statement, [], { isHot: true });
    if (rows.length === 0) throw new SvcError('NOT_READY', {});
    return rows;
  }

  async function loadCounted(wallets: readonly Asked[]): Promise<PaidAndCounted[]> {
    const numbered = wallets.map((wallet, at) => ({ ...wallet, at }));
    const asked = isTogether ? askedColumns : (numbered[0] as (typeof numbered)[number]);
    const table = isTogether
      ? sql`CROSS JOIN json_to_recordset(${JSON.stringify(numbered)}) AS asked
          (at INT, market TEXT, poster TEXT, caller TEXT, now BIGINT, since BIGINT, until BIGINT)`
      : raw('');
    const statement = selectPaid(
      sql`market = ${asked.market} AND payer = ${asked.poster}`,
      sql`${asked.at} AS at, confirmed, pending, arriving, next_drop_at,`,
      sql`${table} CROSS JOIN ${lateral} (${countPosts(asked)}) AS counts`,
    );
    const answers: (PostingCounts & PlaceRow & PaidRow)[][] = wallets.map(() => []);
    for (const row of await loadRows<PostingCounts & { readonly at: number }>(statement))
      answers[row.at]?.push(row);
    return answers.map((rows) => {
      const { confirmed, pending, arriving, nextDropAt } = rows[0] as PostingCounts;
      return { ...buildPaid(rows), counts: { confirmed, pending, arriving, nextDropAt } };
    });
  }

  const load = isTogether
    ? gather(loadCounted, maxTogether)
    : async (wallet: Asked) => (await loadCounted([wallet]))[0] as PaidAndCounted;

  return {
    /** What a quota is made of: asked before each post. */
    loadPaid: (wallet: AskedWallet, moment: Moment): Promise<PaidAndCounted> =>
      load(nameAsked(wallet, moment)),

    /** All payments of this many newest blocks. */
    async loadNewestPaid(blocks: number): Promise<Paid> {
      const isNew = sql`block_number > (SELECT head_number FROM chain) - ${blocks}`;
      return buildPaid(await loadRows(selectPaid(isNew)));
    },

    async loadUsed(txHash: Hex): Promise<Purchase[]> {
      const rows = await database.query<PurchaseRow>(
        sql`SELECT ${columns} FROM used_payments WHERE tx_hash = ${txHash.toLowerCase()}`,
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
        await takeTurn(tx, `purchase ${txHash}`);
        const rows = await tx.query<PurchaseRow>(
          sql`DELETE FROM used_payments WHERE tx_hash = ${txHash}
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
        const values = used.map((purchase) => ({ ...buildPurchaseRow(purchase) }));
        await insertRows(tx, 'used_payments', values);
        return isNew;
      });
    },
  };
}

/** Columns in place of values. */
const askedColumns = {
  at: raw('asked.at'),
  market: raw('asked.market'),
  poster: raw('asked.poster'),
  caller: raw('asked.caller'),
  now: raw('asked.now'),
  since: raw('asked.since'),
  until: raw('asked.until'),
};

function buildPaid(rows: readonly (PlaceRow & PaidRow)[]): Paid {
  const { headNumber } = rows[0] as PlaceRow;
  return { purchases: rows.flatMap(pickPurchase), head: BigInt(headNumber) };
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
