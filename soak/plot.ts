// Plots as inline SVG: small, labelled where the lines are, readable in print and in the dark.
import { type Html, html } from '#service/http/reference/document.ts';

export type Point = { readonly at: number; readonly value: number };

export type Line = {
  readonly points: readonly Point[];
  readonly tone: 'accent' | 'soft' | 'red';
};

export type LinePlot = {
  readonly title: string;
  readonly unit: string;
  readonly endMs: number;
  readonly lines: readonly Line[];
  /** Spans in which something was broken, as a ground. */
  readonly grounds: readonly { readonly from: number; readonly to: number }[];
};

const width = 1_000;
const height = 150;
const left = 64;
const bottom = 20;
const top = 8;

export function renderLines({ title, unit, endMs, lines, grounds }: LinePlot): Html {
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value));
  const most = niceCeiling(Math.max(1, ...values));
  const x = (at: number) => round(left + (Math.min(at, endMs) / endMs) * (width - left));
  const y = (value: number) => round(top + (1 - value / most) * (height - top - bottom));
  const ground = grounds
    .filter(({ from }) => from < endMs)
    .map(
      ({ from, to }) =>
        html`<rect class="ground" x="${x(from)}" y="${top}" width="${Math.max(1, round(x(to) - x(from)))}" height="${height - top - bottom}"/>`,
    );
  const drawn = lines.map(
    ({ points, tone }) =>
      html`<polyline class="${tone}" points="${points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')}"/>`,
  );
  return figure(title, height, [
    ...ground,
    ...[0, most].map(
      (value) => html`<line class="axis" x1="${left}" x2="${width}" y1="${y(value)}" y2="${y(value)}"/>`,
    ),
    ...[0, most].map(
      (value) =>
        html`<text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${value} ${value === 0 ? '' : unit}</text>`,
    ),
    ...timeAxis(endMs, height, x),
    ...drawn,
  ]);
}

export type Span = {
  readonly row: string;
  readonly from: number;
  readonly mendedAt: number;
  readonly to: number;
  readonly label: string;
};

/** One row a kind: dark while it is broken, light until all is well again. */
export function renderSpans(title: string, spans: readonly Span[], endMs: number): Html {
  const rows = [...new Set(spans.map(({ row }) => row))].sort();
  const labelWidth = 110;
  const rowHeight = 20;
  const tall = rows.length * rowHeight + bottom + top;
  const x = (at: number) => round(labelWidth + (Math.min(at, endMs) / endMs) * (width - labelWidth));
  const parts = rows.map((row, at) => html`<text x="0" y="${top + at * rowHeight + 14}">${row}</text>`);
  for (const { row, from, mendedAt, to, label } of spans) {
    const y = top + rows.indexOf(row) * rowHeight + 3;
    const bar = (tone: string, start: number, end: number) =>
      html`<rect class="${tone}" x="${x(start)}" y="${y}" width="${Math.max(2, round(x(end) - x(start)))}" height="14"><title>${label}</title></rect>`;
    parts.push(bar('mending', from, to), bar('broken', from, mendedAt));
  }
  return figure(title, tall, [...parts, ...timeAxis(endMs, tall, x)]);
}

function figure(title: string, tall: number, parts: readonly Html[]): Html {
  return html`<figure><figcaption>${title}</figcaption><svg viewBox="0 0 ${width} ${tall}" role="img" aria-label="${title}">${parts}</svg></figure>`;
}

function timeAxis(endMs: number, tall: number, x: (at: number) => number): Html[] {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
    return html`<text x="${x(share * endMs)}" y="${tall - 4}" text-anchor="${anchor}">${formatTime(share * endMs)}</text>`;
  });
}

export function formatTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The next of 1, 2, 5, 10, 20 and so on: an axis that ends at a figure one can read. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
