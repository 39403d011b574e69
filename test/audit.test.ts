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
import { startGateway, type TestGateway } from './support/gateway.ts';
import { createRandom } from './support/replay/random.ts';
import { playRandomly } from './support/replay/randomRun.ts';
import { type SvcRun, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

let dataDir: string;
/** A gateway: it answers what a site does, and has the boards. */
let site: TestGateway;
let client: PublicClient;
before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-'));
  site = await startGateway({ isSeeded: true });
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

test('all tasks, timelines, sums and boards of a market in use match the chain', async (context) => {
  const { deployment } = site.devnet;
  let isOver = false;
  const audits = Promise.all([audit('--json'), audit('--json', '--no-history')]).finally(() => {
    isOver = true;
  });
  let moves = 0;
  for (; !isOver; moves += 5) await playRandomly({ client, deployment, random: createRandom(moves) }, 5);
  for (const [at, run] of (await audits).entries()) {
    assert.equal(run.exitCode, 0, run.out.slice(0, 2_000) + run.err);
    const { differences, withHistory, tasks, ledgers, boards, toBlock, fromBlock } = parse(run);
    assert.deepEqual([differences, withHistory], [[], at === 0]);
    assert.ok(tasks > 60);
    // Four boards of two markets.
    assert.deepEqual([ledgers > 20, boards], at === 0 ? [true, 8] : [false, 0]);
    assert.ok(toBlock > fromBlock, 'the market has moved');
  }
  context.diagnostic(`${moves} moves meanwhile`);
});

/** Resolves once that answer shows it, as it would any other process's write. */
async function tamper(path: string, sql: string): Promise<void> {
  const read = async () => (await fetch(site.url() + path)).text();
  const before = await read();
  // Without a wait for the lock: the site writes in this process, and each would wait for the other.
  const database = new DatabaseSync(placeSqlite(site.dataDir).chain, { timeout: 0 });
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
  await until(async () => (await read()) !== before);
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

test('a changed field, a missing task, a hidden task, a wrong time and a wrong sum are each named, also by a watch', async (context) => {
  const [row] = await rowsOf(
    `SELECT number FROM tasks WHERE market = 'standard' AND scope = 'open' AND number > 5`,
  );
  const changed = `v2:standard:${row}`;
  await tamper(
    `/api/market/task?id=${changed}`,
    `UPDATE tasks SET task = REPLACE(task, '"funded":"', '"funded":"9')
     WHERE market = 'standard' AND number = ${row}`,
  );
  await tamper(
    '/api/market/task?id=v2:standard:2',
    `DELETE FROM tasks WHERE market = 'standard' AND number = 2`,
  );
  const [hidden] = await rowsOf(`SELECT number FROM tasks WHERE market = 'standard' AND scope = 'private'`);
  await tamper(
    `/api/market/task?id=v2:standard:${hidden}`,
    `UPDATE tasks SET task = REPLACE(task, '"scope":"private"', '"scope":"open"')
     WHERE market = 'standard' AND number = ${hidden};
     UPDATE events SET block_time = block_time + 600
     WHERE market = 'standard' AND task_number = 1 AND name = 'TaskPosted'`,
  );
  // A payment that is one unit too high, and collateral that is not there.
  const [payment] = await rowsOf(
    `SELECT MAX(block_number) AS number FROM moves WHERE market = 'micro' AND kind = 'earned'`,
  );
  await tamper(
    '/v1/leaderboard/reputation?market=micro',
    `UPDATE moves SET units = units + 1 WHERE market = 'micro' AND block_number = ${payment}`,
  );
  await tamper('/v1/treasury/history', `UPDATE collateral SET held = held || '0' WHERE market = 'standard'`);
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
  const sums = [
    /^v2:standard:1 .* timeline$/,
    /^0x\w{40} fundedTokWei ledger$/,
    /^0x\w{40} earnedTokWei leaderboard\/reputation$/,
    /^\d+ depositsUsd treasury\/history$/,
  ];
  for (const sum of sums)
    assert.ok(
      found.some((one) => sum.test(one)),
      `${sum}\n${found.join('\n')}`,
    );
});

async function rowsOf(sql: string): Promise<number[]> {
  const database = createSqliteDatabase(site.dataDir);
  const rows = await database.query<{ number: number }>(sql);
  await database.close();
  return rows.map(({ number }) => number);
}
