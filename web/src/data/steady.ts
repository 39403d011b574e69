// Keeps rows where they are while the pointer is on them, and knows which have come since the reader began to look.

export type Steady<Row> = {
  readonly shown: readonly Row[];
  /** How many new ones are kept back. */
  readonly waiting: number;
  /** Came since the first look, by their ids. */
  readonly arrived: ReadonlySet<string>;
  readonly seen: ReadonlySet<string>;
  /** What the reader asked for when this order was made. */
  readonly question: string;
};

/**
 * Under the pointer rows change what they say, never where they are: who is about to click must hit what they see. Who
 * asks for something else, by a filter or another order, gets it at once, wherever the pointer is.
 */
export function keepSteady<Row extends { readonly id: string }>(
  before: Steady<Row> | null,
  now: {
    /** What answers the question, in order. */
    readonly rows: readonly Row[];
    /** What there is at all: only what is not among these before is new. */
    readonly all: readonly Row[];
    readonly question: string;
    readonly isHeld: boolean;
  },
): Steady<Row> {
  const { rows, all, question, isHeld } = now;
  if (before !== null && isHeld && before.question === question) {
    const fresh = new Map(all.map((row) => [row.id, row]));
    return {
      ...before,
      shown: before.shown.map((row) => fresh.get(row.id) ?? row),
      waiting: rows.filter(({ id }) => !before.seen.has(id)).length,
    };
  }
  const ids = all.map(({ id }) => id);
  const fresh = before === null ? [] : ids.filter((id) => !before.seen.has(id));
  return {
    shown: rows,
    waiting: 0,
    arrived: new Set([...(before?.arrived ?? []), ...fresh]),
    seen: new Set([...(before?.seen ?? []), ...ids]),
    question,
  };
}
