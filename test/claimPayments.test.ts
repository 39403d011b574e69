// Attacks on payments by x402 and proves the claim they open: real settlement on the embedded chain, charged once, and
// only for a claim that would succeed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { TaskId } from '#sdk/domain/taskId.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { testNames } from './payments/names.ts';
import type { Cast } from './support/cast.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { serve } from './support/listen.ts';
import { assertRefused, earnedBy, payTo, readUsdc, startTrade } from './support/paying.ts';
import { postTask } from './support/posting.ts';
import { payAtBoth } from './support/twoGateways.ts';
import { until } from './support/until.ts';
import { claimRequest, decode, payV1, payV2, signAuthorization } from './support/x402.ts';

let gateway: TestGateway;
let cast: Cast;
let taskId: TaskId;
before(async () => {
  ({ gateway, cast, taskId } = await startTrade());
});
after(() => gateway.close());

/** `npm test -- --long` presents many more payments to two gateways. */
const tries = process.env.SVC_LONG_TESTS ? 200 : 4;
const sign = (parts: object = {}) => signAuthorization(cast.worker.account, { to: payTo, ...parts });
const claim = (headers: Record<string, string>, id: string = taskId, payer: Hex = cast.worker.address) =>
  gateway.post(`/v1/tasks/${id}/claim`, { payer }, headers);

function isUsed(nonce: Hex): Promise<boolean> {
  const args = [cast.worker.address, nonce] as const;
  return cast.client.readContract({ ...cast.contracts.usdc, functionName: 'authorizationState', args });
}

/** The stock client of version 2, over this way to the gateway. */
function stockClient(send: typeof fetch = fetch): typeof fetch {
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(cast.worker.account));
  return wrapFetchWithPayment(send, client);
}

const postClaim = (id: string) => claimRequest(gateway.url(), id, cast.worker.address);

describe('a payment', () => {
  test('is charged once and answered as often as its payer asks, also after a restart; for another task it is 402', async () => {
    const payment = await sign();
    const other = await postTask(cast);
    const earned = await earnedBy(cast, async () => {
      const { status, headers, body: first } = await claim(payV1(payment));
      assert.equal(status, 200, JSON.stringify(first));
      const settlement = decode(headers.get('x-payment-response'));
      assert.deepEqual([settlement.success, settlement.network], [true, 'base']);
      for (const again of [payV2(payment), payV1(payment)])
        assert.deepEqual((await claim(again)).body, first);
      assertRefused(await claim(payV2(payment), other), /for something else/);
      await gateway.restart();
      assert.deepEqual((await claim(payV2(payment))).body, first);
    });
    assert.equal(earned, 10_000n);
  });

  testNames({ get: () => ({ gateway, cast, taskId }), claim, sign });

  test('that is wrong in any part is 402, moves no money, and leaves the good one usable', async () => {
    const { nonce } = (await sign()).authorization;
    const good = await sign({ nonce });
    const stranger = accountOf('scribe').address;
    const now = Math.floor(Date.now() / 1_000);
    const { signature } = await sign();
    const wrong: [Record<string, string>, RegExp][] = [
      [payV2(await sign({ value: '9999' })), /of 0\.009999 USDC/],
      [payV2(await sign({ value: '10001' })), /of 0\.010001 USDC/],
      [payV2(await sign({ to: stranger })), /another payee/],
      [payV2(await sign({ validBefore: String(now - 1) })), /expired/],
      [
        payV2(await sign({ validAfter: String(now + 3_600), validBefore: String(now + 7_200) })),
        /not valid yet/,
      ],
      [payV2({ ...good, signature }), /not valid/],
      [payV2({ ...good, signature: '0x1234' }), /not valid/],
      [payV2({ ...good, signature: `0x12${'6492'.repeat(16)}` }), /not valid .unreadable/],
      [payV2({ ...good, signature: `0x${'00'.repeat(64)}${'8010'.repeat(16)}` }), /not valid/],
      [payV2(good, { network: 'eip155:1' }), /network eip155:1/],
      [payV2(good, { asset: stranger }), /another asset/],
      [payV2(good, { amount: '9999' }), /other requirements/],
      [payV2(good, { payTo: stranger }), /other requirements/],
      [payV2(good, { maxTimeoutSeconds: 301 }), /other requirements/],
      [payV2(good, { extra: { name: 'USD Coin', version: '1' } }), /other requirements/],
      [payV2(good, { note: 'more than was offered' }), /other requirements/],
      [payV1(good, 'base-sepolia'), /network base-sepolia/],
      [{ 'PAYMENT-SIGNATURE': 'nonsense' }, /cannot be understood/],
      [{ 'X-PAYMENT': Buffer.from('{"x402Version":1}').toString('base64') }, /cannot be understood/],
    ];
    const earned = await earnedBy(cast, async () => {
      for (const [headers, reason] of wrong) {
        const answer = await claim(headers);
        assertRefused(answer, reason);
        assert.match(answer.body.errorReason, /^[a-z0-9_]+$/, 'a reason of the protocol');
        assert.equal(decode(answer.headers.get('payment-required')).error, answer.body.errorReason);
      }
    });
    assert.equal(earned, 0n);
    assert.equal(await isUsed(nonce), false);
    // Addresses may be spelled in any case.
    const shout = (address: Hex) => `0x${address.slice(2).toUpperCase()}` as Hex;
    const { from, to } = good.authorization;
    const loud = { ...good, authorization: { ...good.authorization, from: shout(from), to: shout(to) } };
    assert.equal((await claim(payV2(loud))).status, 200);
  });

  test('is asked for in a header that a client takes, however much is asked', async () => {
    const long = '9'.repeat(12_000);
    const asked = await gateway.post(`/v1/tasks/${taskId}/claim?market=${long}`, {});
    assertRefused(asked, /receipt or a payment/);
    assert.ok((asked.headers.get('payment-required') ?? '').length < 2_500);
    const { extensions } = decode(asked.headers.get('payment-required')) as {
      extensions: { bazaar: { info: { input: object }; schema: object } };
    };
    const { info, schema } = extensions.bazaar;
    assert.deepEqual(Object.keys(info.input), ['type', 'method', 'bodyType', 'body']);
    assert.ok(new Ajv2020().validate(schema, info), 'the example follows its schema');
    assert.equal(asked.body.accepts[0].outputSchema.input.discoverable, true);
    assert.equal((await gateway.post(`/v1/tasks/${long}/claim`, {})).status, 400);
  });

  test('of somebody without money, or for another payer, opens nothing', async () => {
    assertRefused(
      await claim(payV2(await signAuthorization(cast.poster.account, { to: payTo }))),
      /of another payer/,
    );
    const all = await readUsdc(cast, cast.worker.address);
    const { usdc } = cast.contracts;
    await cast.worker.write(usdc, 'transfer', [cast.poster.address, all]);
    assertRefused(await claim(payV2(await sign())), /less USDC than the price/);
    await cast.poster.write(usdc, 'transfer', [cast.worker.address, all]);
  });
});

