// `npm test`: runs the TypeScript tests beside the Solidity tests, and closes with one line of counts.
//
// npm test                        everything
// npm test -- service/src/config.test.ts  only these files, without the Solidity tests
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { addCounts, type Counts, formatCounts, formatFailure, parseSolidityCounts } from './counts.ts';
import { prepareTestBundle } from './testBundle.ts';
import { type Outcome, root, runTool, startTool } from './tools.ts';

/** Tests beside what they test start nothing and share nothing: one process is enough for all of them. */
const beside = ['sdk/src', 'service/src', 'web/src', 'scripts', 'bench', 'soak'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
const spanning = ['test/**/*.test.ts'];
/** Begun first: one that begins last would leave all but one core without work. */
const longest = ['pages', 'wallets', 'siteProcesses', 'bench', 'keeper', 'guides', 'mcp'].map(
  (name) => `test/${name}.test.ts`,
);

const longestRunMs = 60 * 60_000;

const chosen = process.argv.slice(2);
// Tests start svc from a bundle; without this variable they start it from its sources.
process.env.SVC_TEST_BUNDLE ??= await prepareTestBundle();
// Each process would compile the same files again.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compile');
const suites: Counts[] = [];
const failures: string[] = [];
const solidity = chosen.length === 0 ? await runBeside() : null;
// Most files wait for a chain or a process half of the time.
suites.push(
  await runTypeScript(chosen.length > 0 ? chosen : [...longest, ...spanning], {
    concurrency: 2 * availableParallelism(),
  }),
);
if (solidity !== null) suites.push(readSolidity(await solidity.outcome));

const counts = addCounts(suites);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
// Once more at the end, where nobody has to look for them.
if (failures.length > 0) console.log(`\n${failures.join('\n')}`);
console.log(`\n${formatCounts(counts)}`);

/** Begins the Solidity tests as well, after those that must have this process for themselves to count as ended. */
async function runBeside(): Promise<{ readonly outcome: Promise<Outcome> }> {
  // On a clean clone the compiler has a core to itself for longer than these tests need the other.
  const compiled = startTool('hardhat', ['build', '--quiet']);
  suites.push(await runTypeScript(beside, { isolation: 'none' }));
  return { outcome: compiled().then(() => runTool('hardhat', ['test', 'solidity'], 'kept')) };
}

async function runTypeScript(
  patterns: readonly string[],
  how: Pick<RunOptions, 'isolation' | 'concurrency'>,
): Promise<Counts> {
  const found = patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: ['**/fixtures/**', '**/node_modules/**'] }).sort(),
  );
  const files = [...new Set(found)];
  if (files.length === 0) return reportUnread('the TypeScript tests: no file matches');
  const events = run({
    cwd: root,
    files: files.map((file) => join(root, file)),
    ...how,
    // A file that never ends, for a handle that was left open or a hook that waits in vain, is ended and named.
    signal: AbortSignal.timeout(longestRunMs),
  });
  let counts: Counts | undefined;
  events.on('test:summary', ({ file, counts: seen }) => {
    // The runner sums up each file as well; the whole run has no file. What was neither passed nor left out
    // failed or was cancelled.
    const { tests, passed, skipped, todo } = seen;
    if (file === undefined) counts = { passed, failed: tests - passed - skipped - todo };
  });
  events.on('test:fail', ({ name, file, details: { error } }) => {
    // That a suite fails with its tests, or its tests with what comes before them, is no news.
    if ('failureType' in error && /subtestsFailed|cancelledByParent/.test(String(error.failureType))) return;
    failures.push(formatFailure(relative(root, file ?? ''), name, String(error.cause ?? error.message)));
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  return counts ?? reportUnread('the TypeScript tests');
}

function readSolidity({ exitCode, output }: Outcome): Counts {
  process.stdout.write(output);
  if (exitCode !== 0) failures.push(formatFailure('contracts', 'the Solidity tests', 'see above'));
  const counts = parseSolidityCounts(output);
  if (counts === undefined) return reportUnread('the Solidity tests');
  // A failed run that counts no failure broke off somewhere.
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** A suite that cannot be counted is one failure: silence must never look like success. */
function reportUnread(what: string): Counts {
  console.error(`No counts could be read from ${what}.`);
  return { passed: 0, failed: 1 };
}
