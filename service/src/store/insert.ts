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
  if (tx.dialect === 'sqlite') return insertOneByOne(tx, table, columns, rows, suffix);
  let start = 0;
  for (const chunk of chunks) {
    for (; rows.length - start >= chunk; start += chunk) {
      const part = rows.slice(start, start + chunk);
      const values = part.map((_, row) => listParameters(columns, row * columns.length));
      await tx.query(`INSERT INTO ${table} (${columns}) VALUES ${values} ${suffix}`, part.flat());
    }
  }
}

/**
 * A statement costs SQLite no round trip, and its time to bind parameters grows with the square of their number: a row at a
 * time takes a quarter of the time. It works in this thread, so other requests are answered in between.
 */
async function insertOneByOne(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Param[])[],
  suffix: string,
): Promise<void> {
  const sql = `INSERT INTO ${table} (${columns}) VALUES ${listParameters(columns, 0)} ${suffix}`;
  for (const [at, row] of rows.entries()) {
    await tx.query(sql, row);
    if (at % chunks[0] === chunks[0] - 1) await setImmediate();
  }
}

function listParameters(columns: readonly string[], before: number): string {
  return `(${columns.map((_, at) => `$${before + at + 1}`)})`;
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
