// Writes many rows with few statements.
import type { Param, Queryable } from './database.ts';

/** PostgreSQL takes 65,535 parameters a statement, SQLite half of that. */
const maxParams = 16_000;

/** `suffix` is an ON CONFLICT clause, if the rows may be there already. */
export async function insertRows(
  tx: Queryable,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Param[])[],
  suffix = '',
): Promise<void> {
  const chunk = Math.min(256, Math.floor(maxParams / columns.length));
  for (let start = 0; start < rows.length; start += chunk) {
    const part = rows.slice(start, start + chunk);
    const values = part.map((_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`)})`);
    await tx.query(`INSERT INTO ${table} (${columns}) VALUES ${values} ${suffix}`, part.flat());
  }
}

/** The suffix that lets the newer row win. */
export function replaceBy(key: readonly string[], columns: readonly string[]): string {
  const updates = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${updates}`;
}
