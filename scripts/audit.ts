// `npm run audit`: asks the registry for known vulnerabilities of the packages that users get.
//
// Fails on a high or critical one. Without an answer from a registry it says so and does not fail, so that builds
// without a network work.
import { spawnSync } from 'node:child_process';
import { readLockFile } from './lockFile.ts';
import { root } from './tools.ts';

type Report = { readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>> };

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const vulnerabilities = parseReport(stdout)?.vulnerabilities;
if (vulnerabilities === undefined) {
  console.log('No registry answered: the dependencies were NOT CHECKED.');
} else {
  const shipped = new Set(readLockFile().flatMap(({ name, isShipped }) => (isShipped ? [name] : [])));
  const found = Object.entries(vulnerabilities).filter(([name]) => shipped.has(name));
  const severe = found.filter(([, { severity }]) => severity === 'high' || severity === 'critical');
  for (const [name, { severity }] of found) console.log(`${name}: ${severity}`);
  console.log(`${found.length} known vulnerabilities, ${severe.length} of them high or critical`);
  process.exitCode = severe.length > 0 ? 1 : 0;
}

function parseReport(text: string): Report | null {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return null;
  }
}
