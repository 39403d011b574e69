// Attacks on readiness receipts and proves the claim they open: bound, once, for a while, and never at the payer's cost.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { TaskId } from '#sdk/domain/taskId.ts';
import { notReadySchema, receiptReplySchema } from '#service/contract/claiming.ts';
import { base } from './support/baseChain.ts';
import type { Cast } from './support/cast.ts';
import type { TestGateway } from './support/gateway.ts';
import { assertRefused, payTo, startTrade } from './support/paying.ts';
import { postTask } from './support/posting.ts';
import { ask } from './support/rawHttp.ts';
import { until } from './support/until.ts';
import { decode } from './support/x402.ts';

let gateway: TestGateway;
let cast: Cast;
let taskId: TaskId;
let payer: Hex;
before(async () => {
  ({ gateway, cast, taskId } = await startTrade());
  payer = cast.worker.address;
});
after(() => gateway.close());

const header = 'X-Svc-Payment-Receipt';
const askReceipt = (body: object) => gateway.post('/v1/payment-receipt', body);
const claim = (id: string, receipt: string, by: Hex = payer) =>
  gateway.post(`/v1/tasks/${id}/claim`, { payer: by }, { [header]: receipt });

async function takeReceipt(id: string = taskId, by: Hex = payer): Promise<string> {
  const { status, body } = await askReceipt({ payer: by, action: 'claim', taskId: id });
  assert.equal(status, 200, JSON.stringify(body));
  return receiptReplySchema.parse(body).header.value;
}

describe('without a receipt or a payment', () => {
  test('a claim that could not work either way is told so with its price', async () => {
    // The rows may be a block behind.
    await until(async () => (await gateway.get(`/v1/tasks/${taskId}`)).status === 200);
    for (const [id, problem] of [
      ['nothing', /^Payment required: send a receipt or a payment\. Also: .*task id/i],
      ['v2:standard:999999999', / Also: this gateway knows no such task yet\.$/],
      [`${taskId}?market=micro`, / Also: The task id belongs to the market "standard"\.$/],
      [taskId, /^Payment required: send a receipt or a payment\.$/],
    ] as const) {
      const { status, body } = await gateway.post(
        `/v1/tasks/${id}/claim`.replace(/(\?.*)\/claim$/, '/claim$1'),
        { payer },
      );
      assert.deepEqual([status, body.code], [402, 'PAYMENT_REQUIRED'], id);
      assert.match(body.error, problem);
    }
  });

  test('Spec 7, row 402: a claim without a receipt is 402, whatever else is wrong with it', async () => {
    const path = `/v1/tasks/${taskId}/claim`;
    const claims = [
      { path, body: JSON.stringify({ payer }), headers: { 'Content-Type': 'application/json' } },
      { path, body: '{', headers: { 'Content-Type': 'application/json' } },
      { path, body: 'payer', headers: { 'Content-Type': 'text/plain' } },
      { path: '/v1/tasks/nothing/claim' },
      { path: '/v1/tasks/999999999/claim' },
    ];
    for (const request of claims) {
      const { status, headers, body } = await ask(gateway.url(), { method: 'POST', ...request });
      assert.equal(status, 402, request.path);
      assert.equal(headers['cache-control'], 'no-store');
      const v2 = decode(headers['payment-required'] as string);
      const v1 = JSON.parse(body.toString());
      const [two] = v2.accepts as [Record<string, unknown>];
      const [one] = v1.accepts;
      assert.deepEqual([v2.x402Version, two.network, two.amount], [2, 'eip155:8453', '10000']);
      assert.equal(v1.code, 'PAYMENT_REQUIRED');
      assert.deepEqual([v1.x402Version, one.network, one.maxAmountRequired], [1, 'base', '10000']);
      assert.deepEqual(v1.receipt, { url: `${gateway.url()}/v1/payment-receipt`, header });
      assert.equal(one.payTo, payTo);
    }
  });
});

