// A table of figures; on a phone each row is a card with named figures.
import type { ReactNode } from 'react';
import { type Direction, nextOrder, parseOrder, type Sortable, sortRows } from '../data/tableRows.ts';
import { changeSearch, useSearch } from './navigation.tsx';
import { useShortList } from './ShortList.tsx';

export type Column<Row> = Sortable<Row> & {
  /** The cell; its value unless given. */
  readonly show?: (row: Row) => ReactNode;
};

type DataTableProps<Row> = {
  caption: ReactNode;
  /** The first one names the row; its link covers the whole row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The heading of a column; its name unless given. */
  head?: (column: Column<Row>) => ReactNode;
};

export function DataTable<Row>({ caption, columns, rows, keyOf, head }: DataTableProps<Row>) {
  return (
    <table className="stats">
      {caption}
      <thead>
        <tr>
          {columns.map(
            (column) =>
              head?.(column) ?? (
                <th key={column.name} scope="col" className={column.isText ? 'left' : undefined}>
                  {column.name}
                </th>
              ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, isText, show, value }, index) => {
              const cell = show === undefined ? String(value(row)) : show(row);
              return index === 0 ? (
                <th key={name} scope="row" className="left">
                  {cell}
                </th>
              ) : (
                <td key={name} data-name={name} className={isText ? 'left' : undefined}>
                  {cell}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type StatsTableProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'rows'> & {
  /** The parameter in the address that holds the order. */
  name: string;
  caption: string;
  /** The order of `rows`, added to the caption until the reader sorts by a column. */
  defaultOrder: string;
  /** Added to the caption when `rows` are not all. */
  extent?: string;
};

/** Sorted by any column; on a phone a few rows at first. */
export function StatsTable<Row extends { readonly address: string }>(props: StatsTableProps<Row>) {
  const { name, caption, defaultOrder, extent = '', columns, rows } = props;
  const asked = useSearch().get(name);
  const order = parseOrder(columns, asked);
  const [shown, more] = useShortList(sortRows(rows, columns, order), { narrow: 5 });
  return (
    <div className="sheet scroll">
      <DataTable
        caption={
          <caption>
            {caption}
            {order === null && defaultOrder}
            {extent}
          </caption>
        }
        columns={columns}
        rows={shown}
        keyOf={({ address }) => address}
        head={(column) => (
          <SortHeader
            key={column.name}
            label={column.name}
            className={column.isText ? 'left' : undefined}
            direction={order?.column === column.name ? order.direction : undefined}
            onSort={() => changeSearch({ [name]: nextOrder(column.name, asked) })}
          />
        )}
      />
      {more}
    </div>
  );
}

const arrows: Readonly<Record<Direction, string>> = { ascending: ' ↑', descending: ' ↓' };

type SortHeaderProps = {
  label: string;
  className?: string | undefined;
  /** Undefined when the table is sorted by another column. */
  direction: Direction | undefined;
  onSort: () => void;
};

/** A column heading that sorts its table and shows the direction. */
export function SortHeader({ label, className, direction, onSort }: SortHeaderProps) {
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" onClick={onSort}>
        {label}
        <span aria-hidden="true">{direction === undefined ? '' : arrows[direction]}</span>
      </button>
    </th>
  );
}
