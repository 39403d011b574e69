// What is counted: posts that the chain shows, by market, wallet and UTC day, and those that are reported before: confirmed by the
// chain, pending until it shows them, or refused because it contradicts them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { limitReachedSchema, quotaSchema, recordedQuotaSchema } from '#sdk/schemas/postingQuota.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { assertFits } from '../api/fits.ts';
import { send } from '../support/asking.ts';
import type { Cast } from '../support/cast.ts';
import { ask } from '../support/devnet.ts';
import { taskAmount } from '../support/posting.ts';
import { getQuota, postForReal, unseenHash } from '../support/postingSite.ts';
import { until } from '../support/until.ts';
import { site } from './site.ts';

const newcomer = accountOf('newcomer').address;
const visitor = accountOf('visitor').address;

test('a wallet nobody knows is free with nothing used, on both markets', async () => {
  const url = site.url();
  const address = '0x00000000000000000000000000000000000000a3';
  for (const market of ['standard', 'micro'] as const) {
    const quota = await getQuota(url, address, market);
    assertFits(quotaSchema, quota, market);
    const { resetsAt, ...rest } = quota;
    assert.deepEqual(rest, {
      tier: 'free',
      used: 0,
      limit: 3,
      canPost: true,
      market,
      address: '0x00000000000000000000000000000000000000A3',
      pending: 0,
      remaining: 3,
      tierExpiresAt: null,
    });
    assert.equal(resetsAt % 86_400, 0);
    const left = resetsAt - site.devnet.clock.now();
    assert.ok(left > -60 && left <= 86_400);
  }
});

test('three posts that nobody told of use the day up on their market and nowhere else', async () => {
  const url = site.url();
  const cast = await site.castOn('standard');
  const before = await send(url, '/api/posting/check', { address: newcomer, market: 'standard' });
  assert.equal(before.status, 200);
  assertFits(quotaSchema, before.body, 'check');
  assert.equal(before.headers.get('ratelimit-policy'), '"posting";q=3;w=86400');
  assert.match(before.headers.get('ratelimit') ?? '', /^"posting";r=3;t=\d+$/);

  for (let posts = 1; posts <= 3; posts++) {
    await postForReal(cast);
    await until(async () => (await getQuota(url, newcomer)).used === posts);
  }
  const refused = await send(url, '/api/posting/check', { address: newcomer.toLowerCase() });
  assert.equal(refused.status, 429);
  assertFits(limitReachedSchema, refused.body, 'limit');
  assert.equal(refused.body.quota.remaining, 0);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 86_400);
  assert.match(refused.headers.get('ratelimit') ?? '', /^"posting";r=0;t=\d+$/);
  const other = await getQuota(url, newcomer, 'micro');
  assert.partialDeepStrictEqual(other, { used: 0, canPost: true });
});

test('the next day, which the chain’s clock brings without a restart, begins with nothing used', async () => {
  const { resetsAt } = await getQuota(site.url(), newcomer);
  await site.devnet.clock.advance(resetsAt - site.devnet.clock.now() + 1);
  await site.catchUp();
  const quota = await getQuota(site.url(), newcomer);
  assert.partialDeepStrictEqual(quota, { used: 0, canPost: true, resetsAt: resetsAt + 86_400 });
});

type RealPost = Awaited<ReturnType<typeof postForReal>>;

const record = (body: object, query = '') => send(site.url(), `/api/posting/record${query}`, body);
let post: RealPost;

test('a post that is on the chain is confirmed and counts once, however often and early it is reported', async () => {
  const cast = await site.castOn('standard');
  post = await postForReal(cast);
  // At once, most likely before the follower has seen the block, and again when it has.
  const early = await record(post);
  assert.equal(early.status, 200, JSON.stringify(early.body));
  assertFits(recordedQuotaSchema, early.body, 'record');
  assert.partialDeepStrictEqual(early.body, { used: 1, pending: 0, status: 'confirmed', recorded: true });
  await site.catchUp();
  const late = await record({ ...post, market: 'standard' });
  assert.partialDeepStrictEqual(late.body, { used: 1, status: 'confirmed' });
  assert.equal((await getQuota(site.url(), newcomer)).used, 1);
});

const lies: readonly (readonly [string, (truth: RealPost) => object, RegExp])[] = [
  ['another wallet', (truth) => ({ ...truth, address: visitor }), /another wallet posts in it/],
  ['another task', (truth) => ({ ...truth, taskId: 'v2:standard:3' }), /it posts another task/],
  ['an impossible task', (truth) => ({ ...truth, taskId: `v2:standard:${'9'.repeat(20)}` }), /another task/],
  ['the other market', (truth) => ({ ...truth, taskId: 'v2:micro:1' }), /no task on the market "micro"/],
  ['another amount', (truth) => ({ ...truth, taskAmountTok: '999' }), /pays another amount/],
];
test('a known transaction told with anything else is refused with 422, and nothing is counted', async () => {
  for (const [what, lie, reason] of lies) {
    const answer = await record(lie(post));
    assert.equal(answer.status, 422, what);
    assert.match(answer.body.error, /^The transaction is not this post: /);
    assert.match(answer.body.error, reason);
  }
  for (const wallet of [newcomer, visitor]) {
    const { used, pending } = await getQuota(site.url(), wallet);
    assert.deepEqual([used, pending], [wallet === newcomer ? 1 : 0, 0]);
  }
});

