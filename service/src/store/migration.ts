// One numbered step of the schema.
import type { Dialect } from './database.ts';

export type Migration = {
  readonly id: number;
  readonly name: string;
  /** Statements that both databases understand; `{serial}` stands for the type of a growing primary key. */
  readonly statements: readonly string[];
  /** Statements that only one of them understands; they run after the others. */
  readonly dialects?: Readonly<Record<Dialect, readonly string[]>>;
};
