// Reads the options of a command line; a mistake in them is told as such, and not as a failure.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { SvcError } from '#domain/errors.ts';

/** Throws USAGE that names the option which is unknown or lacks its value. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    throw new SvcError('USAGE', { reason: (error as Error).message }, error);
  }
}

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean', default: false } as const;
export const helpFlag = { ...flag, short: 'h' } as const;
