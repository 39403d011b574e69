// `npm run soak`: runs a market while injecting faults, then checks every guarantee.
//
// --minutes n   duration; default 3. Use --seconds n for a short run that injects a few faults
// --seed n      repeats the plan of an earlier run; default random
// --faults a,b  only these faults, by the names in faults/all.ts
// --latency n   milliseconds that every answer of the servers' providers takes at least; default 0
// --out folder  folder of the report; default .svc/soak
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgress } from '#service/app/progress.ts';
import { buildWeb, readWebState } from '#service/app/webPages.ts';
import { createAsk } from './asking.ts';
import { checkAll, checkEnds } from './checks/all.ts';
import { faultKinds } from './faults/all.ts';
import { waitUntilHealthy } from './faults/healthy.ts';
import { createJournal } from './journal.ts';
import { parseRunOptions, type RunOptions } from './options.ts';
import { createPeople } from './people.ts';
import { perform } from './perform.ts';
import { buildPlan } from './plan.ts';
import { buildReport, formatReport } from './report.ts';
import { createSetup, startAll } from './setup.ts';

const { seconds, seed, out, faults, latencyMs } = readOptions();

console.log(`Seed ${seed}: --seed ${seed} repeats this plan.`);
// Without them, a site answers every page with 503.
if (readWebState() !== 'fresh') await buildWeb(new AbortController().signal);
const setup = await createSetup(latencyMs);
try {
  if (setup.disk === null) console.log('No disk can be mounted here, so none becomes full.');
  const people = await createPeople(setup);
  await startAll(setup);
  const journal = createJournal();
  const world = { setup, people, journal, ask: createAsk(journal) };
  const trouble = await waitUntilHealthy(world, journal.now());
  if (trouble !== null) throw new Error(`The market did not start: ${trouble}.`);
  const kinds = faultKinds.filter(
    (kind) => (kind !== 'disk' || setup.disk !== null) && (faults === null || faults.includes(kind)),
  );
  const plan = buildPlan({ seed, seconds, people: people.traders.length, kinds });
  const progress = createProgress(process.stderr);
  await perform(world, plan, seconds, (done, fault) =>
    progress.show(fault === '' ? 'All is well' : `Fault: ${fault}`, Math.round(done), seconds),
  ).finally(progress.end);
  const checks = [...(await checkAll(world, seconds * 1_000)), await checkEnds(world)];
  people.close();

  const report = buildReport({ seed, seconds, journal, checks, servers: setup.servers });
  mkdirSync(out, { recursive: true });
  const files = { page: join(out, 'report.md'), data: join(out, 'report.json') };
  writeFileSync(files.page, formatReport(report));
  writeFileSync(files.data, JSON.stringify(report, null, 2));
  for (const { name, log } of setup.servers)
    writeFileSync(
      join(out, `${name}.log`),
      log()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
  for (const { name, violations, basis } of checks) {
    console.log(`${violations.length === 0 ? 'ok  ' : 'BAD '} ${name} (${basis})`);
    for (const violation of violations) console.log(`       ${violation}`);
  }
  const count = checks.reduce((sum, { violations }) => sum + violations.length, 0);
  console.log(`${count} violations. Seed ${seed}. The report is ${files.page}, its data ${files.data}.`);
  const busy = journal.windows.filter(({ kind }) => kind === 'overload');
  const busyMs = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  if (busyMs > (seconds * 1_000) / 4)
    console.log('The machine was busy for much of the run, which weakens the result. Run it alone.');
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await setup.close();
}
// Timers of clients that were cut off would keep the process for minutes.
process.exit();

function readOptions(): RunOptions {
  try {
    const options = parseRunOptions(process.argv.slice(2));
    const unknown = options.faults?.filter((name) => !faultKinds.some((kind) => kind === name)) ?? [];
    if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join()}: see soak/faults/all.ts.`);
    return options;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
