// `npm run contracts:findings`: plays the findings of the third reading on the contracts that it read.
//
// Takes the contracts, guides and `svc deploy` of the second edition from the history, runs contracts/findings beside their
// tests with the Hardhat of today, and prints what shows each finding there and what shows it closed. Fails if a test that
// the table "Third reading" in docs/security.md names does not pass on the second edition.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root, runNode } from '../scripts/tools.ts';

/** The last commit before the first repair, which was of the guides; the third edition of the contracts followed nine hours later. */
const commit = '8a3ee63dbd25bddfaea1c5a714f64982c919caf5';
/** Inside the repository, so that libraries are found; in an ignored folder, so that nothing else finds it. */
const folder = join(root, 'contracts/cache/second-edition');
const tests = 'test/SecondEdition.t.sol';

/** Words of that commit, which no test of a contract reads. */
const roles =
  /given.owner \?\? deployer;[^}]+given.treasury \?\? owner;[^}]+given\['fallback-arbitrator'\] \?\? owner,/;
const words = [
  { finding: '9', path: 'service/src/cli/deploy.ts', text: roles },
  { finding: '16', path: 'docs/contracts.md', text: /^MutualSettlement\([^)]+uint96 held,uint16 workerBps/m },
  { finding: '16', path: 'docs/operations/register-arbitrator.md', text: /loses 10 % of its\s+bond\./ },
];

if (!takeSecondEdition()) {
  const missing = `This clone has no commit ${commit.slice(0, 8)}, the second edition of the contracts.`;
  console.error(`${missing} Run \`git fetch --unshallow\`, or clone the whole history.`);
  process.exit(1);
}
// Of a test that is named alone, Hardhat compiles nothing else.
await runHardhat('build', '--no-tests');
const { exitCode, output } = await runHardhat('test', 'solidity', tests);
const passed = [...stripVTControlCharacters(output).matchAll(/✔ (test_\w+)/g)].map(([, name = '']) => name);
const said = words.filter(({ path, text }) => text.test(readFileSync(join(folder, path), 'utf8')));
const shown = new Set([...passed, ...said.map(({ path }) => path)]);
const findings = readFindings();

printRow('', 'on the second edition', 'on the contracts of today');
for (const { number, before, now } of findings)
  for (let row = 0; row < Math.max(before.length, now.length); row++) {
    const what = before[row];
    const result = what === undefined ? '' : `${shown.has(what) ? 'passed' : 'FAILED'} ${what}`;
    printRow(row === 0 ? number : '', result, now[row] ?? '');
  }
const evidence = findings.flatMap(({ before }) => before);
const isShown = evidence.every((what) => shown.has(what)) && evidence.length === shown.size;
if (exitCode !== 0 || !isShown) console.error(output);
console.log(
  `\n${findings.length} findings, shown by ${shown.size} of ${evidence.length} on ${commit.slice(0, 8)}`,
);
process.exitCode = exitCode === 0 && isShown ? 0 : 1;

function printRow(number: string, before: string, now: string): void {
  console.log(`${number.padStart(2)}  ${before.padEnd(65)}  ${now}`);
}

function runHardhat(...args: string[]) {
  const hardhat = join(root, 'node_modules/hardhat/dist/src/cli.js');
  return runNode([hardhat, ...args], 'kept', join(folder, 'contracts'));
}

/** False where the history is missing. */
function takeSecondEdition(): boolean {
  const paths = ['src', 'test', 'hardhat.config.ts', 'package.json'].map((name) => `contracts/${name}`);
  const args = ['archive', commit, ...paths, ...words.map(({ path }) => path)];
  const archive = spawnSync('git', args, { cwd: root, maxBuffer: 2 ** 26 });
  if (archive.status !== 0) return false;
  mkdirSync(folder, { recursive: true });
  if (spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout }).status !== 0)
    throw new Error('tar does not unpack what git archived.');
  copyFileSync(join(root, 'contracts/findings/SecondEdition.t.sol'), join(folder, 'contracts', tests));
  return true;
}

/** By the rows of the table: tests of the second edition stand in its second column, those of today in its fourth. */
function readFindings() {
  const [, section = ''] = readFileSync(join(root, 'docs/security.md'), 'utf8').split('## Third reading');
  const names = (cell: string) => [...cell.matchAll(/\[([^\]]+)\]\(/g)].map(([, name = '']) => name);
  return [...section.matchAll(/^\| (\d+) \|(.*)$/gm)].map(([, number = '', rest = '']) => {
    const [before, , now] = rest.split(' | ').map(names);
    const said = words.filter(({ finding }) => finding === number).map(({ path }) => path);
    return { number, before: [...(before ?? []), ...said], now: now ?? [] };
  });
}