describe('at two gateways with separate databases', () => {
  /** Two that sign with one key could send the very same transaction. */
  for (const [keys, name] of [
    ['one key', 'treasury'],
    ['a key each', 'scribe'],
  ] as const)
    test(`with ${keys}, one payment is granted by one of them, in either version and for a paid read`, async (context) => {
      await gateway.restart({ isPaidDiscovery: true });
      const facilitator = { kind: 'local', key: accountOf(name).privateKey } as const;
      const second = await startGateway({ beside: gateway, facilitator, payTo, isPaidDiscovery: true });
      context.after(second.close);
      const claimPath = `/v1/tasks/${taskId}/claim`;
      for (const [form, path] of [
        ['v1', claimPath],
        ['v2', claimPath],
        ['v2', '/v1/paid/market/open'],
      ] as const) {
        const seen = await payAtBoth([gateway, second], cast, { path, tries, form });
        assert.deepEqual([seen.both, seen.earned], [0, BigInt(tries) * 10_000n]);
      }
      // A receipt costs nothing, and is good at the gateway that issued it, although both sign with one key.
      const { body } = await gateway.post('/v1/payment-receipt', {
        payer: cast.worker.address,
        action: 'claim',
        taskId,
      });
      const present = (at: TestGateway) =>
        at.post(claimPath, { payer: cast.worker.address }, { [body.header.name]: body.header.value });
      assert.deepEqual([(await present(second)).status, (await present(gateway)).status], [402, 200]);
      await gateway.restart();
    });
});

describe('a claim that would fail', () => {
  test('is 400, 404 or 409 before the payment is looked at, and the same payment is good afterwards', async () => {
    const payment = await sign();
    const headers = payV2(payment);
    const number = BigInt((await postTask(cast)).split(':')[2] as string);
    const { registry, tok, gateway: router } = cast.contracts;
    await cast.poster.write(registry, 'cancelTask', [number]);
    await cast.worker.write(tok, 'approve', [router.address, 0n]);
    const earned = await earnedBy(cast, async () => {
      assert.equal((await claim(headers, 'nothing')).status, 400);
      assert.equal((await claim(headers, 'v2:standard:99999')).status, 404);
      assert.equal((await claim(headers, String(number))).status, 409);
      assert.equal((await claim(headers, taskId, cast.poster.address)).status, 409, 'the poster’s own task');
      assert.equal((await gateway.post(`/v1/tasks/${taskId}/claim`, {}, headers)).status, 400);
      const { status, body } = await claim(headers);
      assert.equal(status, 409, 'no allowance');
      const missing = body.readiness.checks.filter(({ ok }: { ok: boolean }) => !ok);
      assert.ok(missing.some(({ fix }: { fix: string }) => fix === 'approve-tok-router'));
    });
    assert.equal(earned, 0n);
    assert.equal(await isUsed(payment.authorization.nonce), false);
    await cast.worker.write(tok, 'approve', [router.address, 10n ** 24n]);
    assert.equal((await claim(headers)).status, 200);
  });
});

