// The interface that both databases implement, so that every statement is written once. Columns have snake_case names in
// SQL and camelCase names in rows.
import type { Param, Sql } from './sql.ts';

export type Row = Record<string, unknown>;

export type QueryOptions = {
  /**
   * Asked so often that PostgreSQL keeps it prepared (SQLite keeps all). Such a statement names its columns: after a migration
   * that adds some, a prepared `*` fails. It does not carry the id of its request.
   */
  readonly isHot?: boolean;
  /** Waited for as long as it takes: a step of the schema, such as an index of a large table. */
  readonly isLong?: boolean;
};

/** Parameters of a text are `$1`, `$2`, …; a statement in the form of `Sql` has its own. */
export type Query = <T extends Row = Row>(
  statement: string | Sql,
  params?: readonly Param[],
  options?: QueryOptions,
) => Promise<T[]>;

export type Dialect = 'sqlite' | 'postgres';

export type Transaction = {
  readonly dialect: Dialect;
  /** Whole numbers come back as numbers; amounts are kept as text. */
  readonly query: Query;
  /** Wakes the listeners of this and of other processes after the transaction is committed. */
  readonly notify: (channel: string) => Promise<void>;
};

export type TransactionOptions = {
  /** A power cut may undo the transaction until the next one that is not provisional. For rows that are not shown yet. */
  readonly isProvisional?: boolean;
};

/**
 * A database has two parts. `chain` holds what comes from the chain, and can be read again; `own` holds everything else. No
 * statement and no transaction writes into both: what follows the chain goes by its changes (consume.ts).
 */
export type Part = {
  readonly dialect: Dialect;
  /** Reads only, of both parts. */
  readonly query: Query;
  /** One statement that writes, outside of a transaction. */
  readonly write: Query;
  /** All or nothing. One writer at a time on SQLite; on PostgreSQL the caller locks what it must. */
  readonly transaction: <T>(
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ) => Promise<T>;
};

/** Writes into `own`, and has the other part beside it. */
export type Database = Part & {
  readonly chain: Part;
  /**
   * Calls back after somebody, in this or another process, may have written under this channel. It may call back
   * without need (after a lost connection, for instance), so that the listener reads what there is to read.
   */
  readonly listen: (channel: string, onNotice: () => void) => Promise<() => Promise<void>>;
  /** How many connections do nothing or work, and how much work waits for one. */
  readonly load: () => DatabaseLoad;
  readonly close: () => Promise<void>;
};

export type DatabaseLoad = { readonly idle: number; readonly busy: number; readonly waiting: number };

export type DatabaseFailure = 'unreachable' | 'not_writable' | 'refused';

/** What the process learns of a database beside its answers. */
export type DatabaseReport = {
  /** Called for each statement that failed. */
  readonly onError?: ((kind: DatabaseFailure, error: unknown) => void) | undefined;
  /** The id of the request that causes a statement, without characters that mean something in SQL. */
  readonly requestId?: (() => string | undefined) | undefined;
};

/** Bytes that the database takes on its disk. */
export async function loadSize({ dialect, query }: Pick<Database, 'dialect' | 'query'>): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    dialect === 'postgres'
      ? 'SELECT pg_database_size(current_database()) AS bytes'
      : `SELECT SUM(page_count * page_size) AS bytes FROM pragma_database_list AS part, pragma_page_count(part.name),
          pragma_page_size(part.name)`,
  );
  return row?.bytes ?? 0;
}

export type PostgresState = {
  /** Null where there is no standby, or this role may not see it. */
  readonly replicationSeconds: number | null;
  readonly wraparoundRatio: number;
  readonly transactionSeconds: number;
};

/** What an operator must know before PostgreSQL fails. A dump may take as long as it needs. */
export async function loadPostgresState({ query }: Pick<Database, 'query'>): Promise<PostgresState | null> {
  const [row] = await query<PostgresState>(`SELECT
    CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN
      (SELECT MAX(COALESCE(EXTRACT(EPOCH FROM replay_lag), 0)) FROM pg_stat_replication)
    END::float8 AS replication_seconds,
    (SELECT MAX(GREATEST(age(datfrozenxid), mxid_age(datminmxid))) / 2147483648.0 FROM pg_database)::float8
      AS wraparound_ratio,
    (SELECT COALESCE(MAX(EXTRACT(EPOCH FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> 'pg_dump')::float8
      AS transaction_seconds`);
  return row ?? null;
}

const camelNames = new Map<string, string>();

/** The name of a column in rows: `block_number` becomes `blockNumber`. */
export function toCamel(column: string): string {
  let name = camelNames.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelNames.set(column, name);
  }
  return name;
}

/** The way back. */
export function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function buildRow<T extends Row>(names: readonly string[], values: readonly unknown[]): T {
  const row: Row = {};
  for (let at = 0; at < names.length; at++) row[names[at] as string] = values[at];
  return row as T;
}

/** SQL for a text inside of a JSON column, such as `dispute.judge`. */
export function jsonText(dialect: Dialect, column: string, path: string): string {
  return dialect === 'postgres'
    ? `CAST(${column} AS json) #>> '{${path.replaceAll('.', ',')}}'`
    : `CAST(json_extract(${column}, '$.${path}') AS TEXT)`;
}
