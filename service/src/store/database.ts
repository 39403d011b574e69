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

export type Database = {
  readonly dialect: Dialect;
  /** Reads only. */
  readonly query: Query;
  /** One statement that writes, for itself. */
  readonly write: Query;
  /** All or nothing. One writer at a time on SQLite; on PostgreSQL the caller locks what it must. */
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Calls back after somebody, in this or another process, may have written under this channel. It may call back
   * without need (after a lost connection, for instance), so that the listener reads what there is to read.
   */
  readonly listen: (channel: string, onNotice: () => void) => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
};
