// `npm run soak`: people act, things break, and in the end every promise is checked.
//
// --minutes n   how long people act; 3 unless given. --seconds n instead, for a short form that meets every fault once
// --seed n      repeats the plan of an earlier run; a new one each time unless given
// --out folder  where the report goes; .svc/soak unless given
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '#commands/progress.ts';
import { createAsk } from './asking.ts';
import { checkAll, checkEnds } from './checks/all.ts';
import { waitUntilWell } from './faults/inflict.ts';
import { createJournal } from './journal.ts';
import { renderPage } from './page.ts';
import { createPeople } from './people.ts';
import { perform } from './perform.ts';
import { buildPlan, faultKinds } from './plan.ts';
import { buildReport } from './report.ts';
import { createStage, startAll } from './stage.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    out: { type: 'string', default: '.svc/soak' },
  },
});
const seconds = readNumber('seconds', values.seconds ?? String(Number(values.minutes) * 60), 1);
const seed = readNumber('seed', values.seed ?? String(Math.floor(Math.random() * 1e9)), 0);

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
  mkdirSync(values.out, { recursive: true });
  const files = { page: join(values.out, 'report.html'), data: join(values.out, 'report.json') };
  writeFileSync(files.page, renderPage(report));
  writeFileSync(files.data, JSON.stringify(report, null, 2));
  for (const { name, violations, basis } of checks) {
    console.log(`${violations.length === 0 ? 'ok  ' : 'BAD '} ${name} (${basis})`);
    for (const violation of violations) console.log(`       ${violation}`);
  }
  const count = checks.reduce((sum, { violations }) => sum + violations.length, 0);
  console.log(`${count} violations. Seed ${seed}. The report is ${files.page}, its data ${files.data}.`);
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await stage.close();
}

function readNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < least)
    throw new Error(`--${name} must be a number from ${least} on.`);
  return value;
}
