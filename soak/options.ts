// The command line of a run.
import { parseArgs } from 'node:util';
import { SvcError } from '#sdk/domain/errors.ts';

export type RunOptions = {
  /** Duration of the run. */
  readonly seconds: number;
  readonly seed: number;
  /** The folder of the report. */
  readonly out: string;
  /** What every answer of the chain's providers takes at least. */
  readonly latencyMs: number;
  /** Only these faults; null means all. */
  readonly faults: readonly string[] | null;
};

const longestSeconds = 7 * 86_400;

/** Throws USAGE with the wrong option. The default seed is random. */
export function parseRunOptions(args: readonly string[]): RunOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '3' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      out: { type: 'string', default: '.svc/soak' },
      latency: { type: 'string', default: '0' },
      faults: { type: 'string' },
    },
  });
  return {
    seconds:
      values.seconds === undefined
        ? 60 * readNumber('minutes', values.minutes, longestSeconds / 60)
        : readNumber('seconds', values.seconds, longestSeconds),
    seed:
      values.seed === undefined ? Math.floor(Math.random() * 1e9) : readNumber('seed', values.seed, 2 ** 32),
    out: values.out,
    latencyMs: readNumber('latency', values.latency, 10_000),
    faults: values.faults?.split(',').map((name) => name.trim()) ?? null,
  };
}

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || value > most)
    throw new SvcError('USAGE', { reason: `--${name} must be a number up to ${most}.` });
  return value;
}
