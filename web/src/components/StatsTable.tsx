// A table of figures that can be sorted by any column; on a phone each row is a card with named figures, a few at first.
import type { ReactNode } from 'react';
import { type Direction, nextOrder, parseOrder, type Sortable, sortRows } from '#data/tableRows.ts';
import { changeSearch, useSearch } from './navigation.tsx';
import { useShortList } from './ShortList.tsx';

export type Column<Row> = Sortable<Row> & {
  /** The cell; its value unless given. */
  readonly show?: (row: Row) => ReactNode;
};

/** The first column names the row; its link covers the whole row. */
export function StatsTable<Row extends { readonly address: string }>({
  name,
  caption,
  defaultOrder,
  extent = '',
  columns,
  rows,
}: {
  /** The parameter in the address that holds the order. */
  readonly name: string;
  readonly caption: string;
  /** The order of `rows`, added to the caption until the reader sorts by a column. */
  readonly defaultOrder: string;
  /** Added to the caption when `rows` are not all. */
  readonly extent?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}) {
  const asked = useSearch().get(name);
  const order = parseOrder(columns, asked);
  const [head, ...others] = columns;
  const [shown, more] = useShortList(sortRows(rows, columns, order), { narrow: 5 });
  return (
    <div className="scroll">
      <table className="stats">
        <caption>
          {caption}
          {order === null && defaultOrder}
          {extent}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeader
                key={column.name}
                label={column.name}
                className={column.isText ? 'left' : undefined}
                direction={order?.column === column.name ? order.direction : undefined}
                onSort={() => changeSearch({ [name]: nextOrder(column.name, asked) })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.address}>
              <th scope="row" className="left">
                {head?.show?.(row)}
              </th>
              {others.map(({ name: label, isText, show, value }) => (
                <td key={label} data-name={label} className={isText ? 'left' : undefined}>
                  {show === undefined ? String(value(row)) : show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </div>
  );
}

const arrows: Readonly<Record<Direction, string>> = { ascending: ' ↑', descending: ' ↓' };

/** A column heading that sorts its table and shows the direction. */
export function SortHeader({
  label,
  className,
  direction,
  onSort,
}: {
  readonly label: string;
  readonly className?: string | undefined;
  /** Undefined when the table is sorted by another column. */
  readonly direction: Direction | undefined;
  readonly onSort: () => void;
}) {
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" onClick={onSort}>
        {label}
        <span aria-hidden="true">{direction === undefined ? '' : arrows[direction]}</span>
      </button>
    </th>
  );
}
