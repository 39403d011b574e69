// Figures of a run: statistics, targets, and the tables on screen and in docs/performance.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describePlaces } from './processes.ts';

export type Unit =
  | 'ratio'
  | 'perSecond'
  | 'microseconds'
  | 'milliseconds'
  | 'seconds'
  | 'megabytes'
  | 'kilobytes';

export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  readonly atLeast?: number;
  readonly atMost?: number;
};

export type Verdict = 'ok' | 'short' | '';

/** Empty for a figure without a target. */
export function judge({ value, atLeast, atMost }: Figure): Verdict {
  if (atLeast === undefined && atMost === undefined) return '';
  // NaN counts as short.
  return value >= (atLeast ?? value) && value <= (atMost ?? value) ? 'ok' : 'short';
}

export function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case 'ratio':
      return value >= 20 ? value.toFixed(0) : value.toFixed(2);
    case 'perSecond':
      return `${Math.round(value).toLocaleString('en')}/s`;
    case 'microseconds':
      return `${Math.round(value)} µs`;
    case 'milliseconds':
      return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
    case 'seconds':
      return `${value.toFixed(2)} s`;
    case 'megabytes':
      return `${Math.round(value)} MB`;
    case 'kilobytes':
      return `${value.toFixed(1)} kB`;
  }
}

export function formatTarget({ atLeast, atMost, unit }: Figure): string {
  if (atLeast !== undefined) return `at least ${formatValue(atLeast, unit)}`;
  return atMost === undefined ? '' : `at most ${formatValue(atMost, unit)}`;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Interpolates between two neighbours. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('An empty list has no quantile.');
  const sorted = values.toSorted((left, right) => left - right);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * The median of the ratios of pairs measured one after the other: other load on the machine affects both of a pair.
 */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  if (above.length !== below.length) throw new RangeError('Ratios need pairs.');
  return median(above.map((value, at) => value / (below[at] as number)));
}

export function formatFigure(figure: Figure): string {
  const cells = [formatValue(figure.value, figure.unit), formatTarget(figure), judge(figure)];
  return `${figure.name.padEnd(76)} ${cells.filter((cell) => cell !== '').join('  ')}`;
}

export function describeMachine(): string {
  return `${describeHardware()}, ${describePlaces()}`;
}

/** Only what a figure depends on; no name or path of the machine. */
export function describeHardware(): string {
  const node = process.versions.node.split('.')[0];
  return `${availableParallelism()} ${process.arch} cores, ${process.platform}, Node ${node}`;
}

export function buildTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    formatValue(figure.value, figure.unit),
    formatTarget(figure),
    judge(figure),
  ]);
  return `${describeMachine()}.\n\n${formatTable(['what', 'figure', 'target', ''], rows)}`;
}

export function formatTable(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
export function replaceBetweenMarks(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start === -1 || end < start) throw new Error(`the marks of ${name} are missing`);
  return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
}

export function savePage(file: string, name: string, content: string): void {
  writeFileSync(file, replaceBetweenMarks(readFileSync(file, 'utf8'), name, content));
}
