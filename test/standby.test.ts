// A PostgreSQL standby, which takes no writes: what a site and the doctor say of it, and what a site measures at its primary.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createSite } from '#service/app/createSite.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { migrate } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { type Postgres, startPostgres, startStandby } from './support/postgres.ts';
import { buildSiteOptions } from './support/site.ts';
import { createFolder, runSvc, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

let devnet: Devnet;
let primary: Postgres;
let standby: Awaited<ReturnType<typeof startStandby>>;
let url: string;
let standbyUrl: string;
before(async () => {
  [devnet, primary] = await Promise.all([
    createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 }),
    startPostgres(),
  ]);
  url = await primary.createDatabase();
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

test('a site measures how far a standby is behind, the longest transaction, and the way to the wraparound', async (context) => {
  const connect = async (to: string) => {
    const client = new pg.Client({ connectionString: to });
    await client.connect();
    context.after(() => client.end());
    return client;
  };
  const [writer, holder, paused] = [await connect(url), await connect(url), await connect(standbyUrl)];
  await holder.query('BEGIN');
  await holder.query('SELECT 1');
  await paused.query('SELECT pg_wal_replay_pause()');
  await writer.query('CREATE TABLE words (word TEXT)');
  await until(async () => {
    await writer.query("INSERT INTO words VALUES ('x')");
    const { rows } = await writer.query(
      "SELECT 1 FROM pg_stat_replication WHERE replay_lag > interval '1 second'",
    );
    return rows.length > 0;
  });
  const site = await createSite({ ...buildSiteOptions({ devnet, dataDir: '' }), databaseUrl: url });
  context.after(site.close);
  const measure = async (name: string) => {
    const text = await (await fetch(`${site.url}/metrics`)).text();
    return Number(new RegExp(`^svc_database_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  await until(async () => (await measure('transaction_seconds')) >= 1);
  assert.ok((await measure('replication_seconds')) > 1);
  const share = await measure('wraparound_ratio');
  assert.ok(share > 0 && share < 0.01, String(share));
});
