// A database that goes away, and a disk that is full: known state is still served, and the follower continues when the
// outage ends.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '#service/store/database.ts';
import { migrate } from '#service/store/migrate.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { createFakeChain, type FakeChain } from '../support/indexer/fakeChain.ts';
import { loadRows } from '../support/indexer/rows.ts';
import { startFollower } from '../support/indexer/running.ts';
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
