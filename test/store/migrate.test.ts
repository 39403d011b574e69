// Migrations: each step runs once, whichever process starts first, and a failed step leaves nothing behind.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { SvcError } from '#sdk/domain/errors.ts';
import { createChangeStore, saveReset } from '#service/store/changes.ts';
import type { Database } from '#service/store/database.ts';
import { migrate, migrations } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { createFactStore } from '#service/store/rememberedAnswers.ts';
import { placeSqlite } from '#service/store/sqlite.ts';
import { type DatabasePlace, openDatabase } from '../support/databasePlace.ts';
import { onBothDatabases } from '../support/databases.ts';
import { runSvc, startScript } from '../support/svc.ts';
import { until } from '../support/until.ts';

/** Another client, which waits so long for locks, and stays in a transaction after this statement until it is released. */
async function holdOpen(
  context: TestContext,
  { DATABASE_URL: url = '' }: DatabasePlace,
  lockMs: number,
  statement: string,
) {
  const limits = { statementMs: 30_000, lockMs, idleInTransactionMs: 120_000 };
  const client = createPostgresDatabase({ url, limits });
  const [holding, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = client.transaction(async (tx) => {
    await tx.query(statement);
    holding.resolve();
    await ending.promise;
  });
  const release = () => {
    ending.resolve();
    return held;
  };
  context.after(async () => {
    await release();
    await client.close();
  });
  await Promise.race([holding.promise, held]);
  return { client, release };
}

const waitForLock = (database: Database, table: string) =>
  until(async () => {
    const waiting = `SELECT pid FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
    return (await database.query(waiting)).length > 0;
  });

onBothDatabases(({ place, open, create, dialect }) => {
  test('several processes that start at once migrate an empty database once', async (context) => {
    const at = await place();
    // On SQLite a second writer in this process would wait for the first by standing still.
    const started = [1, 2].map(() =>
      dialect === 'postgres'
        ? migrate(open(at))
        : startScript(context, 'databaseProcess', JSON.stringify(at), 'migrate').ended.then(([exitCode]) =>
            assert.equal(exitCode, 0),
          ),
    );
    await Promise.all(started);
    for (const [table, steps] of [
      ['migrations', migrations.own],
      ['chain.migrations', migrations.chain],
    ] as const) {
      const rows = await open(at).query<{ id: number; name: string }>(`SELECT * FROM ${table} ORDER BY id`);
      assert.deepEqual(
        rows.map(({ id, name }) => ({ id, name })),
        steps.map(({ name }, at) => ({ id: at + 1, name })),
      );
    }
  });

  test('an earlier schema keeps its rows, and both versions work side by side on the later one', async () => {
    const database = open(await place());
    await migrate(database);
    const keep = (name: string) => createFactStore(database).saveFact(name, 'yes');
    await keep('before');
    const later = { name: 'later', statements: ['ALTER TABLE chain_answers ADD COLUMN later TEXT'] };
    const blocks = { name: 'later', statements: ['ALTER TABLE blocks ADD COLUMN later TEXT'] };
    await migrate(database, { own: [...migrations.own, later], chain: [...migrations.chain, blocks] });
    await keep('after');
    const rows = await database.query('SELECT name, later FROM chain_answers ORDER BY name');
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      ['after', 'before'].map((name) => ({ name, later: null })),
    );
    assert.deepEqual(await database.query('SELECT later FROM blocks'), []);
    await migrate(database);
  });

  test('where the part of the chain is lost, its changes go on above the old numbers', async () => {
    const at = await place();
    const database = openDatabase(at);
    await migrate(database);
    const add = (to: Database) => to.chain.transaction((tx) => saveReset(tx, 1n));
    const last = async (of: Database) => (await createChangeStore(of).loadChangeRange())?.last ?? 0;
    await add(database);
    const before = await last(database);
    await createFactStore(database).saveFact('kept', 'yes');
    if (dialect === 'postgres') await database.write('DROP SCHEMA chain CASCADE');
    await database.close();
    if (dialect === 'sqlite') {
      for (const end of ['', '-wal', '-shm'])
        rmSync(`${placeSqlite(at.SVC_DATA_DIR).chain}${end}`, { force: true });
    }
    const again = open(at);
    await migrate(again);
    await add(again);
    assert.ok((await last(again)) > 1_000_000 * before);
    assert.equal(await createFactStore(again).loadFact('kept'), 'yes', 'the other part is as it was');
  });

  test('a database of an older build is refused with a sentence that says what to do', async () => {
    const database = open(await place());
    if (dialect === 'postgres') await database.write('CREATE TABLE public.migrations (id BIGINT, name TEXT)');
    else {
      await database.write('CREATE TABLE migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL)');
      await database.write(`INSERT INTO migrations (id, name) VALUES (1, 'projection'), (2, 'posting')`);
    }
    await assert.rejects(migrate(database), (error: SvcError) => {
      assert.equal(error.code, 'SCHEMA_UNKNOWN');
      assert.match(error.message, /npm start -- --fresh/);
      return true;
    });
  });

  test('steps of a newer version are left as they are, for a rolling upgrade', async () => {
    const database = await create();
    const known = await database.query('SELECT * FROM migrations');
    await database.write('INSERT INTO migrations (id, name) VALUES ($1, $2)', [known.length + 1, 'later']);
    await migrate(database);
    assert.equal((await database.query('SELECT * FROM migrations')).length, known.length + 1);
  });

  test('a step that fails half-way leaves the schema as it was, and is tried again', async () => {
    const database = open(await place());
    // The first step also wants a table of this name, and comes to it late.
    if (dialect === 'postgres') await database.write('CREATE SCHEMA own');
    await database.write('CREATE TABLE match_words (other TEXT)');
    await assert.rejects(migrate(database));
    await assert.rejects(database.query('SELECT * FROM messages'));
    await database.write('DROP TABLE match_words');
    await migrate(database);
    assert.deepEqual(await database.query('SELECT * FROM messages'), []);
  });

  if (dialect === 'postgres') {
    test('a step that waits for a table lets others pass, and comes when the table is free', async (context) => {
      const at = await place();
      const database = open(at);
      await migrate(database);
      const step = { name: 'later', statements: ['ALTER TABLE payments ADD COLUMN later TEXT'] };
      const { client, release } = await holdOpen(context, at, 60_000, 'SELECT * FROM payments');
      const migrating = migrate(database, { ...migrations, own: [...migrations.own, step] });
      await waitForLock(database, 'payments');
      // Behind the step, and before it, while the transaction goes on.
      assert.deepEqual(await client.query('SELECT * FROM payments'), []);
      await Promise.all([release(), migrating]);
      assert.deepEqual(await database.query('SELECT later FROM payments'), []);
    });

    test('while indexes are built, everything can be read', async (context) => {
      const at = await place();
      const database = open(at);
      await migrate(database);
      const index = (table: string, column: string) => `CREATE INDEX later_${table} ON ${table} (${column})`;
      const step = { name: 'later', statements: [index('moves', 'rest'), index('tasks', 'poster')] };
      // A write that is not finished: the last of the indexes waits for it.
      const { client, release } = await holdOpen(context, at, 500, 'LOCK TABLE tasks IN ROW EXCLUSIVE MODE');
      const migrating = migrate(database, { ...migrations, chain: [...migrations.chain, step] });
      for (const table of ['tasks', 'moves', 'events', 'conversations', 'payments']) {
        await waitForLock(client, 'tasks');
        assert.deepEqual(await client.query(`SELECT * FROM ${table}`), []);
      }
      await Promise.all([release(), migrating]);
    });

    test('a step takes longer than any other statement may, and who comes second waits for the first', async (context) => {
      const at = await place();
      // It keeps its transaction open for longer than others may.
      const patient = { statementMs: 600_000, lockMs: 600_000, idleInTransactionMs: 600_000 };
      const first = createPostgresDatabase({ url: at.DATABASE_URL as string, limits: patient });
      context.after(() => first.close());
      const short = { statementMs: 1_500, lockMs: 50, idleInTransactionMs: 120_000 };
      const url = at.DATABASE_URL as string;
      const second = createPostgresDatabase({ url, limits: short, answerMs: 3_000 });
      context.after(() => second.close());
      const slow = { name: 'slow', statements: ['SELECT pg_sleep(3.1)'] };
      let waiting: Promise<void> = Promise.resolve();
      await first.transaction(async (tx) => {
        await migrate({ ...first, transaction: (work) => work(tx) });
        waiting = migrate(second, { ...migrations, own: [...migrations.own, slow] });
        await until(async () => {
          const rows = await first.query(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
               AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '3.1 seconds'`,
          );
          return rows.length === 1;
        });
      });
      await waiting;
      const { out } = await runSvc(['doctor'], {
        cwd: '.',
        env: { ...at, SVC_RPC_URL: 'http://127.0.0.1:9' },
      });
      const own = migrations.own.length + migrations.chain.length;
      assert.match(out, new RegExp(`its schema is at step ${own + 1}, that of this version at ${own}`));
    });
  }
});
