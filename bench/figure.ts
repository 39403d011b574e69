// One measured figure, what it must reach, and how it is written down.

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

/** Empty where nothing was promised. */
export function judge({ value, atLeast, atMost }: Figure): Verdict {
  if (atLeast === undefined && atMost === undefined) return '';
  // Written so that a figure which is no number falls short.
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
