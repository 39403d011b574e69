// A small plot with a zero-based axis and direct labels; redrawn when its size or the theme changes.
import { memo, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

type Series = {
  readonly name: string;
  readonly values: readonly number[];
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
  /** Horizontal lines, such as thresholds. */
  readonly marks?: readonly { readonly value: number; readonly name: string; readonly colour: string }[];
};

const height = 220;
/** Space for the labels at the right end. */
const labelWidth = 96;

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
    <figure className="plot">
      <figcaption>
        <b>{props.title}</b> <span className="faint">{props.unit}</span>
      </figcaption>
      <div ref={box} role="img" aria-label={`${props.title}, in ${props.unit}: ${props.description}`} />
    </figure>
  );
});

function drawPlot(element: HTMLElement, props: PlotProps): uPlot {
  const { kind, at, series, marks = [] } = props;
  const ink = readColour('--ink-2');
  const isBars = kind === 'bars';
  const isNarrow = element.clientWidth / at.length < 64;
  const xs = isBars ? at.map((_, index) => index) : (at as number[]);
  const top = Math.max(1, ...series.flatMap(({ values }) => values), ...marks.map(({ value }) => value));
  const bottom = Math.min(0, ...series.flatMap(({ values }) => values));
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
          values: (_: uPlot, splits: number[]) => splits.map((index) => String(at[index] ?? '')),
          rotate: isNarrow ? -50 : 0,
          size: isNarrow ? 52 : 32,
        }),
      },
      {
        stroke: ink,
        font: axisFont,
        size: 56,
        grid,
        ticks: { show: false },
        values: (_: uPlot, splits: number[]) => splits.map((value) => compact.format(value)),
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

/** Labels next to the data instead of a legend. */
function labelPlot(plot: uPlot, { kind, at, series, marks = [] }: PlotProps): void {
  const { ctx } = plot;
  const right = plot.bbox.left + plot.bbox.width;
  ctx.save();
  ctx.textAlign = 'left';
  ctx.font = `${fontSize * devicePixelRatio}px ${fontFamily()}`;
  for (const { value, name, colour } of marks) {
    const y = plot.valToPos(value, 'y', true);
    ctx.strokeStyle = readColour(colour);
    ctx.fillStyle = readColour(colour);
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(plot.bbox.left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
    ctx.fillText(name, right + 6 * devicePixelRatio, y + 4 * devicePixelRatio);
  }
  if (kind === 'bars') {
    ctx.textAlign = 'center';
    ctx.fillStyle = readColour('--ink-2');
    // Narrow bars have no room for a figure above them.
    const isRoomy = plot.bbox.width / devicePixelRatio / at.length >= 40;
    for (const [index, value] of (isRoomy ? (series[0]?.values ?? []) : []).entries()) {
      const y = plot.valToPos(Math.max(value, 0), 'y', true) - 5 * devicePixelRatio;
      ctx.fillText(compact.format(value), plot.valToPos(index, 'x', true), y);
    }
  }
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

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
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
