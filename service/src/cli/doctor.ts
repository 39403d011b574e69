// `svc doctor`: looks at everything svc needs, says what is wrong and how to mend it.
import { readConfig } from '#config.ts';
import { checkChain } from './doctor/chain.ts';
import type { Finding } from './doctor/finding.ts';
import { checkDataDir, checkNode, checkPorts } from './doctor/machine.ts';
import { checkDatabase } from './doctor/store.ts';
import { parseOptions } from './options.ts';
import type { Usage } from './usage.ts';

export const usage = {
  command: 'doctor',
  synopsis: ['[--json]'],
  about:
    'Checks Node, the data folder, the ports, the database, each RPC (chain, logs, age), the contracts and their wiring, the keys and the clock. Ends with 1 where something keeps svc from working.',
  options: {},
  json: 'print a list of {subject, verdict, found, mend}',
  examples: ['svc doctor'],
} as const satisfies Usage;

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

export async function run(args: readonly string[]): Promise<number> {
  const { json } = parseOptions(usage, args).values;
  const config = readConfig();
  const findings = (
    await Promise.all([
      checkNode(),
      checkDataDir(config),
      checkPorts(config),
      checkDatabase(config),
      checkChain(config),
    ])
  ).flat();
  console.log(json ? JSON.stringify(findings) : findings.map(format).join('\n'));
  return findings.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
}

function format({ subject, verdict, found, mend }: Finding): string {
  return `${marks[verdict]}  ${subject}: ${found}${mend === null ? '' : `\n      ${mend}`}`;
}
