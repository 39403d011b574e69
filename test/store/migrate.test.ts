// Migrations: each step runs once, whichever process starts first, and a failed step leaves nothing behind.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SvcError } from '#sdk/domain/errors.ts';
import type { Database } from '#service/store/database.ts';
import { migrate, migrations } from '#service/store/migrate.ts';
import { createPaymentLedger } from '#service/store/paymentLedger.ts';
import { createPaymentStore, type PaymentKey } from '#service/store/payments.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { firstSchema } from '#service/store/schema.ts';
import type { DatabasePlace } from '../support/databasePlace.ts';
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
    const rows = await open(at).query<{ id: number; name: string }>('SELECT * FROM migrations ORDER BY id');
    assert.deepEqual(
      rows.map(({ id, name }) => ({ id, name })),
      migrations.map(({ name }, at) => ({ id: at + 1, name })),
    );
  });

  test('an earlier schema keeps its rows, and both versions work side by side on the later one', async () => {
    const database = open(await place());
    await migrate(database, [firstSchema]);
    const posts = 'market, address, task_number, tx_hash, expires_at';
    const kept = `'standard', '0xa1', 7, '0x01', 4102444800`;
    await database.write(`INSERT INTO pending_posts (${posts}) VALUES (${kept})`);
    /** As the version of that schema does. */
    const holdBefore = (nonce: string, now: number) =>
      database.write(
        `INSERT INTO payments (payer, nonce, purpose, signature, state, since_block, held_until, holder)
         VALUES ('0xa1', $1, 'claim', '0xc3', 'settling', 7, $2, 'earlier')
         ON CONFLICT (payer, nonce)
         DO UPDATE SET held_until = excluded.held_until, holder = excluded.holder
         WHERE payments.state <> 'answered' AND payments.held_until <= $3 RETURNING nonce`,
        [nonce, now + 20, now],
      );
    await holdBefore('0xb1', 100);
    await migrate(database);
    assert.equal((await database.query('SELECT * FROM pending_posts')).length, 1);

    const store = createPaymentStore(database);
    const ledger = createPaymentLedger(database);
    const [earlier, later] = (['0xb1', '0xb2'] as const).map((nonce) => ({ payer: '0xa1', nonce }) as const);
    const due = {
      purpose: 'claim',
      signature: '0xc3',
      sinceBlock: 7,
      amount: '10000',
      payTo: '0xe5',
      validBefore: 400,
      paper: null,
    } as const;
    // Each takes over what the other has begun.
    assert.equal(
      (await store.holdPayment(earlier as PaymentKey, due, { now: 120, until: 140, holder: 'later' }))?.state,
      'settling',
    );
    assert.equal((await holdBefore('0xb1', 140)).length, 1);
    assert.deepEqual(
      await ledger.listOpen(9_999, { limit: 9 }),
      [],
      'rows of the earlier version are left alone',
    );
    // Money that the later version has moved is out of reach of the earlier one.
    await store.holdPayment(later as PaymentKey, due, { now: 100, until: 120, holder: 'later' });
    await store.saveSettled(later as PaymentKey, '0xd4');
    const next = { payer: '0xa1', nonce: '0xb3' } as const;
    await ledger.moveCredit(next, due, { now: 120, until: 140, holder: 'later' });
    assert.deepEqual(await holdBefore('0xb2', 4_102_444_800), []);
    await holdBefore('0xb4', 100);
    await migrate(database, [firstSchema]);
  });

  test('a database of an older build is refused with a sentence that says what to do', async () => {
    const database = open(await place());
    await database.write('CREATE TABLE migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL)');
    await database.write(`INSERT INTO migrations (id, name) VALUES (1, 'projection'), (2, 'posting')`);
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
    await database.write('CREATE TABLE leases (other TEXT)');
    await assert.rejects(migrate(database));
    await assert.rejects(database.query('SELECT * FROM tasks'));
    await database.write('DROP TABLE leases');
    await migrate(database);
    assert.deepEqual(await database.query('SELECT * FROM tasks'), []);
  });

  if (dialect === 'postgres') {
    test('a step that waits for a table lets others pass, and comes when the table is free', async (context) => {
      const at = await place();
      const database = open(at);
      await migrate(database);
      const step = { name: 'later', statements: ['ALTER TABLE payments ADD COLUMN later TEXT'] };
      const { client, release } = await holdOpen(context, at, 60_000, 'SELECT * FROM payments');
      const migrating = migrate(database, [...migrations, step]);
      await waitForLock(database, 'payments');
      // Behind the step, and before it, while the transaction goes on.
      assert.deepEqual(await client.query('SELECT * FROM payments'), []);
      await Promise.all([release(), migrating]);
      assert.deepEqual(await database.query('SELECT later FROM payments'), []);
    });

    test('while indexes are built, everything can be read', async (context) => {
      const at = await place();
      const database = open(at);
      await migrate(database, migrations.slice(0, 5));
      // A write that is not finished: the last of the indexes waits for it.
      const { client, release } = await holdOpen(context, at, 500, 'LOCK TABLE tasks IN ROW EXCLUSIVE MODE');
      const migrating = migrate(database);
      for (const table of ['tasks', 'moves', 'events', 'conversations', 'payments']) {
        await waitForLock(client, 'tasks');
        assert.deepEqual(await client.query(`SELECT * FROM ${table}`), []);
      }
      await Promise.all([release(), migrating]);
    });

    test('a step takes longer than any other statement may, and who comes second waits for the first', async (context) => {
      const at = await place();
      const first = open(at);
      const short = { statementMs: 500, lockMs: 50, idleInTransactionMs: 30_000 };
      const url = at.DATABASE_URL as string;
      const second = createPostgresDatabase({ url, limits: short, answerMs: 1_000 });
      context.after(() => second.close());
      const slow = { name: 'slow', statements: ['SELECT pg_sleep(1.1)'] };
      let waiting: Promise<void> = Promise.resolve();
      await first.transaction(async (tx) => {
        await migrate({ ...first, transaction: (work) => work(tx) });
        waiting = migrate(second, [...migrations, slow]);
        await until(async () => {
          const rows = await first.query(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
               AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '1.1 seconds'`,
          );
          return rows.length === 1;
        });
      });
      await waiting;
      const { out } = await runSvc(['doctor'], {
        cwd: '.',
        env: { ...at, SVC_RPC_URL: 'http://127.0.0.1:9' },
      });
      const own = migrations.length;
      assert.match(out, new RegExp(`its schema is at step ${own + 1}, that of this version at ${own}`));
    });
  }
});
