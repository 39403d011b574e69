// `npm run audit`: asks the registry for known weaknesses of what the service is made of.
//
// Fails on one that is high or critical. Where no registry answers that question, it says so and does not fail: a
// build without a network is no weaker than one with it.
import { spawnSync } from 'node:child_process';
import { root } from './tools.ts';

type Report = { readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> } };

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const counts = parseReport(stdout)?.metadata?.vulnerabilities;
if (counts === undefined) {
  console.log('No registry answered what is known about the dependencies: NOT CHECKED.');
} else {
  const { high = 0, critical = 0, total = 0 } = counts;
  console.log(`${total} known weaknesses in what the service is made of, ${high} high, ${critical} critical`);
  process.exitCode = high + critical > 0 ? 1 : 0;
}

function parseReport(text: string): Report | null {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return null;
  }
}
