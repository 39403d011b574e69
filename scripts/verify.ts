// `npm run verify`: everything that must hold before a change is taken in, closed with one line of counts.
//
// --after-tests "N passed, N failed"   the tests ran already, with this result: run the other checks only
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addCounts, type Counts, formatCounts, parseCounts } from './counts.ts';
import { type Outcome, root, runNode, runTool } from './tools.ts';

type Check = { readonly name: string; readonly run: () => Promise<Outcome> };

const script = (name: string, ...args: string[]) => runNode([join(root, 'scripts', name), ...args]);

const checks: Check[] = [
  { name: 'lint and format', run: () => runTool('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'types', run: () => runTool('tsc', ['--noEmit']) },
  { name: 'generated files are fresh', run: () => script('generate.ts', '--check') },
  { name: 'code size', run: () => script('codeSize.ts') },
  { name: 'gas', run: () => script('gas.ts', '--check') },
  { name: 'licences', run: () => script('licences.ts', '--check') },
  { name: 'known weaknesses', run: () => script('audit.ts') },
];

const { values } = parseArgs({ options: { 'after-tests': { type: 'string' } } });
const tests = values['after-tests'] === undefined ? await runTests() : readTests(values['after-tests']);

const results: { readonly name: string; readonly isGood: boolean }[] = [];
for (const { name, run } of checks) {
  console.log(`\n== ${name}`);
  results.push({ name, isGood: (await run()).exitCode === 0 });
}

console.log('\n== summary');
console.log(`${tests.failed === 0 ? 'ok    ' : 'FAILED'} tests: ${formatCounts(tests)}`);
for (const { name, isGood } of results) console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name}`);

// Each check counts as one, so that the last line never says less than the exit code.
const counts = addCounts([
  tests,
  ...results.map(({ isGood }) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 })),
]);
process.exitCode = counts.failed > 0 ? 1 : 0;
console.log(`\n${formatCounts(counts)}`);

async function runTests(): Promise<Counts> {
  console.log('== tests');
  return readTests((await script('test.ts')).output);
}

function readTests(text: string): Counts {
  return parseCounts(text) ?? { passed: 0, failed: 1 };
}
