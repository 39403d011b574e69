// The price of TOK on each day, as the oracle had it.
import type { Database } from './database.ts';
import { insertRows } from './rows.ts';
import { sql } from './sql.ts';

export function createPriceStore(database: Database) {
  return {
    /** USD with eight decimals for one TOK, by the day since 1970. */
    async loadPrices(from: number): Promise<Map<number, bigint>> {
      const rows = await database.query<{ day: number; price: string }>(
        sql`SELECT day, price FROM prices WHERE day >= ${from}`,
      );
      return new Map(rows.map(({ day, price }) => [day, BigInt(price)]));
    },

    /** The first price of a day stays. */
    async savePrices(prices: ReadonlyMap<number, bigint>): Promise<void> {
      const rows = [...prices].map(([day, priceE8]) => ({ day, price: String(priceE8) }));
      await database.transaction((tx) => insertRows(tx, 'prices', rows, {}));
    },
  };
}

export type PriceStore = ReturnType<typeof createPriceStore>;
