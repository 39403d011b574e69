// The command line of a run.
import { parseArgs } from 'node:util';
import { SvcError } from '#sdk/domain/errors.ts';

export type RunOptions = ReturnType<typeof parseRunOptions>;

const longestSeconds = 7 * 86_400;

/** Throws USAGE with the wrong option. The default seed is random. */
export function parseRunOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '3' },
      seconds: { type: 'string' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      out: { type: 'string', default: '.svc/soak' },
      latency: { type: 'string', default: '0' },
      faults: { type: 'string' },
    },
  });
  const minutes = readNumber('minutes', values.minutes, longestSeconds / 60);
  return {
    seconds:
      values.seconds === undefined ? 60 * minutes : readNumber('seconds', values.seconds, longestSeconds),
    seed: readNumber('seed', values.seed, 2 ** 32),
    /** The folder of the report. */
    out: values.out,
    /** What every answer of the chain's providers takes at least. */
    latencyMs: readNumber('latency', values.latency, 10_000),
    /** Only these faults; null means all. */
    faults: values.faults?.split(',').map((name) => name.trim()) ?? null,
  };
}

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || value > most)
    throw new SvcError('USAGE', { reason: `--${name} must be a number up to ${most}.` });
  return value;
}
