// `svc config`: prints what is in force and where each value came from, secrets hidden.
import { readSettings, type Setting } from '#config.ts';
import { flag, helpFlag, parseOptions } from './options.ts';

const help = `Usage: svc config [--json]

Prints every variable of the configuration, its value in force and where that came from. Secrets are hidden; all
mistakes are named at once, with exit code 1.`;

export async function run(args: readonly string[]): Promise<number> {
  const given = parseOptions(args, { json: flag, help: helpFlag });
  if (given.help) console.log(help);
  else console.log(given.json ? JSON.stringify(readSettings()) : formatSettings(readSettings()));
  return 0;
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
