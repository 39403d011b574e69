// Proves that the stock x402 client of version 1 pays and claims unchanged. It lives in a separate folder, and is
// installed when this test first needs it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { accountOf } from '#service/devnet/accounts.ts';
import { type Cast, createCast, enter } from './support/cast.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { postTask } from './support/posting.ts';

const folder = join(import.meta.dirname, 'x402v1');
const run = promisify(execFile);

let gateway: TestGateway;
let cast: Cast;
before(async () => {
  if (!existsSync(join(folder, 'node_modules/x402-fetch'))) {
    const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--no-package-lock'];
    await run('npm', ['install', ...options], { cwd: folder });
  }
  gateway = await startGateway();
  cast = await createCast(gateway.devnet.rpcUrl, 'standard');
  await enter(cast);
});
after(() => gateway.close());

test('x402-fetch pays for a claim and gets it', async () => {
  const taskId = await postTask(cast);
  const treasury = accountOf('treasury').address;
  const balance = () =>
    cast.client.readContract({ ...cast.contracts.usdc, functionName: 'balanceOf', args: [treasury] });
  const before = await balance();
  const { stdout } = await run(
    process.execPath,
    [
      'pay.mjs',
      `${gateway.url()}/v1/tasks/${taskId}/claim`,
      accountOf('visitor').privateKey,
      JSON.stringify({ payer: cast.worker.address }),
    ],
    { cwd: folder },
  );
  const { status, body, payment } = JSON.parse(stdout);
  assert.equal(status, 200, stdout);
  assert.equal(body.calls.length, 1);
  assert.deepEqual([payment.success, payment.network], [true, 'base']);
  assert.equal((await balance()) - before, 10_000n);
});
