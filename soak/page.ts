// The report as one self-contained page, with its plots as inline SVG.
import { type Html, html, style } from '#service/http/reference/document.ts';
import { describeHardware } from '../bench/figure.ts';
import type { Report } from './report.ts';

const ownStyle = `
main { max-width: 1080px; margin: 0 auto; border: 0 }
main h2 { margin-top: 40px }
td:last-child, th:last-child { width: auto }
figure { margin: 16px 0 } figcaption { font-size: 13px; line-height: 20px; color: var(--soft) }
svg { width: 100%; height: auto; overflow: visible } svg text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: var(--soft) }
polyline { fill: none; stroke-width: 1.5; stroke-linejoin: round } .accent { stroke: var(--accent) } .soft { stroke: var(--soft) }
.red { stroke: #b3261e } .axis { stroke: var(--line) } .ground { fill: var(--line); opacity: 0.45 } .broken { fill: var(--amber) }
.recovering { fill: var(--amber); opacity: 0.35 } .bad { color: #b3261e; font-weight: 600 } .good { color: var(--accent) }
@media (prefers-color-scheme: dark) { .red { stroke: #f2938c } .bad { color: #f2938c } }
`;

export function renderPage(report: Report): string {
  const { seed, seconds, violations } = report;
  const verdict = violations === 0 ? 'No promise was broken' : `${violations} violations`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Soak: ${verdict}</title><style>${{ html: style + ownStyle }}</style></head>
<body><main>
<h1>${verdict}</h1>
<p class="lead">${formatTime(seconds * 1_000)} minutes with ${countFaults(report)} faults, seed ${seed}. ${describeHardware()}.</p>
<h2>Checks</h2>${renderChecks(report)}
<h2>Faults</h2><p>Dark during a fault, light until every server has recovered.</p>${renderFaults(report)}
<h2>Answers</h2>${renderAnswers(report)}
<h2>Memory</h2>${renderMemory(report)}
<h2>Moves</h2>${renderMoves(report)}
</main></body></html>
`.html;
}

/** Overload of the machine is shown, but is not a fault. */
function countFaults({ faults }: Report): number {
  return faults.filter(({ kind }) => kind !== 'overload').length;
}

function renderChecks({ checks }: Report): Html {
  const rows = checks.map(({ name, violations, basis }) => {
    const state =
      violations.length === 0 ? html`<span class="good">kept</span>` : html`<span class="bad">broken</span>`;
    const list = violations.map((violation) => html`<li>${violation}</li>`);
    const more = list.length === 0 ? null : html`<ul>${list}</ul>`;
    return html`<tr><td>${state}</td><td>${name}${more}</td><td class="soft">${basis}</td></tr>`;
  });
  return table(['', 'promise', 'seen in'], rows);
}

function renderFaults({ faults, seconds }: Report): Html {
  const spans = faults.map((fault) => ({
    ...fault,
    row: fault.kind,
    label: `${fault.detail}, ${formatTime(fault.from)}`,
  }));
  return renderSpans('Each fault by its kind', spans, seconds * 1_000);
}

function renderAnswers({ answers, faults, seconds }: Report): Html[] {
  const endMs = seconds * 1_000;
  const perSecond = (answers[1]?.at ?? 1_000) / 1_000;
  const line = (value: (of: Report['answers'][number]) => number | null) =>
    answers.flatMap((of) => (value(of) === null ? [] : [{ at: of.at, value: value(of) as number }]));
  return [
    renderLines({
      title: 'Replies per second: successful ones, and failed ones in red (grey background: fault)',
      unit: '/s',
      endMs,
      grounds: faults,
      lines: [
        { points: line(({ good }) => good / perSecond), tone: 'accent' },
        { points: line(({ failed }) => failed / perSecond), tone: 'red' },
      ],
    }),
    renderLines({
      title: 'Milliseconds to a reply: median, and slowest in grey',
      unit: 'ms',
      endMs,
      grounds: faults,
      lines: [
        { points: line(({ slowestMs }) => slowestMs), tone: 'soft' },
        { points: line(({ medianMs }) => medianMs), tone: 'accent' },
      ],
    }),
  ];
}

/** A new line starts when a process was restarted. */
function renderMemory({ memory, seconds }: Report): Html[] {
  const endMs = seconds * 1_000;
  return memory.map(({ name, lives }) =>
    renderLines({
      title: `${name}: resident memory`,
      unit: 'MB',
      endMs,
      grounds: [],
      lines: lives.map((samples) => ({
        points: samples
          .filter(({ at }) => at <= endMs)
          .map(({ at, megabytes }) => ({ at, value: Math.round(megabytes) })),
        tone: 'accent',
      })),
    }),
  );
}

function renderMoves({ moves }: Report): Html {
  const outcomes = ['done', 'refused', 'nothing to do', 'failed'];
  const rows = moves.map(({ move, counts }) => {
    const cells = outcomes.map((outcome) => html`<td>${counts[outcome] ?? 0}</td>`);
    return html`<tr><td>${move}</td>${cells}</tr>`;
  });
  return table(['move', ...outcomes], rows);
}

function table(heads: readonly string[], rows: readonly Html[]): Html {
  const head = heads.map((text) => html`<th>${text}</th>`);
  return html`<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

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
  /** Time spans of faults, drawn as background. */
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
  readonly repairedAt: number;
  readonly to: number;
  readonly label: string;
};

/** One row per kind: dark during the fault, light until recovery. */
export function renderSpans(title: string, spans: readonly Span[], endMs: number): Html {
  const rows = [...new Set(spans.map(({ row }) => row))].sort();
  const labelWidth = 110;
  const rowHeight = 20;
  const tall = rows.length * rowHeight + bottom + top;
  const x = (at: number) => round(labelWidth + (Math.min(at, endMs) / endMs) * (width - labelWidth));
  const parts = rows.map((row, at) => html`<text x="0" y="${top + at * rowHeight + 14}">${row}</text>`);
  for (const { row, from, repairedAt, to, label } of spans) {
    const y = top + rows.indexOf(row) * rowHeight + 3;
    const bar = (tone: string, start: number, end: number) =>
      html`<rect class="${tone}" x="${x(start)}" y="${y}" width="${Math.max(2, round(x(end) - x(start)))}" height="14"><title>${label}</title></rect>`;
    parts.push(bar('recovering', from, to), bar('broken', from, repairedAt));
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

/** The next of 1, 2, 5, 10, 20 and so on, for a readable axis. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
