// `npm test`: runs the TypeScript tests beside the Solidity tests, and ends with one line of counts.
//
// npm test                                everything but the series and the long runs
// npm test -- --series                    the series (part of `npm run verify`)
// npm test -- --long                      the long runs
// npm test -- service/src/config.test.ts  only these files, without the Solidity tests
// npm test -- --busy 4                    beside four processes that compute all the time, with three times the patience
// npm run web:shots                       some files, which take pictures into a folder on the way
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { join, relative } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWeb, readWebState } from '#service/app/webPages.ts';
import { addCounts, type Counts, formatCounts, formatFailure, parseSolidityCounts } from './counts.ts';
import { prepareTestBundle } from './testBundle.ts';
import { type Outcome, root, runTool } from './tools.ts';

/** Tests beside what they test start nothing and share nothing: one process is enough for all of them. */
const beside = ['sdk/src', 'service/src', 'web/src', 'scripts', 'bench', 'soak'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
const spanning = ['test/**/*.test.ts'];
/**
 * In a browser, command by command, with stock programs or killed processes: run by `npm run verify`. Those of a line share a process; the
 * chain of Hardhat must not share one with ours.
 */
const series = [
  'walletPages',
  'walletStories',
  'pages',
  'toolDispute serverCommands secrets hosting negotiation/commands',
  'guides',
  'wallets filesCommand',
  'package stockClients',
  'restart deployCommand',
  'keeperCommand audit keeperRaces',
  'demo',
  'backup store/processes',
  'frozenSite',
].map(listTests);
/** Long runs of faults, kills, races and figures: each night and before a release. */
const longOnly = [
  ...listTests(
    'bench earlierBuild killedAgents machine rollingRestart soak toolConformance x402v1 indexer/faults',
  ),
  'scripts/mutate/mutants.test.ts',
];
/** With the long forms of some tests. */
const long = [
  ...longOnly,
  ...listTests(`prepare api claimPayments frozenSite package pages restart toolInbox walletPages walletStories
    indexer/interrupted indexer/random runner`),
];
/** The longest of the others, in such an order that each group gets as much to do when they are dealt out. */
const longest = listTests(`prepare api claimPayments changes demoPartners paymentRecovery matching mcp
  clientActions relay gatewayReads sitePostgres notifications toolQuestions gatewayContract posting toolInbox files`);
/** Files that share a process and what they start in it: PostgreSQL, or the chain of Hardhat. */
const groups = [
  ['test/store/*.test.ts', 'test/indexer/{interrupted,leading,random}.test.ts'],
  ['test/{deploy,send}.test.ts'],
];
/** All other files are dealt out to this many processes. */
const dealtGroups = 4;

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    series: { type: 'boolean' },
    long: { type: 'boolean' },
    shots: { type: 'string' },
    busy: { type: 'string', default: '0' },
  },
});
// They end with this process, however it ends. First, before this process becomes less urgent.
const loop = 'for (const parent = process.ppid; process.ppid === parent; );';
const busy = Array.from({ length: Number(options.busy) }, () => spawn(process.execPath, ['-e', loop]));
if (busy.length > 0) process.env.SVC_TEST_PATIENCE ??= '3';
const { longestRunMs } = await import('../test/support/patience.ts');
if (options.long) process.env.SVC_LONG_TESTS = '1';
if (options.shots !== undefined) process.env.SVC_TEST_SHOTS = options.shots;
// First, because they take longest; without the long run that shows what random runs reach: `npm run contracts:fuzz` has it.
const isWhole = !options.series && !options.long && chosen.length === 0;
const solidity = isWhole ? runSolidity() : undefined;
// Compiling them takes one core for most of the run: the others may not make it wait, or it is left alone at the end.
if (isWhole) setPriority(5);
// Tests start svc from a bundle; without this variable they start it from its sources.
process.env.SVC_TEST_BUNDLE ??= await prepareTestBundle();
// Each process would compile the same files again.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compile');
const failures: string[] = [];
// A test that ends this process must not look like success.
const fail = () => {
  process.exitCode = 1;
};
process.once('exit', fail);
const counts = addCounts(await runSuites());
process.removeListener('exit', fail);
for (const one of busy) one.kill();

process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
// Repeated at the end, where they are easy to find.
if (failures.length > 0) console.log(`\n${failures.join('\n')}`);
console.log(`\n${formatCounts(counts)}`);

