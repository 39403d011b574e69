// `svc config`: prints what is in force and where each value came from, secrets hidden.
import { findChainId } from '../app/connect.ts';
import { readSettings, type Setting } from '../config.ts';
import { defineRun, type Usage } from './options.ts';

export const usage = {
  command: 'config',
  synopsis: ['[--json]'],
  about:
    'Prints every variable of the configuration, its value in force and where that came from. Secrets are hidden; all mistakes are named at once, with exit code 1.',
  options: {},
  json: 'print a list of {name, value, source}',
  examples: ['svc config', 'svc config --json'],
} as const satisfies Usage;

export const run = defineRun(usage, async ({ values: { json } }, config) => {
  // The default of the chain id depends on the deployment file.
  const settings = readSettings().map(
    (setting): Setting =>
      setting.name === 'SVC_CHAIN_ID' && setting.source === 'unset'
        ? { ...setting, value: findChainId(config), source: 'default' }
        : setting,
  );
  console.log(json ? JSON.stringify(settings) : formatSettings(settings));
});

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
