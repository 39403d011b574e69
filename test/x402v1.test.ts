// Proves that the stock x402 client of version 1 pays and claims unchanged. It lives in a separate folder, and is
// installed when this test first needs it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { accountOf } from '#service/devnet/accounts.ts';
import { payTo, readUsdc, startTrade } from './support/paying.ts';

const folder = join(import.meta.dirname, 'x402v1');
const run = promisify(execFile);

let trade: Awaited<ReturnType<typeof startTrade>>;
before(async () => {
  if (!existsSync(join(folder, 'node_modules/x402-fetch'))) {
    const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--no-package-lock'];
    await run('npm', ['install', ...options], { cwd: folder });
  }
  trade = await startTrade();
});
after(() => trade.gateway.close());

test('x402-fetch pays for a claim and gets it', async () => {
  const { gateway, cast, taskId } = trade;
  const url = `${gateway.url()}/v1/tasks/${taskId}/claim`;
  const claim = JSON.stringify({ payer: cast.worker.address });
  const before = await readUsdc(cast, payTo);
  const args = ['pay.mjs', url, accountOf('visitor').privateKey, claim];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  const { status, body, payment } = JSON.parse(stdout);
  assert.equal(status, 200, stdout);
  assert.equal(body.calls.length, 1);
  assert.deepEqual([payment.success, payment.network], [true, 'base']);
  assert.equal((await readUsdc(cast, payTo)) - before, 10_000n);
});