async function runSuites(): Promise<Counts[]> {
  // Most files wait for a chain or a process half of the time. Those in a browser do not, and the longest of them must not be left alone at
  // the end; some of the long ones measure time.
  const concurrency = availableParallelism() * (options.long || options.series ? 2 : 3);
  if (options.series || options.long) {
    // Several files need the pages, and would each build them.
    if (readWebState() !== 'fresh') await buildWeb(new AbortController().signal);
    const alone = (files: readonly string[], number: number) =>
      files.length > 1 ? writeGroup(files, number) : files;
    const files = options.long ? find(long) : series.flatMap(alone);
    return [await runTypeScript(files, { concurrency })];
  }
  if (solidity === undefined) return [await runTypeScript(find(chosen), { concurrency })];
  const single = find([...series.flat(), ...longOnly]);
  const grouped = groups.map((patterns) => find(patterns).filter((file) => !single.includes(file)));
  const others = find([...longest, ...spanning]).filter(
    (file) => !single.includes(file) && !grouped.flat().includes(file),
  );
  const dealt = Array.from({ length: dealtGroups }, (_, at) =>
    others.filter((_, place) => place % dealtGroups === at),
  );
  // The longest first, so that none is left alone at the end.
  const units = find(beside).filter((file) => !single.includes(file));
  const files = [...dealt, ...grouped, units].map(writeGroup);
  return [await runTypeScript(files, { concurrency }), readSolidity(await solidity)];
}

/** The contracts in use, with a short form of the random tests until they are replaced. `npm run verify` tests the next ones. */
function runSolidity(): Promise<Outcome> {
  const args = ['test', 'solidity', '--grep-exclude', '^test_aLongRun'];
  const { SVC_FUZZ_RUNS: fuzzRuns = '25', SVC_INVARIANT_RUNS: invariantRuns = '2' } = process.env;
  return runTool('hardhat', args, 'kept', undefined, {
    SVC_FUZZ_RUNS: fuzzRuns,
    SVC_INVARIANT_RUNS: invariantRuns,
  });
}

/** Names of files in `test`, without their ending, with white space between them. */
function listTests(names: string): string[] {
  return names.split(/\s+/).map((name) => `test/${name}.test.ts`);
}

function find(patterns: readonly string[]): string[] {
  const found = patterns.flatMap((pattern) => {
    const files = globSync(pattern, { cwd: root, exclude: ['**/fixtures/**', '**/node_modules/**'] });
    if (files.length === 0) throw new Error(`No test file matches ${pattern}.`);
    return files.sort();
  });
  return [...new Set(found)];
}

/**
 * Writes a file that runs these test files one after the other, each as a suite with its own hooks. Loading the modules
 * takes longer than most of the tests, so files share a process.
 */
function writeGroup(files: readonly string[], number: number): string {
  const folder = join(root, 'node_modules/.cache/tests');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `group${number}.test.mjs`);
  const suites = files.map((file) => {
    const [name, address] = [file, pathToFileURL(join(root, file)).href].map((text) => JSON.stringify(text));
    return `describe(${name}, async () => { await import(${address}); });\n`;
  });
  writeFileSync(path, ["import { describe } from 'node:test';\n", ...suites].join(''));
  return relative(root, path);
}

async function runTypeScript(
  files: readonly string[],
  how: Pick<RunOptions, 'concurrency'>,
): Promise<Counts> {
  const events = run({
    cwd: root,
    files: files.map((file) => join(root, file)),
    ...how,
    signal: AbortSignal.timeout(longestRunMs),
  });
  let counts: Counts | undefined;
  events.on('test:summary', ({ file, counts: seen, success }) => {
    // The runner also reports each file; the whole run has no file. What neither passed nor was skipped has failed
    // or was cancelled. A file of a group that cannot be loaded has no tests to count.
    const { tests, passed, skipped, todo } = seen;
    const failed = Math.max(tests - passed - skipped - todo, success ? 0 : 1);
    if (file === undefined) counts = { passed, failed };
  });
  events.on('test:fail', (failed) => {
    const { name, file, details } = failed;
    const { error } = details;
    // A suite fails with its tests, and tests fail with their hooks: only the first cause is listed.
    if ('failureType' in error && /subtestsFailed|cancelledByParent/.test(String(error.failureType))) return;
    const path = relative(root, file ?? '');
    failures.push(formatFailure(path, name, String(error.cause ?? error.message)));
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  return counts ?? reportUnread('the TypeScript tests');
}

function readSolidity({ exitCode, output }: Outcome): Counts {
  process.stdout.write(output);
  if (exitCode !== 0) failures.push(formatFailure('contracts', 'the Solidity tests', 'see above'));
  const counts = parseSolidityCounts(output);
  if (counts === undefined) return reportUnread('the Solidity tests');
  // A failed run that counts no failure ended early.
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** A suite without counts is one failure: silence must not look like success. */
function reportUnread(what: string): Counts {
  console.error(`No counts could be read from ${what}.`);
  return { passed: 0, failed: 1 };
}
