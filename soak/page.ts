// The report as one page without anything from outside: what was promised, what broke, and how it went.
import { type Html, html, style } from '#service/http/reference/document.ts';
import { describeHardware } from '../bench/figure.ts';
import { formatTime, renderLines, renderSpans } from './plot.ts';
import type { Report } from './report.ts';

const ownStyle = `
main { max-width: 1080px; margin: 0 auto; border: 0 }
main h2 { margin-top: 40px }
td:last-child, th:last-child { width: auto }
figure { margin: 16px 0 } figcaption { font-size: 13px; line-height: 20px; color: var(--soft) }
svg { width: 100%; height: auto; overflow: visible } svg text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: var(--soft) }
polyline { fill: none; stroke-width: 1.5; stroke-linejoin: round } .accent { stroke: var(--accent) } .soft { stroke: var(--soft) }
.red { stroke: #b3261e } .axis { stroke: var(--line) } .ground { fill: var(--line); opacity: 0.45 } .broken { fill: var(--amber) }
.mending { fill: var(--amber); opacity: 0.35 } .bad { color: #b3261e; font-weight: 600 } .good { color: var(--accent) }
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
<h2>Faults</h2><p>Dark while something is broken, light until everything is well again.</p>${renderFaults(report)}
<h2>Answers</h2>${renderAnswers(report)}
<h2>Memory</h2>${renderMemory(report)}
<h2>Moves</h2>${renderMoves(report)}
</main></body></html>
`.html;
}

/** A busy machine is shown beside them, and is none. */
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
      title:
        'Answers a second: all good ones, and in red those that failed (grey ground: something is broken)',
      unit: '/s',
      endMs,
      grounds: faults,
      lines: [
        { points: line(({ good }) => good / perSecond), tone: 'accent' },
        { points: line(({ failed }) => failed / perSecond), tone: 'red' },
      ],
    }),
    renderLines({
      title: 'Milliseconds to an answer: the median, and in grey the slowest',
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

/** A new line begins where a process was started anew. */
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
