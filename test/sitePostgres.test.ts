// Proves that several sites on one PostgreSQL serve the same, and what they do while it is away.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { errorMessages } from '#sdk/domain/errors.ts';
import { createSite, type Site } from '#service/app/createSite.ts';
import { migrate } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { createWriteProbe } from '#service/store/writeProbe.ts';
import { countRows } from './support/countRows.ts';
import { follow } from './support/following.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { postTask } from './support/posting.ts';
import { buildSiteOptions, startSite, type TestSite } from './support/site.ts';
import { until } from './support/until.ts';

let postgres: Postgres;
let ownerUrl: string;
let site: TestSite;
let other: Site;
before(async () => {
  postgres = await startPostgres();
  const databaseUrl = await createForSites();
  site = await startSite({ databaseUrl }, { isSeeded: false });
  await postTask(await site.castOn('standard'));
  await site.catchUp();
  const { devnet } = site;
  other = await createSite({ ...buildSiteOptions({ devnet, dataDir: '' }), databaseUrl });
  await until(async () => (await fetch(`${other.url}/health`)).ok);
});
after(async () => {
  await other.close();
  await site.close();
  await postgres.remove();
});

/** With the role for sites of the operations guide: what it may do is enough for all of this. */
async function createForSites(): Promise<string> {
  ownerUrl = await postgres.createDatabase();
  const owner = createPostgresDatabase({ url: ownerUrl });
  await owner.write(`CREATE ROLE svc_site LOGIN PASSWORD 'site'`);
  await migrate(owner);
  await owner.close();
  return Object.assign(new URL(ownerUrl), { username: 'svc_site', password: 'site' }).href;
}

const both = () => [site.url(), other.url];
const ask = (url: string, path: string) => fetch(url + path);

test('both answer the same, byte for byte', async () => {
  for (const path of ['/api/market/open', '/api/market/timeline?id=v2:standard:1']) {
    const [one, two] = await Promise.all(both().map(async (url) => (await ask(url, path)).text()));
    assert.equal(one, two, path);
  }
});

test('while the database takes no writes, reads go on, and nobody says that all is ready', async () => {
  const turn = async (to: string) => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    for (const statement of ['SET default_transaction_read_only = off', to, 'SELECT pg_reload_conf()'])
      await client.query(statement);
    await client.end();
  };
  const health = async () => {
    const answer = await ask(site.url(), '/health');
    const { status, ready, writable } = (await answer.json()) as Record<string, unknown>;
    return JSON.stringify([answer.status, status, ready, writable]);
  };
  await turn('ALTER SYSTEM SET default_transaction_read_only = on');
  await until(async () => (await health()) === '[200,"degraded",false,false]');
  assert.equal((await ask(site.url(), '/api/market/recent?limit=7')).status, 200);
  await turn('ALTER SYSTEM RESET default_transaction_read_only');
  await until(async () => (await health()) === '[200,"ok",true,true]');
});

test('while tasks cannot be read, no site says that it is ready, and afterwards each does', async () => {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE chain.tasks IN ACCESS EXCLUSIVE MODE');
  const health = async () => (await ask(site.url(), '/health')).status;
  await until(async () => (await health()) === 503);
  for (let times = 0; times < 3; times++) assert.equal(await health(), 503);
  await client.query('ROLLBACK');
  await client.end();
  await until(async () => (await health()) === 200);
});

test('whether writes work is tried without making a table', async () => {
  const database = createPostgresDatabase({ url: ownerUrl });
  const { statements } = countRows(database);
  assert.equal(await createWriteProbe(database)(), null);
  await database.close();
  assert.ok(statements.length > 0);
  for (const statement of statements) assert.match(statement, /^(INSERT INTO|UPDATE) leases/);
});

test('while the database is away, kept answers go on and others say 503; after it all is as before', async () => {
  const hot = '/api/market/open?limit=9';
  const cold = '/api/market/recent?limit=';
  // What is asked for twice is kept.
  await ask(site.url(), hot);
  const before = await (await ask(site.url(), hot)).text();
  const stream = await follow(site);
  await postgres.stop();
  assert.equal(await (await ask(site.url(), hot)).text(), before);
  const refused = await ask(site.url(), `${cold}11`);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.deepEqual(await refused.json(), {
    error: errorMessages.STORE_UNREACHABLE,
    code: 'STORE_UNREACHABLE',
  });
  assert.equal((await ask(site.url(), '/api/site-config')).status, 200, 'the chain is there');
  await until(async () => (await ask(site.url(), '/health')).status === 503);
  const { status, ready } = (await (await ask(site.url(), '/health')).json()) as Record<string, unknown>;
  assert.deepEqual([status, ready], ['unreachable', false], 'a proxy sends its requests elsewhere');
  await postgres.start();
  for (const [index, url] of both().entries()) {
    await until(async () => (await ask(url, `${cold}${20 + index}`)).ok);
  }
  await until(async () => (await ask(site.url(), '/health')).ok);
  const id = await postTask(await site.castOn('standard'));
  await stream.until(() => stream.ids().includes(id));
  assert.deepEqual(stream.ids(), [id]);
  assert.equal(stream.seen.filter(({ type }) => type === 'reset').length, 1);
  await stream.stop();
});
