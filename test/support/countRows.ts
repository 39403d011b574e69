// Counts the rows that reads and transactions of a database return: what an answer costs, without a clock.
import type { Database, Part } from '#service/store/database.ts';
import { toStatement } from '#service/store/sql.ts';

export function countRows(database: Database) {
  const counted = { rows: 0, mostRows: 0, statements: [] as string[] };
  const count =
    (query: Database['query']): Database['query'] =>
    async (...given) => {
      counted.statements.push(toStatement(given[0], given[1] ?? []).text);
      const rows = await query(...given);
      counted.rows += rows.length;
      counted.mostRows = Math.max(counted.mostRows, rows.length);
      // biome-ignore lint/suspicious/noExplicitAny: the rows are those of the caller.
      return rows as any;
    };
  const countPart = (part: Part) => {
    const { query, write, transaction } = part;
    Object.assign(part, {
      query: count(query),
      write: count(write),
      transaction: (work: Parameters<Part['transaction']>[0], options = {}) =>
        transaction((tx) => work({ ...tx, query: count(tx.query) }), options),
    });
  };
  countPart(database);
  countPart(database.chain);
  return counted;
}
