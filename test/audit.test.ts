// Proves that `svc audit` finds no difference on a correct site, also while the market is in use, and names tampered fields.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { PublicClient } from 'viem';
import type { AuditResult } from '#service/market/audit.ts';
import { createSqliteDatabase, placeSqlite } from '#service/store/sqlite.ts';
import { createReader } from './support/baseChain.ts';
import { findFreePort } from './support/freePort.ts';
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
  site = await startSite({ dataDir });
  client = createReader(site.devnet.rpcUrl);
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

test('every task of a market in use matches the chain, including its history', async (context) => {
  const { deployment } = site.devnet;
  let isOver = false;
  const audits = Promise.all([audit('--json'), audit('--json', '--no-history')]).finally(() => {
    isOver = true;
  });
  let moves = 0;
  for (; !isOver; moves += 5) await playRandomly({ client, deployment, random: createRandom(moves) }, 5);
  for (const [at, run] of (await audits).entries()) {
    assert.equal(run.exitCode, 0, run.out.slice(0, 2_000) + run.err);
    const { differences, withHistory, tasks, toBlock, fromBlock } = parse(run);
    assert.deepEqual([differences, withHistory], [[], at === 0]);
    assert.ok(tasks > 60);
    assert.ok(toBlock > fromBlock, 'the market has moved');
  }
  context.diagnostic(`${moves} moves meanwhile`);
});

/** Answers once the site shows it, as it would any other process's write. */
async function tamper(id: string, sql: string): Promise<void> {
  const readTag = async () => (await site.get(`/api/market/task?id=${id}`)).headers.get('etag');
  const before = await readTag();
  // Without a wait for the lock: the site writes in this process, and each would wait for the other.
  const database = new DatabaseSync(placeSqlite(dataDir).chain, { timeout: 0 });
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

test('the result of a watch outlives its process, and is of one site only', async (context) => {
  const own = join(dataDir, 'audits');
  const file = join(own, 'audit.json');
  const start = async (address: string) => {
    const port = String(await findFreePort());
    const all = ['audit', '--watch', '--json', '--site', address, '--rpc', site.devnet.rpcUrl];
    const { child } = startSvc([...all, '--metrics-port', port], {
      cwd: dataDir,
      env: { SVC_DATA_DIR: own },
    });
    context.after(() => child.kill('SIGKILL'));
    const read = async (name: string) => {
      const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
      return new RegExp(`^${name}(?:{.*})? (\\d+)$`, 'm').exec(text)?.[1];
    };
    return { child, read };
  };
  const first = await start(site.url());
  await once(createInterface({ input: first.child.stdout as NodeJS.ReadableStream }), 'line');
  await until(async () => (await first.read('svc_audit_differences')) === '0');
  const { of, at } = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(of, site.url());
  first.child.kill('SIGKILL');

  // As an hour ago, with differences; nothing answers at this address, so that no new result replaces it.
  const away = `http://127.0.0.1:${await findFreePort()}`;
  writeFileSync(file, JSON.stringify({ of: away, differences: 3, at: at - 3_600 }));
  const again = await start(away);
  await until(async () => (await again.read('svc_audit_differences')) === '3');
  assert.equal(await again.read('svc_audit_at'), String(at - 3_600));
  // It does not wait for its hour where it could not compare.
  await until(async () => Number(await again.read('svc_audits_total{outcome="failed"}')) > 1);
  const other = await start(`http://127.0.0.1:${await findFreePort()}`);
  await until(async () => Number(await other.read('svc_audit_at')) >= at);
  assert.equal(await other.read('svc_audit_differences'), undefined);
});

test('a changed field, a missing task, a hidden task and a wrong time are each named, also by a watch', async (context) => {
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
     WHERE market = 'standard' AND number = ${hidden};
     UPDATE events SET block_time = block_time + 600
     WHERE market = 'standard' AND task_number = 1 AND name = 'TaskPosted'`,
  );
  const described = await audit();
  assert.equal(described.exitCode, 1);
  assert.match(
    described.out,
    new RegExp(`^${changed} fundedTokWei in recent: the API says "9\\d+", the chain "\\d+"`, 'm'),
  );

  // A watch finds the same, counts it, and ends when it is told to.
  const all = ['audit', '--watch', '--metrics-port', '0', '--site', site.url(), '--rpc', site.devnet.rpcUrl];
  const { child, ended } = startSvc([...all, '--json'], { cwd: dataDir });
  context.after(() => child.kill('SIGKILL'));
  const reports = createInterface({ input: child.stderr as NodeJS.ReadableStream });
  const [line] = (await once(reports, 'line')) as [string];
  const [url = ''] = /http:\S+/.exec(line) ?? [];
  const read = async () => (await fetch(url)).text();
  await until(async () => /^svc_audits_total\{outcome="different"\} 1$/m.test(await read()));
  const text = await read();
  const [, differences] = /^svc_audit_differences (\d+)$/m.exec(text) ?? [];
  assert.match(text, /^svc_rpc_requests_total\{endpoint="127\.0\.0\.1:\d+",method="eth_call"\} \d+$/m);
  child.kill('SIGTERM');
  const run = await ended;
  assert.equal(run.exitCode, 0, run.err);
  const found = parse(run).differences.map(({ id, field, where }) => `${id} ${field} ${where}`);
  assert.equal(found.length, Number(differences));
  assert.ok(found.includes(`${changed} fundedTokWei recent`), found.join('\n'));
  assert.ok(found.includes('v2:standard:2 (missing) recent'), found.join('\n'));
  assert.ok(found.includes(`v2:standard:${hidden} scope task`), found.join('\n'));
  assert.ok(
    found.some((one) => /^v2:standard:1 .* timeline$/.test(one)),
    found.join('\n'),
  );
});

async function rowsOf(sql: string): Promise<number[]> {
  const database = createSqliteDatabase(dataDir);
  const rows = await database.query<{ number: number }>(sql);
  await database.close();
  return rows.map(({ number }) => number);
}
