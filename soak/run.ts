// `npm run soak`: people act, things break, and in the end every promise is checked.
//
// --minutes n   how long people act; 3 unless given. --seconds n instead, for a short form that meets every fault once
// --seed n      repeats the plan of an earlier run; a new one each time unless given
// --out folder  where the report goes; .svc/soak unless given
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgress } from '#service/app/progress.ts';
import { createAsk } from './asking.ts';
import { checkAll, checkEnds } from './checks/all.ts';
import { waitUntilWell } from './faults/inflict.ts';
import { createJournal } from './journal.ts';
import { parseRunOptions, type RunOptions } from './options.ts';
import { renderPage } from './page.ts';
import { createPeople } from './people.ts';
import { perform } from './perform.ts';
import { buildPlan, faultKinds } from './plan.ts';
import { buildReport } from './report.ts';
import { createStage, startAll } from './stage.ts';

const { seconds, seed, out } = readOptions();

console.log(`Seed ${seed}: --seed ${seed} repeats this plan.`);
const stage = await createStage();
try {
  if (stage.disk === null) console.log('No disk can be mounted here, so none becomes full.');
  const people = await createPeople(stage);
  await startAll(stage);
  const journal = createJournal();
  const world = { stage, people, journal, ask: createAsk(journal) };
  if (!(await waitUntilWell(world, journal.now()))) throw new Error('The market did not start.');
  const kinds = faultKinds.filter((kind) => kind !== 'disk' || stage.disk !== null);
  const plan = buildPlan({ seed, seconds, people: people.traders.length, kinds });
  const progress = createProgress(process.stderr);
  await perform(world, plan, seconds, (done, fault) =>
    progress.show(fault === '' ? 'All is well' : `Fault: ${fault}`, Math.round(done), seconds),
  ).finally(progress.end);
  const checks = [...(await checkAll(world, seconds * 1_000)), await checkEnds(world)];
  people.close();

  const report = buildReport({ seed, seconds, journal, checks, servers: stage.servers });
  mkdirSync(out, { recursive: true });
  const files = { page: join(out, 'report.html'), data: join(out, 'report.json') };
  writeFileSync(files.page, renderPage(report));
  writeFileSync(files.data, JSON.stringify(report, null, 2));
  for (const { name, violations, basis } of checks) {
    console.log(`${violations.length === 0 ? 'ok  ' : 'BAD '} ${name} (${basis})`);
    for (const violation of violations) console.log(`       ${violation}`);
  }
  const count = checks.reduce((sum, { violations }) => sum + violations.length, 0);
  console.log(`${count} violations. Seed ${seed}. The report is ${files.page}, its data ${files.data}.`);
  const busy = journal.windows.filter(({ kind }) => kind === 'overload');
  const busyMs = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  if (busyMs > (seconds * 1_000) / 4)
    console.log(
      'The machine was too busy for much of the run, which proves less than it should: run it alone.',
    );
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await stage.close();
}

function readOptions(): RunOptions {
  try {
    return parseRunOptions(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
