// Searches that wallets have saved, and how far the lists of tasks and listings have been looked at for them.
import type { Market } from '@svc/sdk/domain';
import { ofMarket } from './chainRow.ts';
import type { Database } from './database.ts';
import { type NewNotice, saveNotices } from './noticeRows.ts';
import {
  insertRows,
  queryColumn,
  queryValue,
  removeRows,
  returnsRow,
  selectRows,
  takeTurn,
  updateRows,
} from './rows.ts';
import { sql } from './sql.ts';

export type SavedSearch = {
  readonly id: string;
  readonly wallet: string;
  readonly market: Market;
  readonly query: string;
  /** The number of the newest task that was looked at; of listings, until when. */
  readonly seen: number;
  readonly createdAt: number;
};

export type SearchStore = ReturnType<typeof createSearchStore>;

export function createSearchStore(database: Database) {
  const list = (wallet: string): Promise<SavedSearch[]> =>
    database.query<SavedSearch>(sql`SELECT id, wallet, market, query, seen, created_at FROM saved_searches
      WHERE wallet = ${wallet}
       ORDER BY created_at, id`);
  return {
    list,

    /** The same search again is the one that is there. Null where the wallet has as many as it may. */
    add: (
      made: Omit<SavedSearch, 'seen'>,
      { most, nextLook, seen }: { most: number; nextLook: number; seen: number },
    ): Promise<SavedSearch | null> =>
      database.transaction(async (tx) => {
        await takeTurn(tx, `searches ${made.wallet}`);
        const ofWallet = { wallet: made.wallet };
        type Row = SavedSearch & { readonly nextLook: number };
        const own = await selectRows<Row>(tx.query, 'saved_searches', ofWallet);
        const same = own.find(({ query }) => query === made.query);
        if (same !== undefined) return same;
        if (own.length >= most) return null;
        // A new search brings no second summary on the same day.
        const look = Math.max(nextLook, ...own.map((one) => one.nextLook));
        await insertRows(tx, 'saved_searches', [{ ...made, seen, nextLook: look }]);
        return { ...made, seen };
      }),

    async remove(wallet: string, id: string): Promise<void> {
      await removeRows(database.write, 'saved_searches', { wallet, id });
    },

    /** Wallets with a confirmed channel whose searches are to be looked at. */
    listDue: (now: number, limit: number): Promise<string[]> =>
      queryColumn(
        database.query,
        sql`SELECT DISTINCT wallet FROM saved_searches
          WHERE next_look <= ${now} AND EXISTS (
            SELECT 1 FROM notice_channels WHERE notice_channels.wallet = saved_searches.wallet AND state = 'confirmed') LIMIT ${limit}`,
      ),

    /** The number of the newest public task of a market. */
    async loadNewest(market: Market): Promise<number> {
      const newest = sql`SELECT MAX(number) AS newest FROM tasks
        WHERE ${ofMarket(market)} AND scope = 'open'`;
      return (await queryValue<number | null>(database.query, newest)) ?? 0;
    },

    /** Notices and positions move together; false where another process has looked meanwhile. */
    look: (
      wallet: string,
      looked: {
        searches: readonly Pick<SavedSearch, 'id' | 'seen'>[];
        nextLook: number;
        notices: readonly NewNotice[];
        now: number;
      },
    ): Promise<boolean> =>
      database.transaction(async (tx) => {
        const { searches, nextLook, notices, now } = looked;
        const move = sql`UPDATE saved_searches SET next_look = ${nextLook}
          WHERE wallet = ${wallet} AND next_look <= ${now} RETURNING id`;
        if (!(await returnsRow(tx.query, move))) return false;
        for (const { id, seen } of searches) await updateRows(tx.query, 'saved_searches', { seen }, { id });
        await saveNotices(tx, notices, now);
        return true;
      }),
  };
}
