// Writes the figures of a run down: on the screen, and between the marks of docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Figure, formatTarget, formatValue, judge } from './figure.ts';
import { describePlaces } from './processes.ts';

export function formatFigure(figure: Figure): string {
  const cells = [formatValue(figure.value, figure.unit), formatTarget(figure), judge(figure)];
  return `${figure.name.padEnd(76)} ${cells.filter((cell) => cell !== '').join('  ')}`;
}

export function describeMachine(): string {
  return `${describeHardware()}, ${describePlaces()}`;
}

/** Never a name or a path of the machine: only what a figure depends on. */
export function describeHardware(): string {
  const node = process.versions.node.split('.')[0];
  return `${availableParallelism()} ${process.arch} cores, ${process.platform}, Node ${node}`;
}

export function buildTable(figures: readonly Figure[]): string {
  const rows = figures.map(
    (figure) =>
      `| ${figure.name} | ${formatValue(figure.value, figure.unit)} | ${formatTarget(figure)} | ${judge(figure)} |`,
  );
  return [`${describeMachine()}.`, '', '| what | figure | target | |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
export function replaceBetweenMarks(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start === -1 || end < start) throw new Error(`the marks of ${name} are missing`);
  return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
}

export function savePage(file: string, name: string, figures: readonly Figure[]): void {
  writeFileSync(file, replaceBetweenMarks(readFileSync(file, 'utf8'), name, buildTable(figures)));
}
