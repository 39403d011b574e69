// A database that goes away, and a disk that is full: known state is still served, and the follower continues when the
// outage ends.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '#service/store/database.ts';
import { migrate } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { projectionChannel } from '#service/store/projection.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { createFakeChain, type FakeChain } from '../support/indexer/fakeChain.ts';
import { loadRows } from '../support/indexer/rows.ts';
import { startFollower } from '../support/indexer/running.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const limit = { timeout: 600_000 };
const posts = Array.from({ length: 20 }, () => ({ kind: 'post', market: 'standard', poster: 1 }) as const);

async function isCaughtUp(database: Database, chain: FakeChain): Promise<boolean> {
  const rows = await loadRows(database, chain.source.identity);
  const isWhole = rows?.head?.historyFloor === Number(chain.source.startBlock);
  return (
    isWhole && rows?.head?.headHash === chain.head().hash && rows.events.length === chain.events().length
  );
}

test('a full disk: reads go on, and with room again so does the follower', limit, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  const database = createSqliteDatabase(join(folder, 'svc.sqlite'));
  await migrate(database);
  const chain = createFakeChain();
  chain.mine(posts);
  const follower = startFollower({ source: chain.source, database, leaseMs: 300 });
  context.after(async () => {
    await follower.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await until(() => isCaughtUp(database, chain));
  const before = await loadRows(database, chain.source.identity);

  const [size] = await database.query<{ pageCount: number }>('PRAGMA page_count');
  await database.write(`PRAGMA max_page_count = ${size?.pageCount}`);
  for (let block = 0; block < 20; block++) chain.mine(posts);
  follower.wake();
  await until(() => follower.countOf('failed') >= 3);
  const failures = follower.events.filter((event) => event.kind === 'failed');
  assert.match(String((failures[0] as { error: unknown }).error), /full/);
  assert.deepEqual(await loadRows(database, chain.source.identity), before);

  await database.write('PRAGMA max_page_count = 1000000');
  await until(() => isCaughtUp(database, chain));
});

test(
  'a restart and a crash of PostgreSQL: the follower goes on, and listeners hear it again',
  limit,
  async (context) => {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    const [database, other] = [createPostgresDatabase({ url }), createPostgresDatabase({ url })];
    await migrate(database);
    const chain = createFakeChain();
    chain.mine(posts);
    const follower = startFollower({ source: chain.source, database, leaseMs: 300 });
    context.after(async () => {
      await follower.stop();
      await database.close();
      await other.close();
      await postgres.remove();
    });
    let notices = 0;
    await other.listen(projectionChannel, () => notices++);
    await until(() => isCaughtUp(database, chain));

    for (const end of [postgres.stop, postgres.kill]) {
      await end();
      chain.mine(posts);
      follower.wake();
      const failed = follower.countOf('failed');
      await until(() => follower.countOf('failed') >= failed + 3);
      const heard = notices;
      await postgres.start();
      await until(async () => isCaughtUp(database, chain).catch(() => false));
      await until(() => notices > heard);
      assert.ok(await isCaughtUp(other, chain));

      const again = notices;
      chain.mine(posts);
      follower.wake();
      await until(() => isCaughtUp(other, chain));
      await until(() => notices > again);
    }
  },
);
