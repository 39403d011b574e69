// A PostgreSQL standby, which takes no writes: what a site and the doctor say of it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { migrate } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { type Postgres, startPostgres, startStandby } from './support/postgres.ts';
import { createFolder, runSvc, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

let devnet: Devnet;
let primary: Postgres;
let standby: Awaited<ReturnType<typeof startStandby>>;
let standbyUrl: string;
before(async () => {
  [devnet, primary] = await Promise.all([
    createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 }),
    startPostgres(),
  ]);
  const url = await primary.createDatabase();
  const database = createPostgresDatabase({ url });
  await migrate(database);
  await database.close();
  standby = await startStandby(primary, url);
  standbyUrl = standby.addressOf(url);
});
after(async () => {
  await standby.remove();
  await Promise.all([primary.remove(), devnet.close()]);
});

test('a site on a standby ends with one sentence, and the doctor says what to name instead', async (context) => {
  const cwd = createFolder(context);
  const file = join(cwd, 'deployment.json');
  writeFileSync(file, formatDeployment(devnet.deployment));
  const env = { DATABASE_URL: standbyUrl, SVC_DEPLOYMENT: file, SVC_RPC_URL: devnet.rpcUrl };
  const { child, ended } = startSvc(['site'], { cwd, env });
  context.after(() => child.kill('SIGKILL'));
  await until(() => child.exitCode !== null);
  const { exitCode, err } = await ended;
  assert.equal(exitCode, 1, err);
  assert.match(
    err,
    /^The database that DATABASE_URL names is a standby of PostgreSQL, which takes no writes\. Name the primary\.$/m,
  );
  assert.doesNotMatch(err, /\n\s+at /);

  const doctor = await runSvc(['doctor', '--json'], { cwd, env });
  const findings = JSON.parse(doctor.out) as { subject: string; found: string; mend: string }[];
  const { found, mend } = findings.find(({ subject }) => subject === 'database') ?? assert.fail();
  assert.match(found, /^PostgreSQL 18\S* is a standby, which takes no writes$/);
  assert.equal(mend, 'Name the primary in DATABASE_URL.');
});
