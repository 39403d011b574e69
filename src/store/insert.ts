// Writes and finds many rows with few statements.
import type { Param, Row, Transaction } from './database.ts';

/** Statements are kept prepared by their text, so there must not be one for every number of rows. */
const chunks = [128, 32, 8, 1] as const;

/** `suffix` is an ON CONFLICT clause, if the rows may be there already. */
export async function insertRows(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Param[])[],
  suffix = '',
): Promise<void> {
  let start = 0;
  for (const chunk of chunks) {
    for (; rows.length - start >= chunk; start += chunk) {
      const part = rows.slice(start, start + chunk);
      const values = part.map((_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`)})`);
      await tx.query(`INSERT INTO ${table} (${columns}) VALUES ${values} ${suffix}`, part.flat());
    }
  }
}

/** The suffix that lets the newer row win. */
export function replaceBy(key: readonly string[], columns: readonly string[]): string {
  const updates = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${updates}`;
}

/** All rows whose key is one of these numbers. `sql` has `{numbers}` in the place of the list, after `params`. */
export async function queryByNumbers<T extends Row>(
  tx: Pick<Transaction, 'query'>,
  sql: string,
  params: readonly Param[],
  numbers: readonly bigint[],
): Promise<T[]> {
  const rows: T[] = [];
  let start = 0;
  for (const chunk of chunks) {
    const list = Array.from({ length: chunk }, (_, at) => `$${params.length + at + 1}`);
    const text = sql.replace('{numbers}', `(${list})`);
    for (; numbers.length - start >= chunk; start += chunk) {
      const part = numbers.slice(start, start + chunk).map(Number);
      rows.push(...(await tx.query<T>(text, [...params, ...part])));
    }
  }
  return rows;
}
