// Proves that `svc audit` finds no difference on a correct site, also while the market is in use, and names tampered fields.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { createPublicClient, http, type PublicClient } from 'viem';
import type { AuditResult } from '#service/market/audit.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { base } from './support/baseChain.ts';
import { createRandom } from './support/replay/random.ts';
import { playRandomly } from './support/replay/randomRun.ts';
import { startSite, type TestSite } from './support/site.ts';
import { type SvcRun, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

let dataDir: string;
let site: TestSite;
let client: PublicClient;
before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-'));
  // A site that compares its rows itself would correct what these tests tamper with.
  site = await startSite({ dataDir, recheckHours: 0 });
  client = createPublicClient({
    chain: base,
    transport: http(site.devnet.rpcUrl),
    cacheTime: 0,
    pollingInterval: 25,
  }) as PublicClient;
});
after(async () => {
  await site.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function audit(...args: string[]): Promise<SvcRun> {
  const all = ['audit', '--site', site.url(), '--rpc', site.devnet.rpcUrl, ...args];
  return startSvc(all, { cwd: dataDir }).ended;
}

function parse({ out }: SvcRun): AuditResult & { readonly withHistory: boolean } {
  return JSON.parse(out);
}

test('a market in use has no differences', async () => {
  const { deployment } = site.devnet;
  let isOver = false;
  const running = audit('--json').finally(() => {
    isOver = true;
  });
  for (let moves = 0; !isOver; moves += 5)
    await playRandomly({ client, deployment, random: createRandom(moves) }, 5);
  const run = await running;
  assert.equal(run.exitCode, 0, run.out.slice(0, 2_000) + run.err);
  const result = parse(run);
  assert.deepEqual(result.differences, []);
  assert.ok(result.withHistory);
  assert.ok(result.tasks > 60);
  assert.ok(result.toBlock > result.fromBlock, 'the market has moved');
});

/** Answers once the site shows it, as it would any other process's write. */
async function tamper(id: string, sql: string): Promise<void> {
  const readTag = async () => (await site.get(`/api/market/task?id=${id}`)).headers.get('etag');
  const before = await readTag();
  // Without a wait for the lock: the site writes in this process, and each would wait for the other.
  const database = new DatabaseSync(join(dataDir, 'svc.sqlite'), { timeout: 0 });
  await until(() => {
    try {
      database.exec(`BEGIN IMMEDIATE; ${sql}; UPDATE versions SET version = version + 1; COMMIT`);
      return true;
    } catch (error) {
      assert.match(String(error), /locked/);
      return false;
    }
  });
  database.close();
  await until(async () => (await readTag()) !== before);
}

test('a changed field, a missing task and a hidden task are each named', async () => {
  const [row] = await rowsOf(
    `SELECT number FROM tasks WHERE market = 'standard' AND scope = 'open' AND number > 5`,
  );
  const changed = `v2:standard:${row}`;
  await tamper(
    changed,
    `UPDATE tasks SET task = REPLACE(task, '"funded":"', '"funded":"9')
     WHERE market = 'standard' AND number = ${row}`,
  );
  await tamper('v2:standard:2', `DELETE FROM tasks WHERE market = 'standard' AND number = 2`);
  const [hidden] = await rowsOf(`SELECT number FROM tasks WHERE market = 'standard' AND scope = 'private'`);
  await tamper(
    `v2:standard:${hidden}`,
    `UPDATE tasks SET task = REPLACE(task, '"scope":"private"', '"scope":"open"')
     WHERE market = 'standard' AND number = ${hidden}`,
  );
  const run = await audit('--json');
  assert.equal(run.exitCode, 1);
  const found = parse(run).differences.map(({ id, field, where }) => `${id} ${field} ${where}`);
  assert.ok(found.includes(`${changed} fundedTokWei recent`), found.join('\n'));
  assert.ok(found.includes('v2:standard:2 (missing) recent'), found.join('\n'));
  assert.ok(found.includes(`v2:standard:${hidden} scope task`), found.join('\n'));
});

async function rowsOf(sql: string): Promise<number[]> {
  const database = createSqliteDatabase(join(dataDir, 'svc.sqlite'));
  const rows = await database.query<{ number: number }>(sql);
  await database.close();
  return rows.map(({ number }) => number);
}

test('a site that does not answer is named', async () => {
  const gone = await startSvc(['audit', '--site', 'http://127.0.0.1:1', '--rpc', site.devnet.rpcUrl], {
    cwd: dataDir,
  }).ended;
  assert.equal(gone.exitCode, 1);
  assert.match(gone.err, /The site at http:\/\/127\.0\.0\.1:1 cannot be read: it does not answer\./);
});
