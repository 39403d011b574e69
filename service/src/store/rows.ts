// Writes, finds, removes and locks rows.
import { setImmediate } from 'node:timers/promises';
import { type Market, markets, type TaskKey } from '@svc/sdk/domain';
import { type Database, type Part, type Query, type Row, type Transaction, toSnake } from './database.ts';
import { joinSql, type Param, raw, type Sql, sql } from './sql.ts';

/** Statements are kept prepared by their text, so the number of rows in one statement is one of these. */
const chunks = [128, 64, 32, 16, 8, 4, 2, 1] as const;

/** A row with its names in camelCase. The rows of one call all have the same names. */
export type NewRow = Readonly<Record<string, Param>>;

/**
 * The newer row wins over one with the same `key`; without a key the older row stays. `updated` are the columns that the
 * newer row changes, all others by default.
 */
export type OnConflict = {
  readonly key?: readonly string[];
  readonly updated?: readonly string[] | undefined;
};

export async function insertRows(
  tx: Transaction,
  table: string,
  rows: readonly NewRow[],
  onConflict?: OnConflict,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const names = Object.keys(first);
  const columns = names.map(toSnake);
  const into = `INSERT INTO ${table} (${columns}) VALUES`;
  const suffix = onConflict === undefined ? '' : formatConflict(columns, onConflict);
  const values = rows.map((row) => names.map((name) => row[name] as Param));
  if (tx.dialect === 'sqlite') {
    // A statement costs SQLite no round trip, and binding parameters takes time with the square of their number.
    const text = `${into} ${listParameters(columns.length, 0)} ${suffix}`;
    for (const [at, row] of values.entries()) {
      await tx.query(text, row);
      // SQLite works in this thread: other requests are answered in between.
      if (at % chunks[0] === chunks[0] - 1) await setImmediate();
    }
    return;
  }
  for (const part of split(values)) {
    const lists = part.map((_, at) => listParameters(columns.length, at * columns.length));
    await tx.query(`${into} ${lists} ${suffix}`, part.flat());
  }
}