describe('readiness', () => {
  test('for an empty wallet, the answer says what is missing and which action helps', async () => {
    const nobody = privateKeyToAccount(`0x${'11'.repeat(32)}`).address;
    const { status, body } = await askReceipt({ payer: nobody, action: 'claim', taskId });
    assert.deepEqual([status, body.code], [409, 'NOT_READY_TO_ACT'], 'no payment would help');
    const { readiness } = notReadySchema.parse(body);
    const failed = readiness.checks.filter(({ ok }) => !ok).map(({ id, fix }) => [id, fix]);
    assert.deepEqual(failed, [
      ['entry-collateral', 'top-up'],
      ['free-collateral', 'top-up'],
      ['recommended-collateral', 'top-up'],
      ['fee-funds', null],
      ['router-allowance', 'approve-tok-router'],
    ]);
    // What is no receipt of ours is refused before anything else is looked at.
    for (const id of [taskId, 'v2:standard:4711'])
      for (const value of ['x', 'e30', 'A'.repeat(2_000)])
        assertRefused(await claim(id, value, nobody), /not one for this claim/);
  });

  test('a wallet that is no longer ready gets the checks for its receipt, which stays good', async () => {
    const receipt = await takeReceipt();
    const { tok, gateway: fees } = cast.contracts;
    const allow = (amount: bigint) => cast.worker.write(tok, 'approve', [fees.address, amount]);
    await allow(0n);
    const [asked, claimed] = [
      await askReceipt({ payer, action: 'claim', taskId }),
      await claim(taskId, receipt),
    ].map(({ status, body }) => ({ status, checks: notReadySchema.parse(body).readiness.checks }));
    assert.deepEqual([asked?.status, claimed?.status], [409, 409]);
    // The chain's time goes on between the two.
    const timeless = (one: typeof asked) => one?.checks.filter(({ id }) => id !== 'before-deadline');
    assert.deepEqual(timeless(claimed), timeless(asked));
    assert.deepEqual(
      claimed?.checks.filter(({ ok }) => !ok).map(({ id }) => id),
      ['router-allowance'],
    );
    await allow(10n ** 24n);
    assert.equal((await claim(taskId, receipt)).status, 200);
  });

  test('the poster cannot claim its own task, nor dismiss or leave what nobody works on', async () => {
    const own = await askReceipt({ payer: cast.poster.address, action: 'claim', taskId });
    assert.match(own.body.error, /not-the-poster/);
    for (const action of ['dismiss', 'leave']) {
      const { status, body } = await askReceipt({ payer: cast.poster.address, action, taskId });
      assert.equal(status, 409);
      assert.match(body.error, /task-engaged/);
    }
    assert.equal((await askReceipt({ payer, action: 'post' })).status, 200);
  });

  test('mistakes are 400 with the field, unknown tasks 404', async () => {
    const wrong = [
      {},
      { payer: 'me', action: 'claim', taskId },
      { payer, action: 'claim', taskId, market: 'micro' },
    ];
    for (const body of wrong) assert.equal((await askReceipt(body)).status, 400, JSON.stringify(body));
    const unknown = await askReceipt({ payer, action: 'claim', taskId: 'v2:micro:77' });
    assert.equal(unknown.status, 404);
  });
});

describe('a receipt', () => {
  test('opens one claim, is refused the second time, and not reopened by a restart', async () => {
    const receipt = await takeReceipt();
    const { status, body } = await claim(taskId, receipt);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.calls.length, 1);
    assert.deepEqual(body.eip5792.calls, body.calls);
    assertRefused(await claim(taskId, receipt), /has been used/);
    await gateway.restart();
    assertRefused(await claim(taskId, receipt), /has been used/);
  });

  test('for another task or action, changed, malformed or expired opens nothing, and stays good for its own', async () => {
    const receipt = await takeReceipt();
    const parts = JSON.parse(Buffer.from(receipt, 'base64url').toString());
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { value: forPosting } = (await askReceipt({ payer, action: 'post' })).body.header;
    const changed = encode({ ...parts, expiresAt: parts.expiresAt + 1 });
    assertRefused(await claim(await postTask(cast), receipt), /not one for this claim/);
    for (const value of [forPosting, changed, encode({}), 'nonsense', ''])
      assertRefused(await claim(taskId, value), /not one for this claim/);
    assert.equal((await claim(taskId, receipt)).status, 200);
    const late = await takeReceipt();
    await gateway.devnet.clock.advance(301);
    assertRefused(await claim(taskId, late), /has expired/);
  });

  test('is not used up by a claim that would fail; the calls that come for it do claim the task', async () => {
    const id = await postTask(cast);
    const [first, second] = [await takeReceipt(id), await takeReceipt(id)];
    const wrongBody = await gateway.post(`/v1/tasks/${id}/claim`, {}, { [header]: first });
    assert.equal(wrongBody.status, 400);
    assertRefused(await claim('v2:standard:4711', first), /not one for this claim/);
    const { body } = await claim(id, first);
    const [call] = body.calls;
    const wallet = createWalletClient({
      account: cast.worker.account,
      chain: base,
      transport: http(gateway.devnet.rpcUrl),
    });
    const hash = await wallet.sendTransaction({ to: call.to, data: call.data });
    await cast.client.waitForTransactionReceipt({ hash });
    const task = await cast.client.readContract({
      ...cast.contracts.registry,
      functionName: 'getTask',
      args: [BigInt(id.split(':')[2] as string)],
    });
    assert.deepEqual([task.worker, task.settlementDigest], [payer, body.settlementDigest]);
    const late = await claim(id, second);
    assert.equal(late.status, 409);
    assert.equal(late.body.readiness.checks[0].id, 'task-open');
  });
});