test('a reverted post and a transaction that posts nothing are refused with 422', async () => {
  const cast = await site.castOn('standard');
  const { client, contracts, worker } = cast;
  const reverted = (await client.request({
    method: 'eth_sendTransaction' as 'eth_chainId',
    params: [{ from: worker.address, to: contracts.registry.address, data: '0x12345678', gas: '0x30d40' }],
  } as never)) as `0x${string}`;
  await client.waitForTransactionReceipt({ hash: reverted });
  const body = { ...post, address: visitor, taskId: 'v2:standard:4000' };
  assert.match((await record({ ...body, txHash: reverted })).body.error, /it was reverted/);
  const approved = await worker.write(contracts.tok, 'approve', [contracts.gateway.address, 10n ** 23n]);
  const answer = await record({ ...body, txHash: approved.transactionHash });
  assert.equal(answer.status, 422);
  assert.match(answer.body.error, /posts no task/);
  assert.equal((await getQuota(site.url(), visitor)).used, 0);
});

test('a post told before it is mined is pending, then confirmed, and never counted twice', async () => {
  await site.stop();
  await site.start({ trustedProxies: ['127.0.0.1'] });
  const cast = await site.castOn('micro');
  const before = await getQuota(site.url(), newcomer, 'micro');
  const count = await cast.client.readContract({ ...cast.contracts.registry, functionName: 'taskCount' });
  const resume = await holdBlocks(cast);
  const posting = postForReal(cast);
  try {
    const txHash = await findPending(cast);
    const told = await record({
      address: newcomer,
      taskId: `v2:micro:${count + 1n}`,
      txHash,
      taskAmountTok: String(taskAmount),
    });
    assert.equal(told.status, 200, JSON.stringify(told.body));
    assert.deepEqual([told.body.status, told.body.used], ['pending', before.used + 1]);
    const other = await fetch(`${site.url()}/api/posting/quota?address=${newcomer}&market=micro`, {
      headers: { 'x-forwarded-for': '198.51.100.2' },
    });
    const { used } = (await other.json()) as { used: number };
    assert.equal(used, before.used + 1, 'the mempool proves it to all');
  } finally {
    await resume();
  }
  await posting;
  await site.catchUp();
  const after = await getQuota(site.url(), newcomer, 'micro');
  assert.deepEqual([after.used, after.pending], [before.used + 1, before.pending]);
});

test('a stranger cannot use up a wallet’s quota with transactions that nobody has seen', async () => {
  const address = '0x00000000000000000000000000000000000000b5';
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  for (let seed = 61; seed <= 63; seed++) {
    const body = { ...post, address, taskId: `v2:standard:${6000 + seed}`, txHash: unseenHash(seed) };
    const told = await send(site.url(), '/api/posting/record', body, from('203.0.113.6'));
    assert.deepEqual([told.status, told.body.status], [200, 'pending']);
  }
  const check = (ip: string) =>
    send(site.url(), '/api/posting/check', { address, market: 'standard' }, from(ip));
  const { status, body } = await check('198.51.100.1');
  assert.deepEqual([status, body.used, body.canPost], [200, 0, true]);
  const own = await check('203.0.113.6');
  assert.deepEqual([own.status, own.body.quota.used], [429, 3], 'the stranger sees its own records');
});

test('an unseen post is refused where the operator wants that, and taken as pending while the chain is away', async () => {
  const told = { ...post, address: visitor, taskId: 'v2:micro:7778', txHash: unseenHash(41) };
  const before = await getQuota(site.url(), visitor, 'micro');
  await site.stop();
  await site.start({ recordPending: 'reject' });
  assert.equal((await record(told)).status, 422);
  assert.deepEqual(await getQuota(site.url(), visitor, 'micro'), before);
  await site.stop();
  await site.start({ rpcUrls: ['http://127.0.0.1:9'] });
  const { status, body } = await record(told);
  assert.deepEqual([status, body.status], [200, 'pending']);
  await site.stop();
  await site.start();
});

test('the earlier shape takes a plain number and a budget in USDC', async () => {
  const { taskId, taskAmountTok: _, ...rest } = post;
  const earlier = { ...rest, taskId: taskId.replace('v2:standard:', ''), budgetUsdc: 5 };
  const answer = await record(earlier, '?protocolVersion=v1');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.status, 'confirmed');
  assert.equal(answer.body.market, 'standard');
  assert.equal((await record({ ...earlier, address: visitor }, '?protocolVersion=v1')).status, 422);
});

/** No block until the answered function is called. */
async function holdBlocks({ client }: Cast): Promise<() => Promise<void>> {
  await ask(client, 'evm_setAutomine', false);
  await ask(client, 'evm_setIntervalMining', 0);
  return async () => {
    await ask(client, 'evm_setAutomine', true);
    await ask(client, 'evm_setIntervalMining', 2_000);
    await ask(client, 'evm_mine');
  };
}

async function findPending({ client }: Cast): Promise<Hex> {
  let hash: Hex | undefined;
  await until(async () => {
    [hash] = (await client.getBlock({ blockTag: 'pending' })).transactions;
    return hash !== undefined;
  });
  return hash as Hex;
}