function formatConflict(columns: readonly string[], { key, updated }: OnConflict): string {
  if (key === undefined) return 'ON CONFLICT DO NOTHING';
  const names = updated ?? columns.filter((name) => !key.includes(name));
  return `ON CONFLICT (${key}) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`)}`;
}

/** The first column of each row that a statement returns. */
export async function queryColumn<T>(query: Query, statement: Sql | string): Promise<T[]> {
  return (await query(statement)).map((row) => Object.values(row)[0] as T);
}

/** The first column of the first row; undefined where the statement returns none. */
export async function queryValue<T>(query: Query, statement: Sql | string): Promise<T | undefined> {
  return (await queryColumn<T>(query, statement))[0];
}

/** `rows` are a table and a condition. */
export async function countRows(query: Query, rows: Sql): Promise<number> {
  return (await queryValue<number>(query, sql`SELECT COUNT(*) AS count FROM ${rows}`)) ?? 0;
}

/** SQL for the sum of a column over the rows that meet a condition; 0 where none does. */
export function sumOf(column: string, condition: Sql = sql`TRUE`): Sql {
  return sql`CAST(COALESCE(SUM(CASE WHEN ${condition} THEN ${raw(column)} ELSE 0 END), 0) AS BIGINT)`;
}

/** Whether a statement returns a row: one that it finds, or one that it has written. */
export async function returnsRow(query: Query, statement: Sql | string): Promise<boolean> {
  return (await query(statement)).length > 0;
}

/** All rows whose key is one of these: `write` gets a part of them as a list. */
export async function queryByKeys<T extends Row>(
  { query }: Pick<Transaction, 'query'>,
  keys: readonly (number | string)[],
  write: (list: Sql) => Sql,
): Promise<T[]> {
  const found: T[][] = [];
  for (const list of listKeys(keys)) found.push(await query<T>(write(list)));
  return found.flat();
}

/** Lists for IN, of a part of the keys each. */
export function* listKeys(keys: readonly (number | string)[]): Generator<Sql> {
  for (const part of split(keys)) yield sql`(${joinSql(part, ', ')})`;
}

/** All rows of these tasks: `write` gets the numbers of one market as a list, or a part of them. */
export async function queryByTasks<T extends Row>(
  source: Pick<Transaction, 'query'>,
  keys: readonly TaskKey[],
  write: (market: Market, list: Sql) => Sql,
): Promise<T[]> {
  const found: T[][] = [];
  for (const market of markets) {
    const numbers = keys.filter((key) => key.market === market).map(({ number }) => Number(number));
    found.push(await queryByKeys<T>(source, numbers, (list) => write(market, list)));
  }
  return found.flat();
}

function listParameters(count: number, before: number): string {
  return `(${Array.from({ length: count }, (_, at) => `$${before + at + 1}`)})`;
}

function* split<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  let start = 0;
  for (const chunk of chunks)
    for (; items.length - start >= chunk; start += chunk) yield items.slice(start, start + chunk);
}

/** Transactions that take a turn of the same name wait for each other, across processes, until they end. */
export async function takeTurn(tx: Transaction, name: string): Promise<void> {
  // SQLite allows only one writer at a time anyway.
  if (tx.dialect === 'postgres')
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** The condition that a row has these values. */
export function matchRow(where: NewRow): Sql {
  const conditions = Object.entries(where).map(([name, value]) =>
    value === null ? raw(`${toSnake(name)} IS NULL`) : sql`${raw(toSnake(name))} = ${value}`,
  );
  return joinSql(conditions, ' AND ');
}

/** Rows with these values; `rest` is their order and limit. */
export function selectRows<T extends Row>(
  query: Query,
  table: string,
  where: NewRow,
  { columns = '*', rest = '' } = {},
): Promise<T[]> {
  return query<T>(sql`SELECT ${raw(columns)} FROM ${raw(table)} WHERE ${matchRow(where)} ${raw(rest)}`);
}

export async function findRow<T extends Row>(
  query: Query,
  table: string,
  where: NewRow,
  columns = '*',
): Promise<T | undefined> {
  return (await selectRows<T>(query, table, where, { columns, rest: 'LIMIT 1' }))[0];
}

export async function hasRow(query: Query, table: string, where: NewRow): Promise<boolean> {
  return (await findRow(query, table, where, '1')) !== undefined;
}

/** Resolves to how many rows had the values of `where`. */
export async function updateRows(
  write: Query,
  table: string,
  changes: NewRow,
  where: NewRow,
): Promise<number> {
  const values = Object.entries(changes).map(([name, value]) => sql`${raw(toSnake(name))} = ${value}`);
  return (
    await write(sql`UPDATE ${raw(table)} SET ${joinSql(values, ', ')} WHERE ${matchRow(where)} RETURNING 1`)
  ).length;
}

/** Resolves to how many there were. */
export async function removeRows(write: Query, table: string, where: NewRow): Promise<number> {
  return (await write(sql`DELETE FROM ${raw(table)} WHERE ${matchRow(where)} RETURNING 1`)).length;
}

/** Inserts one row, or updates the one with its key; false, and no change, where there is one and nothing to update. */
export async function insertNew(
  write: Query,
  table: string,
  row: NewRow,
  onConflict: OnConflict = {},
): Promise<boolean> {
  const columns = Object.keys(row).map(toSnake);
  const rows = await write(sql`INSERT INTO ${raw(`${table} (${columns})`)}
    VALUES (${joinSql(Object.values(row), ', ')}) ${raw(formatConflict(columns, onConflict))} RETURNING 1`);
  return rows.length === 1;
}

/** Saves a secret of this database unless there is one of that name, and returns the one that counts. */
export async function keepSecret({ write }: Database, name: string, made: string): Promise<string> {
  const kept = await queryValue<string>(
    write,
    sql`INSERT INTO gateway_secrets (name, value) VALUES (${name}, ${made})
      ON CONFLICT (name) DO UPDATE SET value = gateway_secrets.value RETURNING value`,
  );
  if (kept === undefined) throw new Error(`the secret ${name} was not saved`);
  return kept;
}

/** Removes some of the rows that match; returns whether there were any. */
export async function removeSome(
  database: Pick<Part, 'query' | 'write'>,
  table: string,
  key: string,
  where: Sql,
  limit = 1_000,
): Promise<boolean> {
  const some = sql`SELECT ${raw(key)} FROM ${raw(table)} WHERE ${where} LIMIT ${limit}`;
  // Usually there is nothing: reading first keeps the writers free.
  if (!(await returnsRow(database.query, some))) return false;
  await database.write(sql`DELETE FROM ${raw(table)} WHERE (${raw(key)}) IN (${some})`);
  return true;
}
