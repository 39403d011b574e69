// `svc config`: prints what is in force and where each value came from, secrets hidden.
import { parseArgs } from 'node:util';
import { readSettings, type Setting } from '#config.ts';
import { SvcError } from '#domain/errors.ts';

const help = `Usage: svc config [--json]

Prints every variable of the configuration, its value in force and where that came from. Secrets are hidden; all
mistakes are named at once, with exit code 1.`;

export async function run(args: readonly string[]): Promise<number> {
  const given = parseOptions(args);
  if (given.help) console.log(help);
  else console.log(given.json ? JSON.stringify(readSettings()) : formatSettings(readSettings()));
  return 0;
}

function parseOptions(args: readonly string[]) {
  try {
    const options = {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    throw new SvcError('USAGE', { reason: (error as Error).message }, error);
  }
}

function formatSettings(settings: readonly Setting[]): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  return settings
    .map(({ name, value, source }) =>
      source === 'unset'
        ? `${name.padEnd(width)}  (unset)`
        : `${name.padEnd(width)}  ${[value].flat().join(', ')}${source === 'default' ? '  (default)' : ''}`,
    )
    .join('\n');
}
