// While the chain is unreachable, the last known state is served with its age.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { errorMessages } from '#sdk/domain/errors.ts';
import type { Route } from '#sdk/schemas/route.ts';
import { routes } from '#sdk/schemas/routes.ts';
import { createSite, type Site } from '#service/app/createSite.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { get } from '../support/asking.ts';
import { startFaultyProxy } from '../support/faultyProxy.ts';
import { getQuota } from '../support/postingSite.ts';
import { buildSiteOptions } from '../support/site.ts';
import { createFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { site } from './site.ts';

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9';
const day = 86_400;

const reads = [
  '/api/market/open',
  '/api/market/recent',
  '/api/market/task?id=v2:standard:3',
  '/api/market/timeline?id=v2:standard:3',
  '/api/site-config',
  '/api/union/overview',
  '/api/market/open?protocolVersion=v1',
];

/** Another site, without rows; it is closed before its folder goes. */
async function startBeside(context: TestContext, rpcUrl: string) {
  let beside: Site | undefined;
  context.after(() => beside?.close());
  const options = buildSiteOptions({ devnet: site.devnet, dataDir: createFolder(context) });
  beside = await createSite({ ...options, rpcUrls: [rpcUrl] });
  return beside;
}

test('a server that starts without a chain answers from what the last one knew', async () => {
  const before = await Promise.all(reads.map(async (path) => [path, await site.getJson(path)] as const));
  await site.stop();
  const later = site.devnet.clock.now() + 3_800;
  await site.start({ rpcUrls: [nowhere], now: () => later });
  for (const [path, known] of before) {
    const response = await site.get(path);
    assert.equal(response.status, 200, path);
    if (!path.includes('union')) assert.deepEqual(await response.json(), known, path);
    assert.ok(Number(response.headers.get('svc-block-age')) >= 3_590, path);
  }
  const health = await site.getJson('/health');
  assert.equal(health.status, 'degraded');
  assert.equal(health.ready, true);
  assert.deepEqual(health.cannot, ['claims', 'receipts', 'record'], 'they need the chain');
  assert.ok(health.blockAgeSeconds >= 3_590);
  await site.stop();
});

test('on a chain whose clock is ahead of ours the age of the last block grows while no block comes', async () => {
  const behind = site.devnet.clock.now() - 7 * day;
  await site.start({ rpcUrls: [nowhere], now: () => behind });
  const readAge = async () =>
    Number((await site.get('/api/market/open?limit=1')).headers.get('svc-block-age'));
  const first = await readAge();
  await until(async () => (await readAge()) > first);
  assert.ok((await site.getJson('/health')).blockAgeSeconds > first);
  await site.stop();
});

test('at a price that the oracle would drop by now, the earlier shape gives its amounts and says how old they are', async () => {
  const path = '/api/market/task?id=3&protocolVersion=v1';
  await site.start();
  const before = await site.getJson(path);
  assert.equal(before.priceUpdatedAt, undefined);
  await site.stop();
  const later = site.devnet.clock.now() + 30 * day;
  await site.start({ rpcUrls: [nowhere], now: () => later });
  const { priceUpdatedAt, ...reply } = await site.getJson(path);
  assert.deepEqual(reply, before, 'the amounts are those at the last price');
  assert.ok(priceUpdatedAt > 0 && priceUpdatedAt <= later - 29 * day, String(priceUpdatedAt));
  const open = await site.getJson('/api/market/open?protocolVersion=v1');
  assert.equal(open.priceUpdatedAt, priceUpdatedAt);
  assert.equal((await site.getJson('/api/market/task?id=v2:standard:3')).priceUpdatedAt, undefined);
  await site.stop();
  await site.start();
});

test('before any state is known, reads answer 503 with {error}, and health says starting', async (context) => {
  const empty = await startBeside(context, nowhere);
  for (const path of reads) {
    const response = await fetch(empty.url + path);
    assert.equal(response.status, 503, path);
    assert.deepEqual(await response.json(), { error: errorMessages.NOT_READY, code: 'NOT_READY' }, path);
    assert.equal(response.headers.get('svc-block'), null);
  }
  const health = await fetch(`${empty.url}/health`);
  assert.equal(health.status, 503);
  assert.deepEqual(await health.json(), {
    status: 'starting',
    ready: false,
    error: errorMessages.NOT_READY,
  });
  assert.equal(
    (await fetch(`${empty.url}/api/market/open?limit=0`)).status,
    400,
    'a wrong request is refused before the chain is known',
  );
  assert.equal((await fetch(`${empty.url}/openapi.yaml`)).status, 200);
});

/** They say nothing about tasks and wallets. */
const answeredMeanwhile = ['/api/wallet-name', '/docs/api', '/metrics', '/openapi.yaml'];

test('while the chain is read for the first time, what shows rows is 503, and health says how far it is', async (context) => {
  const proxy = await startFaultyProxy(site.devnet.rpcUrl);
  context.after(proxy.close);
  // Logs come, and the states of tasks do not.
  proxy.setFault('no state');
  const fresh = await startBeside(context, proxy.url);
  const readHealth = async () => get(fresh.url, '/health');
  await until(async () => (await readHealth()).body.status === 'catching_up');
  const { status, headers, body: health } = await readHealth();
  const { block, target, percent, seconds, error, ...rest } = health;
  assert.deepEqual([status, rest], [503, { status: 'catching_up', ready: false }]);
  assert.equal(headers.get('retry-after'), '2');
  assert.match(error, new RegExp(`; ${percent} % is done`));
  assert.ok(block > 0 && block <= target && percent > 0 && percent < 100, JSON.stringify(health));
  assert.ok(seconds === null || seconds >= 0);

  const answered: string[] = [];
  for (const { path, samples, reply, method = 'get', body } of Object.values<Route>(routes)) {
    if (method !== 'get' || body !== undefined || reply.contentType === 'text/event-stream') continue;
    const response = await get(fresh.url, samples[0]?.path ?? path);
    if (path === '/health') continue;
    if (response.status === 200) {
      answered.push(path);
      continue;
    }
    const refused = [response.status, response.headers.get('retry-after'), response.body];
    assert.deepEqual(refused, [503, '2', { error: errorMessages.NOT_READY, code: 'NOT_READY' }], path);
    assert.equal(response.headers.get('svc-block'), null);
  }
  assert.deepEqual(answered.sort(), answeredMeanwhile);

  proxy.setFault('none');
  await until(async () => (await readHealth()).body.ready === true);
  const [first, other] = await Promise.all(
    [fresh.url, site.url()].map(async (url) => (await get(url, '/api/market/recent')).body.tasks),
  );
  assert.deepEqual(first, other);
});

test('a client that asks for its block gets no older answer: it waits a moment, or reads 503', async () => {
  const { poster, contracts } = await site.castOn('standard');
  const { blockNumber } = await poster.write(contracts.tok, 'approve', [poster.address, 1n]);
  for (const path of reads.slice(0, 4)) {
    const asked = await site.get(path, { 'svc-at-least-block': String(blockNumber) });
    assert.equal(asked.status, 200, path);
    assert.ok(Number(asked.headers.get('svc-block')) >= Number(blockNumber), path);
    const [later, wrong] = await Promise.all([
      site.get(path, { 'svc-at-least-block': String(blockNumber + 1_000n) }),
      site.get(path, { 'svc-at-least-block': 'soon' }),
    ]);
    assert.equal(later.status, 503, path);
    assert.match(await later.text(), /"code":"BLOCK_NOT_REACHED"/, path);
    assert.ok(later.headers.get('retry-after'), path);
    assert.equal(wrong.status, 400, path);
  }
  const client = site.client();
  client.expectBlock(blockNumber + 1_000n);
  await assert.rejects(client.open(), { code: 'API_REFUSED' });
});

test('what is remembered says its own block, and is read again for a client that asks for a later one', async () => {
  const { poster, contracts, client } = await site.castOn('standard');
  const { tok, staking } = contracts;
  const least = 10_000n * 10n ** 18n;
  const stakedAt = async (blockNumber: bigint) =>
    String((await client.readContract({ ...staking, functionName: 'overview', blockNumber }))[1]);
  await poster.write(tok, 'approve', [staking.address, least]);
  assert.equal((await site.get('/api/union/overview')).status, 200);
  const { blockNumber } = await poster.write(staking, 'stake', [least]);
  const asked = await site.get('/api/market/open', { 'svc-at-least-block': String(blockNumber) });
  assert.equal(asked.status, 200);
  for (const headers of [{}, { 'svc-at-least-block': String(blockNumber) }]) {
    const answer = await site.get('/api/union/overview', headers);
    const shown = BigInt(answer.headers.get('svc-block') ?? 0);
    assert.ok(shown >= BigInt(headers['svc-at-least-block'] ?? 0));
    const { totalStakedTok } = (await answer.json()) as { totalStakedTok: string };
    assert.equal(
      totalStakedTok,
      await stakedAt(shown),
      'it is what the vault said at the block that it names',
    );
  }
  const config = await site.get('/api/site-config', { 'svc-at-least-block': String(blockNumber) });
  assert.ok(BigInt(config.headers.get('svc-block') ?? 0) >= blockNumber);
});

test('while logs cannot be read, reads are 503; then no paid plan is missing', async (context) => {
  const proxy = await startFaultyProxy(site.devnet.rpcUrl);
  proxy.setFault('logs refused');
  const fresh = await startBeside(context, proxy.url);
  context.after(proxy.close);
  const health = await fetch(`${fresh.url}/health`);
  assert.deepEqual([health.status, ((await health.json()) as { status: string }).status], [503, 'starting']);
  const refused = await fetch(`${fresh.url}/api/posting/quota?address=${accountOf('press').address}`);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.deepEqual(await refused.json(), { error: errorMessages.NOT_READY, code: 'NOT_READY' });

  proxy.setFault('none');
  await until(async () => (await fetch(`${fresh.url}/health`)).ok);
  assert.equal((await getQuota(fresh.url, accountOf('press').address)).tier, 'premium');
  const [first, other] = await Promise.all(
    [fresh.url, site.url()].map(
      async (url) => (await get(url, '/api/market/task?id=v2:standard:1')).body.task,
    ),
  );
  assert.deepEqual(first.deliveries, other.deliveries);
});
