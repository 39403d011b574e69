// Writes and finds many rows with few statements.
import { setImmediate } from 'node:timers/promises';
import type { Param, Row, Transaction } from './database.ts';

/** Statements are kept prepared by their text, so there must not be one for every number of rows. */
const chunks = [128, 64, 32, 16, 8, 4, 2, 1] as const;

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
      // SQLite works in this thread: other requests are answered between two chunks.
      if (start + chunk < rows.length) await setImmediate();
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
  numbers: readonly number[],
): Promise<T[]> {
  const rows: T[] = [];
  let start = 0;
  for (const chunk of chunks) {
    for (; numbers.length - start >= chunk; start += chunk) {
      const part = numbers.slice(start, start + chunk);
      rows.push(...(await tx.query<T>(writeOut(sql, params.length, chunk), [...params, ...part])));
    }
  }
  return rows;
}

const texts = new Map<string, Map<number, string>>();

/** Each text is built once: building it and looking up its prepared statement costs as much as a small read. */
function writeOut(sql: string, params: number, chunk: number): string {
  const known = texts.get(sql) ?? new Map<number, string>();
  const text = known.get(chunk);
  if (text !== undefined) return text;
  const list = Array.from({ length: chunk }, (_, at) => `$${params + at + 1}`);
  const fresh = sql.replace('{numbers}', `(${list})`);
  texts.set(sql, known.set(chunk, fresh));
  return fresh;
}
