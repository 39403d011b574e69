// One numbered step of the schema.

export type Migration = {
  readonly id: number;
  readonly name: string;
  /** Statements that both databases understand; `{serial}` stands for the type of a growing primary key. */
  readonly statements: readonly string[];
};