describe('paid discovery', () => {
  test('is there only where it was switched on, and then costs a payment for each read', async () => {
    assert.equal((await gateway.get('/v1/paid/market/open')).status, 404);
    const namesIt = async () =>
      JSON.stringify((await gateway.get('/openapi.json')).body).includes('/v1/paid/');
    assert.equal(await namesIt(), false);
    await gateway.restart({ isPaidDiscovery: true });
    assert.equal(await namesIt(), true);
    const free = await gateway.get('/v1/market/open');
    const path = '/v1/paid/market/open';
    assertRefused(await gateway.get(path), /paid for by x402/);
    const headers = payV2(await sign());
    const earned = await earnedBy(cast, async () => {
      assert.equal((await gateway.get(`${path}?limit=0`, headers)).status, 400);
      assert.equal((await gateway.get('/v1/paid/tasks/99999', headers)).status, 404);
      const { status, body } = await gateway.get(path, headers);
      assert.equal(status, 200);
      assert.deepEqual(body, free.body);
      await postTask(cast);
      assert.deepEqual((await gateway.get(path, headers)).body, body, 'the same answer, not a new read');
      assertRefused(await gateway.get('/v1/paid/market/recent', headers), /something else/);
      assertRefused(await claim(headers), /something else/);
    });
    assert.equal(earned, 10_000n);
    const task = await gateway.get(`/v1/paid/tasks/${taskId}`, payV1(await sign()));
    assert.equal(task.body.task.id, taskId);
  });
});

describe('a facilitator without Ether', () => {
  test('is our fault: 503, nothing charged, a gauge shows it, and the same payment works once it has some', async () => {
    const key = `0x${'7e'.repeat(32)}` as const;
    await gateway.restart({ facilitator: { kind: 'local', key } });
    const headers = payV2(await sign());
    const earned = await earnedBy(cast, async () => {
      const poor = await claim(headers);
      assert.deepEqual(
        [poor.status, poor.body.code],
        [503, 'FACILITATOR_UNFUNDED'],
        JSON.stringify(poor.body),
      );
    });
    assert.equal(earned, 0n);
    const metrics = async () => String((await gateway.get('/metrics')).body);
    await until(async () => /^svc_facilitator_ether 0$/m.test(await metrics()));
    assert.match(await metrics(), /^svc_payments_total\{outcome="failed"\} [1-9]/m);
    const account = privateKeyToAccount(key).address;
    await cast.client.request({
      method: 'hardhat_setBalance' as 'eth_chainId',
      params: [account, '0xde0b6b3a7640000'],
    } as never);
    assert.equal((await claim(headers)).status, 200);
    await gateway.restart();
  });
});

describe('a facilitator elsewhere', () => {
  test('that says no with a status of its own is 402, one that is away 503; a payment stays good', async (context) => {
    let isKind = false;
    const { url, close } = await serve((_, response) => {
      if (!isKind) return void response.writeHead(502).end('gone');
      response.writeHead(400, { 'Content-Type': 'application/json' });
      response.end('{"isValid":false,"invalidReason":"insufficient_funds"}');
    });
    context.after(close);
    await gateway.restart({ facilitator: { kind: 'remote', url } });
    const headers = payV2(await sign());
    const away = await claim(headers);
    assert.equal(away.status, 503, JSON.stringify(away.body));
    assert.match(away.body.error, /nothing was charged/);
    assert.equal(away.headers.get('retry-after'), '2');
    isKind = true;
    assertRefused(await claim(headers), /insufficient_funds/);
    await gateway.restart();
    assert.equal((await claim(headers)).status, 200);
  });
});

describe('without a facilitator', () => {
  test('payments are not offered and not taken; receipts go on', async () => {
    await gateway.restart({ facilitator: { kind: 'off' } });
    const { status, body, headers } = await claim(payV2(await sign()));
    assert.equal(status, 402);
    assert.match(body.error, /takes no payments/);
    assert.deepEqual([body.accepts, headers.get('payment-required')], [[], null]);
    const receipt = await gateway.post('/v1/payment-receipt', {
      payer: cast.worker.address,
      action: 'claim',
      taskId,
    });
    const { name, value } = receipt.body.header;
    assert.equal((await claim({ [name]: value })).status, 200);
  });
});

describe('on a chain whose clock was moved ahead', () => {
  test('the stock client of version 2, which knows only its own clock, still pays on chain and gets the claim', async () => {
    await gateway.restart();
    await gateway.devnet.clock.advance(30 * 86_400);
    const id = await postTask(cast);
    const earned = await earnedBy(cast, async () => {
      const response = await stockClient()(...postClaim(id));
      const body = (await response.json()) as { calls: unknown[] };
      assert.deepEqual([response.status, body.calls.length], [200, 1], JSON.stringify(body));
      const settlement = decode(response.headers.get('payment-response'));
      assert.deepEqual([settlement.success, settlement.network], [true, 'eip155:8453']);
    });
    assert.equal(earned, 10_000n);
    assertRefused(await claim(payV2(await sign()), id), /other requirements/);
    assertRefused(await claim(payV1(await sign()), id), /expired/);
  });
});
