// Rows of a table in the order of one of its columns.

export type Value = number | bigint | string;

export type Sortable<Row> = {
  readonly name: string;
  /** What the column is sorted by. */
  readonly value: (row: Row) => Value;
  /** Words begin with the first letter, figures with the largest. */
  readonly isText?: boolean;
};

export type Order = { readonly column: string; readonly direction: 'ascending' | 'descending' };

/** Which order the address asks for by `disputes-won` or, the other way round, `-disputes-won`; null for the given one. */
export function readOrder<Row>(columns: readonly Sortable<Row>[], asked: string | null): Order | null {
  const column = columns.find(({ name }) => slugOf(name) === asked?.replace(/^-/, ''));
  if (column === undefined) return null;
  const isReversed = asked?.startsWith('-') === true;
  const isRising = (column.isText === true) !== isReversed;
  return { column: column.name, direction: isRising ? 'ascending' : 'descending' };
}

/** What to ask for when a column's head is pressed: its own order first, then the other way round. */
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
