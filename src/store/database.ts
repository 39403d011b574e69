// The small shape that both databases meet, so that every statement is written once.

export type Param = string | number | bigint | boolean | null | Uint8Array;
export type Row = Record<string, unknown>;

export type Queryable = {
  /** Parameters are `$1`, `$2`, … in the text. Whole numbers come back as numbers; amounts are kept as text. */
  query<T extends Row = Row>(sql: string, params?: readonly Param[]): Promise<T[]>;
};

export type Database = Queryable & {
  readonly dialect: 'sqlite' | 'postgres';
  /** All or nothing. One writer at a time on SQLite; on PostgreSQL the caller locks what it must. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * Calls back after somebody, in this or another process, may have written under this channel. It may call back
   * without need (after a lost connection, for instance), so that the listener reads what there is to read.
   */
  listen(channel: string, onNotice: () => void): Promise<() => Promise<void>>;
  notify(channel: string): Promise<void>;
  close(): Promise<void>;
};
