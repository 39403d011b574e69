// A table of figures: aligned columns on a desk, a card for each row on a phone, where each figure carries its name.
import type { ReactNode } from 'react';

export type Column<Row> = {
  readonly name: string;
  readonly show: (row: Row) => ReactNode;
  /** Words stand at the left, figures at the right. */
  readonly isText?: boolean;
};

/** The first column names the row. */
export function Ledger<Row extends { readonly address: string }>({
  caption,
  columns,
  rows,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}) {
  const [head, ...others] = columns;
  return (
    <div className="scroll">
      <table className="ledger">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isText }) => (
              <th key={name} scope="col" className={isText ? 'left' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.address}>
              <th scope="row" className="left">
                {head?.show(row)}
              </th>
              {others.map(({ name, isText, show }) => (
                <td key={name} data-name={name} className={isText ? 'left' : undefined}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
