// `npm run verify`: everything that must hold before a change is merged, with one line of counts at the end.
//
// --after-tests <file>   `npm test` ran already and printed this: run only the series and the other checks
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadPages, readBlocks } from '../test/docs/markdown.ts';
import { addCounts, formatCounts, parseCounts, parseFailures } from './counts.ts';
import { type Outcome, root, runNode, runTool } from './tools.ts';

type Check = { readonly name: string; readonly run: () => Promise<Outcome> };

const script = (name: string, ...args: string[]) => runNode([join(root, 'scripts', name), ...args], 'kept');
const next = (name: string, ...args: string[]) =>
  runNode([join(root, 'contracts/next', name), ...args], 'kept');
const tool = (...[name, args]: [Parameters<typeof runTool>[0], string[]]) => runTool(name, args, 'kept');

/** Several checkers repeat much of each other's work: twice the time of the processor, and the tests need the other cores. */
const types = ['--noEmit', '--checkers', '1'];

const checks: Check[] = [
  { name: 'lint and format', run: () => tool('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'format of the contracts', run: checkFormat },
  { name: 'lint of the contracts', run: () => script('solidityLint.ts') },
  { name: 'lint of the next contracts', run: () => script('solidityLint.ts', '--next') },
  { name: 'types, also in guides', run: checkTypes },
  { name: 'types of the pages', run: () => tool('tsc', [...types, '-p', 'web']) },
  { name: 'generated files are fresh', run: () => script('generate.ts', '--check') },
  { name: 'code size', run: () => script('codeSize.ts') },
  { name: 'code size of the next contracts', run: () => script('codeSize.ts', '--next') },
  {
    name: 'tests of the next contracts',
    run: () => runTool('hardhat', ['test', 'solidity'], 'kept', join(root, 'contracts/next')),
  },
  {
    // Of what those have compiled.
    name: 'model of the next contracts',
    run: () => script('test.ts', ...globSync('contracts/next/test/**/*.test.ts', { cwd: root })),
  },
  {
    name: 'proof of the split',
    run: () => next('proofs/prove.ts'),
  },
  { name: 'gas of the next contracts', run: () => next('gas.ts', '--check') },
  { name: 'deviations of the next contracts', run: () => next('deviations.ts', '--check') },
  { name: 'powers over the next contracts', run: () => next('powers.ts', '--check') },
  { name: 'gas', run: () => script('../bench/gas.ts', '--check', '--generated') },
  { name: 'licences', run: () => script('dependencies.ts', 'licences', '--check') },
  { name: 'measures', run: () => script('measures.ts') },
  { name: 'known weaknesses', run: () => script('dependencies.ts', 'audit') },
];

const { values } = parseArgs({ options: { 'after-tests': { type: 'string' } } });
const before =
  values['after-tests'] === undefined ? await runTests('tests') : readFileSync(values['after-tests'], 'utf8');
// The Solidity tests have compiled them; where they could not, tests have failed.
process.env.SVC_CONTRACTS_BUILT = 'yes';
// Beside the series, which often wait; the output of the checks is printed after that of the series, in order.
const outcomes = new Map<Check, Outcome>();
async function runChecks(): Promise<void> {
  for (const check of checks) outcomes.set(check, await check.run());
}
const [series] = await Promise.all([runTests('series', '--series'), runChecks()]);
const printed = [before, series];
const tests = addCounts(printed.map((text) => parseCounts(text) ?? { passed: 0, failed: 1 }));

const results = checks.map((check) => {
  const { output, exitCode } = outcomes.get(check) as Outcome;
  console.log(`\n== ${check.name}\n${output}`);
  return { name: check.name, isGood: exitCode === 0 };
});

console.log('\n== summary');
console.log(`${tests.failed === 0 ? 'ok    ' : 'FAILED'} tests: ${formatCounts(tests)}`);
for (const line of printed.flatMap(parseFailures)) console.log(`  ${line}`);
for (const { name, isGood } of results) console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name}`);

// Each check counts as one, so that the last line never says less than the exit code.
const counts = addCounts([
  tests,
  ...results.map(({ isGood }) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 })),
]);
process.exitCode = counts.failed > 0 ? 1 : 0;
console.log(`\n${formatCounts(counts)}`);

/** Of the files that differ from the main branch, or of all where it is not known: all take long, and are checked each night. */
async function checkFormat(): Promise<Outcome> {
  const folders = ['contracts/src', 'contracts/test', 'contracts/next'];
  const asked = ['diff', '--name-only', '--diff-filter=d', 'origin/main', '--', ...folders];
  const { status, stdout } = spawnSync('git', asked, { cwd: root, encoding: 'utf8' });
  const files = status === 0 ? stdout.split('\n').filter((path) => path.endsWith('.sol')) : folders;
  if (files.length === 0) return { exitCode: 0, output: 'No contract differs from origin/main.\n' };
  return tool('prettier', ['--check', ...files]);
}

/** With every TypeScript block of the guides, which need no compiler of their own that reads all types again. */
async function checkTypes(): Promise<Outcome> {
  const folder = join(root, 'node_modules/.cache/guides');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // What the text around a block says that the reader has.
  const given = `
    declare const account: import('viem').LocalAccount, content: Uint8Array<ArrayBuffer>;
    declare const texts: string[], head: import('viem').Hex;`;
  const blocks = loadPages('docs/*.md').flatMap(readBlocks);
  const files = blocks.flatMap(({ language, text }, at) => {
    if (language !== 'ts') return [];
    writeFileSync(join(folder, `${at}.ts`), text + given);
    return `${at}.ts`;
  });
  if (files.length === 0) return { exitCode: 1, output: 'No guide has a TypeScript block.\n' };
  const config = { extends: '../../../tsconfig.json', compilerOptions: { rootDir: root }, files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return tool('tsc', [...types, '-p', folder]);
}

async function runTests(name: string, ...args: string[]): Promise<string> {
  console.log(`\n== ${name}`);
  return (await runNode([join(root, 'scripts/test.ts'), ...args])).output;
}
