// What both databases guarantee to the statements written for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { SvcError } from '#sdk/domain/errors.ts';
import { migrate } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { createFactStore } from '#service/store/rememberedAnswers.ts';
import { queryByTasks } from '#service/store/rows.ts';
import { type Sql, sql } from '#service/store/sql.ts';
import { createWriteProbe } from '#service/store/writeProbe.ts';
import { readSection } from '../docs/markdown.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readGuide } from '../support/guide.ts';
import { patienceMs } from '../support/patience.ts';
import { until } from '../support/until.ts';

onBothDatabases(({ createAt, create, dialect, once, open, place, server }) => {
  test('whole numbers come back as numbers, also those beyond 32 bits, and texts as they were', async () => {
    const database = await create();
    const [row] = await database.query<{ number: number; text: string; none: null }>(
      'SELECT CAST($1 AS BIGINT) AS number, CAST($2 AS TEXT) AS text, CAST($3 AS TEXT) AS none',
      [Number.MAX_SAFE_INTEGER, "it's 'quoted' \u0000".slice(0, 12), null],
    );
    assert.deepEqual({ ...row }, { number: Number.MAX_SAFE_INTEGER, text: "it's 'quoted", none: null });
  });

  once('one key may have more rows than a call takes arguments', async () => {
    const most = 200_000;
    const select = (_market: string, list: Sql) => sql`WITH RECURSIVE counted (number) AS (
        SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < ${most})
      SELECT number FROM counted WHERE 1 IN ${list}`;
    const rows = await queryByTasks(await create(), [{ market: 'standard', number: 1n }], select);
    assert.equal(rows.length, most);
  });

  once('reads in a loop leave room for everything else', async () => {
    const database = await create();
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    // Each takes several milliseconds on any machine, and all of them together resolve without a pause of their own.
    const slow = `WITH RECURSIVE counted (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted
      WHERE number < 200000) SELECT COUNT(*) AS count FROM counted`;
    const loop = async () => {
      for (let at = 0; at < 10; at++) await database.query(slow);
    };
    await Promise.all([loop(), loop()]);
    clearImmediate(timer);
    assert.ok(turns >= 19, `${turns} turns of the event loop in 20 reads`);
  });

  test('a statement that is kept prepared goes on after a migration has added a column', async () => {
    const database = await create();
    await database.write('CREATE TABLE hot (one BIGINT)');
    await database.write('INSERT INTO hot (one) VALUES (1)');
    const ask = () => database.query('SELECT one FROM hot WHERE one = $1', [1], { isHot: true });
    for (let turn = 0; turn < 10; turn++) assert.equal((await ask()).length, 1);
    if (dialect === 'postgres') {
      const kept = await database.query(
        `SELECT 1 FROM pg_prepared_statements WHERE statement LIKE '%FROM hot%'`,
      );
      assert.ok(kept.length > 0);
    }
    await database.write('ALTER TABLE hot ADD COLUMN two BIGINT');
    assert.deepEqual(
      (await ask()).map((row) => ({ ...row })),
      [{ one: 1 }],
    );
  });

  test('statements of one transaction are seen by others only once it is over', async () => {
    const database = await create();
    const facts = createFactStore(database);
    await database.transaction(async (tx) => {
      await tx.query(`INSERT INTO chain_answers (name, value) VALUES ('fact', 'true')`);
      assert.equal(await facts.loadFact('fact'), null);
    });
    assert.equal(await facts.loadFact('fact'), 'true');
  });

  test('a connection that writes one part cannot write the other, so the tests of the store prove that nothing does', async () => {
    const database = await create();
    const [own, chain] = [
      `INSERT INTO cursors (name, position) VALUES ('one', 1)`,
      `INSERT INTO versions (market, version) VALUES ('standard', 1)`,
    ];
    await assert.rejects(database.write(chain), /read-?only|permission denied/);
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.query(own);
        await tx.query(chain);
      }),
      /read-?only|permission denied/,
    );
    await assert.rejects(database.chain.write(own), /no such table|does not exist/);
    assert.deepEqual(await database.query('SELECT name FROM cursors'), []);
    await database.write(own);
    await database.chain.write(chain);
    const both = 'SELECT name, market FROM cursors, versions';
    assert.deepEqual(
      (await database.query(both)).map((row) => ({ ...row })),
      [{ name: 'one', market: 'standard' }],
    );
  });

  if (dialect === 'postgres')
    test('of two transactions that wait for each other one succeeds, and the other can be tried again', async () => {
      const database = await create();
      await database.query(`INSERT INTO chain_answers (name, value) VALUES ('a', ''), ('b', '')`);
      const both = Promise.withResolvers<void>();
      let begun = 0;
      const lockInTurn = (...names: readonly string[]) =>
        database.transaction(async (tx) => {
          for (const name of names) {
            await tx.query(`UPDATE chain_answers SET value = 'locked' WHERE name = $1`, [name]);
            if (++begun === 2) both.resolve();
            await both.promise;
          }
        });
      const outcomes = await Promise.allSettled([lockInTurn('a', 'b'), lockInTurn('b', 'a')]);
      const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      const codes = failed.map(({ code }) => code);
      assert.deepEqual(codes, ['STORE_UNREACHABLE']);
    });

  test('failed statements are reported by kind, and a refusal of ours is none', async () => {
    const kinds: string[] = [];
    const database = open(await place(), { onError: (kind) => kinds.push(kind) });
    await assert.rejects(database.query('SELECT * FROM no_such_table'));
    await assert.rejects(database.write('INSERT INTO no_such_table VALUES (1)'));
    await assert.rejects(
      database.transaction(async () => {
        throw new SvcError('FILES_BUSY', {});
      }),
    );
    assert.deepEqual(kinds, ['refused', 'refused']);
    const loads = await database.transaction(async () => database.load());
    assert.equal(loads.busy, 1);
    assert.equal(loads.waiting, 0);
    assert.equal(database.load().busy, 0);
  });

  if (dialect === 'postgres') {
    test('the roles of the operations guide own the tables, do what a site does, and only read', async () => {
      const { DATABASE_URL = '' } = await place();
      const client = new pg.Client(DATABASE_URL);
      await client.connect();
      const [, sql = ''] =
        readSection(readGuide('docs/operations-guide.md'), 'Installing').match(
          /psql <<'SQL'\n(.*?)\nSQL\n/s,
        ) ?? [];
      for (const statement of sql.split('\n')) await client.query(statement);
      await client.end();
      const urlOf = (user: string, password: string) =>
        Object.assign(new URL(DATABASE_URL), { username: user, password, pathname: '/svc' }).href;
      const owner = open({ SVC_DATA_DIR: '', DATABASE_URL: urlOf('svc', 'change-me-1') });
      await migrate(owner);
      await createFactStore(owner).saveFact('fact', 'yes');
      const backup = open({ SVC_DATA_DIR: '', DATABASE_URL: urlOf('svc_backup', 'change-me-2') });
      assert.equal(await createFactStore(backup).loadFact('fact'), 'yes');
      await assert.rejects(backup.write('DELETE FROM chain_answers'), /permission denied/);
      const site = open({ SVC_DATA_DIR: '', DATABASE_URL: urlOf('svc_site', 'change-me-3') });
      await migrate(site);
      assert.equal(await createWriteProbe(site)(), null);
      await createFactStore(site).saveFact('fact', 'no');
      assert.equal(await createFactStore(owner).loadFact('fact'), 'no');
      const closed = ['messages', 'sessions', 'payments', 'wallet_requests', 'notice_channels', 'webhooks'];
      for (const statement of [
        ...closed.map((table) => `SELECT * FROM ${table}`),
        'SELECT title FROM conversations',
        'DELETE FROM conversations',
        'DELETE FROM migrations',
        'CREATE TABLE own (id BIGINT)',
      ])
        await assert.rejects(site.write(statement), /permission denied/, statement);
    });

    test('a statement carries the id of its request', async () => {
      let requestId: string | undefined = 'abc.1';
      const database = open(await place(), { requestId: () => requestId });
      const readText = async () => {
        const [row] = await database.query<{ text: string }>('SELECT current_query() AS text');
        return row?.text;
      };
      assert.equal(await readText(), '/* request abc.1 */ SELECT current_query() AS text');
      requestId = undefined;
      assert.equal(await readText(), 'SELECT current_query() AS text');
    });

    test('a connection that ends within a transaction means that the database is away, whichever statement notices', async () => {
      const database = await create();
      const end = 'SELECT pg_terminate_backend(pg_backend_pid())';
      const isAway = { code: 'STORE_UNREACHABLE' };
      await assert.rejects(
        database.transaction(async (tx) => {
          await tx.query(end).catch(() => []);
          // The driver has other words for it as soon as it has seen the end.
          for (let times = 0; times < 5; times++) {
            await assert.rejects(tx.query('SELECT 1'), isAway);
            await pause(5);
          }
        }),
        isAway,
      );
      await database.transaction((tx) => tx.query('SELECT 1'));
    });

    test('a server that takes no more connections counts as away, and so does a statement that takes too long', async (context) => {
      const at = await place();
      const url = new URL(at.DATABASE_URL as string);
      await open(at).write(`CREATE ROLE guest LOGIN PASSWORD 'guest' CONNECTION LIMIT 1`);
      url.username = 'guest';
      url.password = 'guest';
      const isAway = { code: 'STORE_UNREACHABLE' };
      const guest = createPostgresDatabase({ url: String(url) });
      await guest.transaction(async () => {
        await assert.rejects(guest.query('SELECT 1'), isAway);
      });
      await guest.close();
      const limits = { statementMs: 1_000, lockMs: 100, idleInTransactionMs: 60_000 };
      const hasty = createPostgresDatabase({ url: String(url), limits });
      context.after(() => hasty.close());
      await assert.rejects(hasty.query('SELECT pg_sleep(600)'), isAway);
      // The connection of the statement that was cut off may still count for a moment.
      await until(async () => (await hasty.query('SELECT 1').catch(() => [])).length === 1);
    });

    test('a frozen server fails reads, writes and transactions while it is frozen, and none afterwards', async (context) => {
      const { at } = await createAt();
      await open(at).write('CREATE TABLE words (word TEXT)');
      // Far longer than an answer takes.
      const database = createPostgresDatabase({ url: at.DATABASE_URL as string, answerMs: patienceMs / 60 });
      context.after(() => database.close());
      await database.query('SELECT 1 AS one');
      const isAway = { code: 'STORE_UNREACHABLE' };
      server().freeze();
      try {
        await Promise.all([
          assert.rejects(database.query('SELECT * FROM words'), isAway),
          assert.rejects(database.write(`INSERT INTO words VALUES ('a')`), isAway),
          assert.rejects(
            database.transaction((tx) => tx.query('SELECT * FROM words')),
            isAway,
          ),
        ]);
      } finally {
        server().thaw();
      }
      assert.deepEqual(await database.query('SELECT 1 AS one'), [{ one: 1 }]);
    });

    test('who waits for rows of a process that stands still in a transaction gets them', async () => {
      const { at } = await createAt();
      const [frozen, other] = [open(at), open(at)];
      await other.write(`CREATE TABLE words (word TEXT)`);
      await other.write(`INSERT INTO words VALUES ('a')`);
      await assert.rejects(
        frozen.transaction(async (tx) => {
          await tx.query(`UPDATE words SET word = 'b'`);
          await other.write(`UPDATE words SET word = word || 'c'`);
          await tx.query('SELECT 1');
        }),
        { code: 'STORE_UNREACHABLE' },
      );
      assert.deepEqual(await other.query('SELECT word FROM words'), [{ word: 'ac' }]);
    });

    test('a server that became read-only takes no writes, says so, and is asked on a new connection', async () => {
      const database = await create();
      const probe = createWriteProbe(database);
      assert.equal(await probe(), null);
      const turn = (isOn: boolean) =>
        database.query(`SELECT set_config('default_transaction_read_only', '${isOn ? 'on' : 'off'}', false)`);
      // Every connection of the pool; a new one is not read-only.
      await Promise.all(Array.from({ length: 8 }, () => turn(true)));
      const refused = { code: 'STORE_NOT_WRITABLE', message: /it is read-only/ };
      await assert.rejects(
        database.transaction((tx) => tx.query('DELETE FROM chain_answers')),
        refused,
      );
      await until(async () => (await database.write('DELETE FROM chain_answers').catch(() => null)) !== null);
      assert.match(
        String(
          await createWriteProbe({
            ...database,
            write: () => Promise.reject(new SvcError('STORE_NOT_WRITABLE', { reason: 'its disk is full' })),
          })(),
        ),
        /its disk is full/,
      );
    });
  } else {
    test('a full disk takes no writes, and says so', async () => {
      const database = await create();
      const [size] = await database.query<{ pageCount: number }>('PRAGMA page_count');
      await database.write(`PRAGMA max_page_count = ${size?.pageCount}`);
      const large = 'x'.repeat(1_000_000);
      const write = database.write(`INSERT INTO chain_answers (name, value) VALUES ('a', $1)`, [large]);
      await assert.rejects(write, { code: 'STORE_NOT_WRITABLE', message: /its disk is full/ });
    });
  }

  test('the newest of a remembered fact counts', async () => {
    const facts = createFactStore(await create());
    await facts.saveFact('price', '1');
    await facts.saveFact('price', '2');
    assert.equal(await facts.loadFact('price'), '2');
    assert.equal(await facts.loadFact('tok'), null);
  });

  if (dialect === 'sqlite') {
    test('a statement that writes is refused where only reads belong', async () => {
      const database = await create();
      const insert = `INSERT INTO cursors (name, position) VALUES ('one', 1) RETURNING position`;
      await assert.rejects(database.query(insert), /readonly/);
      assert.deepEqual(
        (await database.write(insert)).map((row) => ({ ...row })),
        [{ position: 1 }],
      );
    });
  }
});
