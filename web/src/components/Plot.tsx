// A small plot with a zero-based axis and direct labels; redrawn when its size or the theme changes.
import { memo, useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { spreadLabels } from '../data/labelPlaces.ts';

type Series = {
  readonly name: string;
  /** Null where there is nothing to show. */
  readonly values: readonly (number | null)[];
  /** A custom property of the style sheet. */
  readonly colour: string;
};

type PlotProps = {
  readonly title: string;
  readonly unit: string;
  readonly kind: 'bars' | 'lines';
  /** Labels of bars, or Unix seconds of lines. */
  readonly at: readonly string[] | readonly number[];
  readonly series: readonly Series[];
  /** The figures for screen readers, or where to find them. */
  readonly description: string;
  /** The end of the axis; the highest value unless given. */
  readonly top?: number;
  readonly height?: number;
  /** A value as text; short figures unless given. */
  readonly show?: (value: number) => string;
  /** Of a row of times, names may be left out where there is no room for all of them. */
  readonly isSeries?: boolean;
  /** Horizontal lines, such as thresholds. */
  readonly marks?: readonly { readonly value: number; readonly name: string; readonly colour: string }[];
};

const usualHeight = 220;
/** Space for the labels at the right end. */
const labelWidth = 96;
/** Of a name under a bar, such as "16 Nov". */
const nameWidth = 60;
const axisWidth = 56;

/** Memoized: its parent may re-render every second to show the time. */
export const Plot = memo(function Plot(props: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let plot: uPlot | null = null;
    const draw = () => {
      plot?.destroy();
      plot = element.clientWidth > 0 ? drawPlot(element, props) : null;
    };
    const resize = new ResizeObserver(draw);
    const theme = new MutationObserver(draw);
    const system = matchMedia('(prefers-color-scheme: dark)');
    resize.observe(element);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    system.addEventListener('change', draw);
    return () => {
      resize.disconnect();
      theme.disconnect();
      system.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [props]);
  return (
    <figure className="sheet plot">
      <figcaption>
        <b>{props.title}</b> <span className="faint">{props.unit}</span>
      </figcaption>
      <div
        ref={box}
        style={{ minHeight: props.height ?? usualHeight }}
        role="img"
        aria-label={`${props.title}, in ${props.unit}: ${props.description}`}
      />
    </figure>
  );
});

type WalletBarsProps<Row> = Pick<PlotProps, 'title' | 'unit' | 'marks'> & {
  rows: readonly Row[];
  /** The largest number of bars; 10 unless given. */
  count?: number;
  value: (row: Row) => number;
  colour: string;
};

/** A bar for each of the first wallets. `value` and `marks` must stay the same, so that the plot is not drawn again. */
export function WalletBars<Row extends { readonly address: string }>(props: WalletBarsProps<Row>) {
  const { title, unit, rows, count = 10, value, colour, marks } = props;
  const plot = useMemo(() => {
    const shown = rows.slice(0, count);
    return {
      at: shown.map(({ address }) => address.slice(0, 6)),
      series: [{ name: title, values: shown.map(value), colour }],
      ...(marks !== undefined && { marks }),
    };
  }, [rows, count, title, value, colour, marks]);
  return (
    <Plot title={title} unit={unit} kind="bars" description="the figures are in the table below" {...plot} />
  );
}

function drawPlot(element: HTMLElement, props: PlotProps): uPlot {
  const { kind, at, series, marks = [], show = showCompact, height = usualHeight } = props;
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const ink = readColour('--soft');
  const isBars = kind === 'bars';
  const step = (element.clientWidth - labelWidth) / at.length;
  const every = props.isSeries === true ? Math.max(1, Math.ceil(nameWidth / step)) : 1;
  const right = isBars && marks.length === 0 ? 28 : labelWidth;
  const isNarrow =
    props.isSeries !== true && (element.clientWidth - axisWidth - right) / at.length < nameWidth;
  // Under bars as narrow as this, names would lie on each other; the figures are in the table or the text.
  const isNamed = props.isSeries === true || step >= 22;
  const xs = isBars ? at.map((_, index) => index) : (at as number[]);
  const top = Math.max(props.top ?? 1, ...known, ...marks.map(({ value }) => value));
  const bottom = Math.min(0, ...known);
  const paths = isBars ? uPlot.paths.bars?.({ size: [0.64, 48] }) : uPlot.paths.stepped?.({ align: 1 });
  const grid = { stroke: readColour('--line'), width: 1 };
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [20, isBars && marks.length === 0 ? (isNarrow ? 28 : 8) : labelWidth, 0, 0],
    scales: {
      x: isBars ? { time: false, range: [-0.6, at.length - 0.4] } : { time: true },
      y: { range: [bottom * 1.1, top * 1.08] },
    },
    axes: [
      {
        stroke: ink,
        font: axisFont,
        grid: { show: false },
        ticks: { show: false },
        space: 56,
        ...(!isBars && { values: (_: uPlot, splits: number[]) => splits.map(showDay), size: 32 }),
        ...(isBars && {
          splits: () => xs,
          values: (_: uPlot, splits: number[]) =>
            // Counted from the last one: the newest always has its name.
            splits.map((index) =>
              isNamed && (at.length - 1 - index) % every === 0 ? String(at[index] ?? '') : '',
            ),
          rotate: isNarrow ? -50 : 0,
          size: !isNamed ? 12 : isNarrow ? 52 : 32,
        }),
      },
      {
        stroke: ink,
        font: axisFont,
        size: axisWidth,
        grid,
        ticks: { show: false },
        values: (_: uPlot, splits: number[]) => splits.map(show),
      },
    ],
    series: [
      {},
      ...series.map(({ colour }) => ({
        stroke: readColour(colour),
        width: isBars ? 0 : 2,
        points: { show: false },
        ...(isBars && { fill: readColour(colour) }),
        ...(paths !== undefined && { paths }),
      })),
    ],
    hooks: { draw: [(plot) => labelPlot(plot, props)] },
  };
  return new uPlot(options, [xs, ...series.map(({ values }) => [...values])] as uPlot.AlignedData, element);
}

