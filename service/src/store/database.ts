// The small shape that both databases meet, so that every statement is written once.

export type Param = string | number | bigint | boolean | null | Uint8Array;
export type Row = Record<string, unknown>;

export type Query = <T extends Row = Row>(sql: string, params?: readonly Param[]) => Promise<T[]>;

export type Dialect = 'sqlite' | 'postgres';

export type Transaction = {
  readonly dialect: Dialect;
  /** Parameters are `$1`, `$2`, … in the text. Whole numbers come back as numbers; amounts are kept as text. */
  readonly query: Query;
  /** Told to all listeners, of this and of other processes, once the transaction is there to be read. */
  readonly notify: (channel: string) => Promise<void>;
};

export type TransactionOptions = {
  /** A power cut may undo it until the next transaction that is not provisional: for rows that nobody is shown before. */
  readonly isProvisional?: boolean;
};

export type Database = {
  readonly dialect: Dialect;
  /** Reads only. */
  readonly query: Query;
  /** One statement that writes, for itself. */
  readonly write: Query;
  /** All or nothing. One writer at a time on SQLite; on PostgreSQL the caller locks what it must. */
  readonly transaction: <T>(
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ) => Promise<T>;
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
