// Proves that an upgrade which renders tasks differently needs no manual step: no reader sees a text of another version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOpenRecord, buildTaskDetail, buildTaskRecord } from '#sdk/actions/taskRecord.ts';
import type { Market } from '#sdk/domain/market.ts';
import { markets } from '#sdk/domain/market.ts';
import type { Database } from '#service/store/database.ts';
import { createProjectionStore } from '#service/store/projection.ts';
import { createRendering, currentRendering, type Rendering } from '#service/store/rendering.ts';
import { createTaskStore } from '#service/store/tasks.ts';
import { onBothDatabases } from './support/databases.ts';
import { createFakeChain } from './support/follower/fakeChain.ts';
import { catchUp } from './support/follower/rows.ts';
import { startSite } from './support/site.ts';
import { startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

/** Renders less than the current version does. */
const older: Rendering = createRendering(
  (task, facts) => ({ ...buildTaskRecord(task, facts), nextActions: [], dispute: 'unknown' }),
  (task, facts) => ({ ...buildOpenRecord(task, facts), uri: 'gone' }),
  (task, facts) => ({ ...buildTaskDetail(task, facts), deliveries: 'unknown' }),
);

/** Renders all rows again with another version, as a process of that version does. */
async function renderAs(database: Database, rendering: Rendering): Promise<void> {
  const store = createProjectionStore(database, () => 0, rendering);
  while (await store.refreshRenderings()) {
    // There is more.
  }
}

const identity = 'chain:one';

async function createMarket(database: Database): Promise<void> {
  const chain = createFakeChain({ identity });
  for (const market of markets) {
    chain.mine([
      { kind: 'post', market, poster: 1 },
      { kind: 'post', market, poster: 2 },
      { kind: 'post', market, poster: 1 },
      { kind: 'claim', market, task: 1 },
      { kind: 'deliver', market, task: 1 },
    ]);
  }
  await catchUp(chain.source, database);
}

/** Every text that readers can get. */
async function loadTexts(database: Database, rendering: Rendering): Promise<string[]> {
  const store = createTaskStore(database, identity, rendering);
  const ofMarket = async (market: Market) => [
    ...(await store.loadRecent({ market, limit: 100 })),
    ...(await store.loadOpen({ market, limit: 100, now: 0 })),
    await store.loadTask(market, 1n),
  ];
  const tasks = (await Promise.all(markets.map(ofMarket))).flat();
  return tasks.map((task) => task?.text ?? '');
}

const loadSeals = (database: Database) =>
  database.query<{ record: string; open_record: string; rendering: string }>(
    'SELECT record, open_record, rendering FROM tasks ORDER BY market, number',
  );

test('the version follows from what is rendered', () => {
  assert.equal(
    createRendering(buildTaskRecord, buildOpenRecord, buildTaskDetail).version,
    currentRendering().version,
  );
  assert.notEqual(older.version, currentRendering().version);
});

onBothDatabases(({ create, place, open }) => {
  test('texts of another version are never read, and are replaced in the background', async () => {
    const database = await create();
    await createMarket(database);
    const current = await loadTexts(database, currentRendering());
    assert.equal(current.length, 12);
    await renderAs(database, older);
    assert.ok((await loadSeals(database)).every(({ record }) => record.includes('"dispute":"unknown"')));
    assert.deepEqual(await loadTexts(database, currentRendering()), current);
    await renderAs(database, currentRendering());
    assert.ok((await loadSeals(database)).every(({ record }) => !record.includes('"dispute":"unknown"')));
    assert.deepEqual(await loadTexts(database, currentRendering()), current);
    assert.equal(await createProjectionStore(database, () => 0).refreshRenderings(), false);
  });

  test('rows of a version that knows no seals are rendered from their facts', async () => {
    const database = await create();
    await createMarket(database);
    const current = await loadTexts(database, currentRendering());
    // Such code replaces both texts and leaves the seal, or inserts rows without one.
    await database.write(
      `UPDATE tasks SET record = '{"written":"before"}', open_record = '{"written":"before"}' WHERE number = 1`,
    );
    await database.write(
      `UPDATE tasks SET record = '{}', open_record = '{}', rendering = '' WHERE number = 2`,
    );
    assert.deepEqual(await loadTexts(database, currentRendering()), current);
  });

  test('a site that starts on rows of another version answers with the current texts at once, and the audit is clean', async (context) => {
    const at = await place();
    const site = await startSite({ dataDir: at.SVC_DATA_DIR, databaseUrl: at.DATABASE_URL });
    context.after(() => site.close());
    const paths = markets.flatMap((market) => [
      `/api/market/open?market=${market}`,
      `/api/market/recent?market=${market}`,
      ...[1, 2, 3, 4, 5].map((number) => `/api/market/task?id=v2:${market}:${number}`),
    ]);
    const read = () => Promise.all(paths.map(async (path) => (await site.get(path)).text()));
    const before = await read();
    assert.ok(before.every((text) => text.length > 200));
    await site.stop();

    const database = open(at);
    await renderAs(database, older);
    // Only the new process may bring this back.
    const isOlder = async () =>
      (await loadSeals(database)).some(({ record }) => record.includes('"unknown"'));
    assert.equal(await isOlder(), true);
    await site.start();
    assert.deepEqual(await read(), before);
    const args = ['audit', '--json', '--site', site.url(), '--rpc', site.devnet.rpcUrl];
    const audit = await startSvc(args, { cwd: at.SVC_DATA_DIR }).ended;
    assert.equal(audit.exitCode, 0, audit.out.slice(0, 1_000) + audit.err);
    await until(async () => !(await isOlder()));
    assert.deepEqual(await read(), before);
  });
});