/** Labels next to the data instead of a legend. They keep a distance from each other, and lines end before them. */
function labelPlot(plot: uPlot, { kind, at, series, marks = [], show = showCompact }: PlotProps): void {
  const { ctx } = plot;
  const right = plot.bbox.left + plot.bbox.width;
  ctx.save();
  ctx.textAlign = 'left';
  ctx.font = `${fontSize * devicePixelRatio}px ${fontFamily()}`;
  const places = spreadLabels(
    marks.map(({ value }) => plot.valToPos(value, 'y', true)),
    {
      gap: (fontSize + 4) * devicePixelRatio,
      from: plot.bbox.top,
      to: plot.bbox.top + plot.bbox.height,
    },
  );
  for (const [index, { value, name, colour }] of marks.entries()) {
    const y = plot.valToPos(value, 'y', true);
    const labelY = places[index] ?? y;
    ctx.strokeStyle = readColour(colour);
    ctx.fillStyle = readColour(colour);
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(plot.bbox.left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
    // A label that was moved stays connected with its line.
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.moveTo(right, y);
    ctx.lineTo(right + 8 * devicePixelRatio, labelY);
    ctx.stroke();
    ctx.fillText(name, right + 12 * devicePixelRatio, labelY + 4 * devicePixelRatio);
  }
  if (kind === 'bars') labelBars(plot, at.length, series[0]?.values ?? [], show);
  if (kind === 'lines') {
    for (const { name, values, colour } of series) {
      ctx.fillStyle = readColour(colour);
      ctx.fillText(
        name,
        right + 6 * devicePixelRatio,
        plot.valToPos(values.at(-1) ?? 0, 'y', true) + 4 * devicePixelRatio,
      );
    }
  }
  ctx.restore();
}

/** Each bar's figure above it; narrow bars have room for the highest and the last one only. */
function labelBars(
  plot: uPlot,
  count: number,
  values: readonly (number | null)[],
  show: (value: number) => string,
): void {
  const { ctx } = plot;
  ctx.textAlign = 'center';
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.strokeStyle = readColour('--card');
  ctx.fillStyle = readColour('--soft');
  const step = plot.bbox.width / devicePixelRatio / count;
  const widest = Math.max(0, ...values.map((value) => ctx.measureText(show(value ?? 0)).width));
  const isRoomy = step >= widest / devicePixelRatio + 4;
  const highest = values.indexOf(Math.max(...values.map((value) => value ?? 0)));
  const last = values.findLastIndex((value) => value !== null);
  const isApart = (last - highest) * step * devicePixelRatio > widest + 8 * devicePixelRatio;
  for (const [index, value] of values.entries()) {
    const isShown = isRoomy || index === highest || (index === last && isApart);
    if (value === null || !isShown) continue;
    const x = plot.valToPos(index, 'x', true);
    const y = plot.valToPos(Math.max(value, 0), 'y', true) - 7 * devicePixelRatio;
    // A rim in the colour of the sheet keeps the figure readable where a line runs behind it.
    ctx.strokeText(show(value), x, y);
    ctx.fillText(show(value), x, y);
  }
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const showCompact = (value: number) => compact.format(value);
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const fontSize = 13;
const axisFont = `${fontSize}px system-ui, sans-serif`;

function showDay(seconds: number): string {
  return days.format(seconds * 1_000);
}

function fontFamily(): string {
  return getComputedStyle(document.body).fontFamily;
}

/** Custom properties hold light-dark(…), which a canvas cannot parse; the computed colour works. */
function readColour(property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
