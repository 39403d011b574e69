// Rows of a table: sorted by a column, and kept in place while the pointer is on them.

export type Value = number | bigint | string;

export type Sortable<Row> = {
  readonly name: string;
  readonly value: (row: Row) => Value;
  /** Text is sorted from A, figures from the largest. */
  readonly isText?: boolean;
};

export type Direction = 'ascending' | 'descending';
export type Order = { readonly column: string; readonly direction: Direction };

/** `disputes-won` sorts by that column, `-disputes-won` in reverse; null keeps the order of the rows. */
export function parseOrder<Row>(columns: readonly Sortable<Row>[], asked: string | null): Order | null {
  const column = columns.find(({ name }) => slugOf(name) === asked?.replace(/^-/, ''));
  if (column === undefined) return null;
  const isReversed = asked?.startsWith('-') === true;
  const isAscending = (column.isText === true) !== isReversed;
  return { column: column.name, direction: isAscending ? 'ascending' : 'descending' };
}

/** The order after a click on a column's heading: its own first, then the reverse. */
export function nextOrder(name: string, asked: string | null): string {
  const slug = slugOf(name);
  return asked === slug ? `-${slug}` : slug;
}

export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  order: Order | null,
): readonly Row[] {
  const column = columns.find(({ name }) => name === order?.column);
  if (column === undefined) return rows;
  const sign = order?.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((left, right) => sign * compare(column.value(left), column.value(right)));
}

function compare(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

export type StableRows<Row> = {
  readonly shown: readonly Row[];
  /** How many new rows are not shown yet. */
  readonly waiting: number;
  /** Ids of the rows that came after the first rendering. */
  readonly arrived: ReadonlySet<string>;
  readonly seen: ReadonlySet<string>;
  /** The filter and order of these rows. */
  readonly filter: string;
};

/**
 * While the pointer is on the table, rows change their contents but not their places, so that a click hits what the
 * reader sees. Another filter or order applies at once.
 */
export function stabilizeRows<Row extends { readonly id: string }>(
  before: StableRows<Row> | null,
  now: {
    /** The rows that match the filter, in order. */
    readonly rows: readonly Row[];
    /** Also those that the filter hides; only rows that were not among these before are new. */
    readonly all: readonly Row[];
    readonly filter: string;
    readonly isHovered: boolean;
  },
): StableRows<Row> {
  const { rows, all, filter, isHovered } = now;
  if (before !== null && isHovered && before.filter === filter) {
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
    filter,
  };
}
