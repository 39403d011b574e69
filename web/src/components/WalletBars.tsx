// A bar for each of the first wallets of a table.
import { useMemo } from 'react';
import { Plot } from './Plot.tsx';

type PlotProps = Parameters<typeof Plot>[0];

/** `value` and `marks` must stay the same between renderings, so that the plot is not drawn again. */
export function WalletBars<Row extends { readonly address: string }>({
  title,
  unit,
  name,
  rows,
  count,
  value,
  colour,
  marks,
}: Pick<PlotProps, 'title' | 'unit' | 'marks'> & {
  /** What a bar shows. */
  name: string;
  rows: readonly Row[];
  /** The largest number of bars. */
  count: number;
  value: (row: Row) => number;
  colour: string;
}) {
  const plot = useMemo(() => {
    const shown = rows.slice(0, count);
    return {
      at: shown.map(({ address }) => address.slice(0, 6)),
      series: [{ name, values: shown.map(value), colour }],
      ...(marks !== undefined && { marks }),
    };
  }, [rows, count, name, value, colour, marks]);
  return (
    <Plot title={title} unit={unit} kind="bars" description="the figures are in the table below" {...plot} />
  );
}
