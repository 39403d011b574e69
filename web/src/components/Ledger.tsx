// A table of figures, sorted by any of its columns: aligned on a desk, a card for each row on a phone, where each figure
// carries its name.
import type { ReactNode } from 'react';
import { changeSearch, useSearch } from '../data/address.ts';
import { nextOrder, readOrder, type Sortable, sortRows } from '../data/sortRows.ts';
import { SortHeader } from './SortHeader.tsx';

export type Column<Row> = Sortable<Row> & {
  /** Its value unless given. Words stand at the left, figures at the right. */
  readonly show?: (row: Row) => ReactNode;
};

/** The first column names the row, by a link that all of the row leads to. */
export function Ledger<Row extends { readonly address: string }>({
  name,
  caption,
  given,
  part = '',
  columns,
  rows,
}: {
  /** What its order is called in the address. */
  readonly name: string;
  readonly caption: string;
  /** The order in which rows come, for the caption as long as they are not sorted otherwise. */
  readonly given: string;
  /** How many of all there are, where these are not all. */
  readonly part?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}) {
  const asked = useSearch().get(name);
  const order = readOrder(columns, asked);
  const [head, ...others] = columns;
  return (
    <div className="scroll">
      <table className="ledger">
        <caption>
          {caption}
          {order === null && given}
          {part}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeader
                key={column.name}
                word={column.name}
                className={column.isText ? 'left' : undefined}
                direction={order?.column === column.name ? order.direction : undefined}
                onSort={() => changeSearch({ [name]: nextOrder(column.name, asked) })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortRows(rows, columns, order).map((row) => (
            <tr key={row.address}>
              <th scope="row" className="left">
                {head?.show?.(row)}
              </th>
              {others.map(({ name: word, isText, show, value }) => (
                <td key={word} data-name={word} className={isText ? 'left' : undefined}>
                  {show === undefined ? String(value(row)) : show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
