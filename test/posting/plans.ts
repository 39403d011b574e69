// Plans: what they cost, how they are paid by the calls of a quote, and what a payment is good for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWalletClient, type Hex, http, pad, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { pricingPolicyAbi } from '#contracts/generated/abi/pricingPolicy.ts';
import { markets } from '#sdk/domain/market.ts';
import { planQuoteSchema, tokPreviewSchema, upgradedQuotaSchema } from '#sdk/schemas/postingPlans.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { assertFits } from '../api/fits.ts';
import { type Answer, get, send } from '../support/asking.ts';
import { base } from '../support/baseChain.ts';
import { ask } from '../support/devnet.ts';
import { getQuota } from '../support/postingSite.ts';
import { until } from '../support/until.ts';
import { site } from './site.ts';

const newcomer = accountOf('newcomer').address;
const lab = accountOf('lab').address;
const day = 86_400;

const upgrade = (body: object, query = '') => send(site.url(), `/api/posting/upgrade${query}`, body);

/** Sends the quote's calls from the wallet, as they are, and answers the last transaction. */
async function pay(quote: Answer['body'], name: 'newcomer' | 'lab' | 'archive'): Promise<Hex> {
  const { devnet, castOn } = site;
  const { client } = await castOn('standard');
  const account = privateKeyToAccount(accountOf(name).privateKey);
  const wallet = createWalletClient({ account, chain: base, transport: http(devnet.rpcUrl) });
  let last: Hex = '0x';
  for (const { to, value, data } of quote.calls) {
    last = await wallet.sendTransaction({ to, value: BigInt(value), data });
    const { status } = await client.waitForTransactionReceipt({ hash: last });
    assert.equal(status, 'success');
  }
  return last;
}

const quoteOf = async (address: string, payWith: string, tier = 'basic', market = 'standard') => {
  const query = `address=${address}&tier=${tier}&payWith=${payWith}&market=${market}`;
  return (await get(site.url(), `/api/posting/quote?${query}`)).body;
};

test('previews and quotes are to the wei what the contract itself says', async () => {
  const { deployment } = site.devnet;
  const { client } = await site.castOn('standard');
  for (const market of markets) {
    for (const tier of ['basic', 'premium', 'enterprise']) {
      const [listUsdc, discountedUsd, priceE8, tokAmount, tokAllowed] = await client.readContract({
        address: deployment.markets[market].pricingPolicy,
        abi: pricingPolicyAbi,
        functionName: 'quote',
        args: [stringToHex(tier, { size: 32 })],
      });
      const { body } = await get(site.url(), `/api/posting/tok-preview?tier=${tier}&market=${market}`);
      assertFits(tokPreviewSchema, body, 'preview');
      assert.deepEqual(body, {
        tier,
        listPriceUsdc: Number(listUsdc) / 1e6,
        discountedUsd: Number(discountedUsd) / 1e6,
        tokUsdPrice: Number(priceE8) / 1e8,
        tokAmount: Number(tokAmount) / 1e18,
        tokAllowed,
        tokAmountWei: String(tokAmount),
        reason: null,
        market,
        discountPercent: 10,
      });
      const inTok = await quoteOf(newcomer, 'tok', tier, market);
      assertFits(planQuoteSchema, inTok, 'quote');
      assert.equal(inTok.amountUnits, String(tokAmount));
      assert.equal(inTok.payTo, deployment.markets[market].paymentGateway);
      assert.equal((await quoteOf(newcomer, 'usdc', tier, market)).amountUnits, String(listUsdc));
    }
  }
});

let txHash: Hex;

test('basic is bought in TOK by the calls of the quote, and is in force at once', async () => {
  const quote = await quoteOf(newcomer, 'tok');
  assert.ok(quote.expiresAt > site.devnet.clock.now());
  txHash = await pay(quote, 'newcomer');
  const { client } = await site.castOn('standard');
  const { blockNumber } = await client.getTransactionReceipt({ hash: txHash });
  const { timestamp } = await client.getBlock({ blockNumber });
  const bought = { address: newcomer, tier: 'basic', txHash, payWith: 'tok', market: 'standard' };
  const first = await upgrade(bought);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assertFits(upgradedQuotaSchema, first.body, 'upgrade');
  const tierExpiresAt = Number(timestamp) + 30 * day;
  assert.partialDeepStrictEqual(first.body, { tier: 'basic', limit: 25, tierExpiresAt, upgraded: true });
  assert.equal((await getQuota(site.url(), newcomer, 'micro')).tier, 'free', 'on its own market only');
  await site.catchUp();
  assert.equal((await getQuota(site.url(), newcomer)).tierExpiresAt, tierExpiresAt);
});

test('the same payment again from the same wallet changes nothing', async () => {
  const client = site.client();
  const before = await client.postingQuota(newcomer);
  const same = await client.upgradePlan({ address: newcomer, tier: 'basic', txHash });
  assert.equal(same.upgraded, false);
  assert.equal(same.tierExpiresAt, before.tierExpiresAt);
});

test('a used payment is refused with 409 to another wallet, for another tier and on the other market', async () => {
  for (const body of [
    { address: lab, tier: 'basic', txHash },
    { address: newcomer, tier: 'premium', txHash },
    { address: newcomer, tier: 'basic', txHash, market: 'micro' },
    { address: newcomer, tier: 'basic', txHash, payWith: 'usdc' },
  ]) {
    const answer = await upgrade(body);
    assert.equal(answer.status, 409, JSON.stringify(body));
    assert.deepEqual(answer.body, { error: 'This payment was already used.', code: 'PAYMENT_USED' });
  }
  assert.equal((await getQuota(site.url(), newcomer, 'micro')).tier, 'free');
});

test('basic is bought in USDC on the other market; what it does not pay for is refused with 422', async () => {
  const paid = await pay(await quoteOf(lab, 'usdc', 'premium', 'micro'), 'lab');
  const claims: readonly (readonly [object, RegExp])[] = [
    [{ address: newcomer, tier: 'premium', txHash: paid, market: 'micro' }, /another wallet pays/],
    [{ address: lab, tier: 'basic', txHash: paid, market: 'micro' }, /buys another plan/],
    [{ address: lab, tier: 'premium', txHash: paid, payWith: 'tok', market: 'micro' }, /another currency/],
    [{ address: lab, tier: 'premium', txHash: paid }, /buys no plan on the market "standard"/],
  ];
  for (const [claim, reason] of claims) {
    const answer = await upgrade(claim);
    assert.equal(answer.status, 422, JSON.stringify(claim));
    assert.match(answer.body.error, reason);
  }
  const own = { address: lab, tier: 'premium', txHash: paid, payWith: 'usdc', market: 'micro' };
  const answer = await upgrade(own);
  assert.equal(answer.status, 200);
  assert.equal(answer.body.limit, 200);
});

test('a plan of the seeded past is in force without a word, and one that is over is not', async () => {
  const press = await getQuota(site.url(), accountOf('press').address);
  assert.equal(press.tier, 'premium');
  const archive = await getQuota(site.url(), accountOf('archive').address);
  assert.equal(archive.tier, 'free', 'its basic is over');
});

test('a payment whose time is over is refused with 422', async () => {
  const { client, deployment } = await site.castOn('standard');
  const logs = await client.getLogs({ address: deployment.markets.standard.paymentGateway, fromBlock: 0n });
  const archive = accountOf('archive').address;
  const payment = logs.find(
    ({ topics: [, payer, tier] }) =>
      payer === pad(archive).toLowerCase() && tier === stringToHex('basic', { size: 32 }),
  );
  const answer = await upgrade({ address: archive, tier: 'basic', txHash: payment?.transactionHash });
  assert.equal(answer.status, 422);
  assert.match(answer.body.error, /is over; buy the plan again/);

  const bought = await pay(await quoteOf(archive, 'usdc'), 'archive');
  const old = await upgrade({ address: archive, tier: 'basic', txHash: payment?.transactionHash });
  assert.equal(old.status, 422, 'a newer payment does not lend it its time');
  const again = await upgrade({ address: archive, tier: 'basic', txHash: bought });
  assert.deepEqual([again.status, again.body.upgraded, again.body.tier], [200, true, 'basic']);
});

test('with a stale price TOK is not allowed, with the reason, and USDC is', async () => {
  const { client } = await site.castOn('standard');
  const preview = () => get(site.url(), '/api/posting/tok-preview?tier=basic');
  await until(async () => (await preview()).body.tokAllowed === true);
  // Moves only the chain's time: advancing the test clock would publish a new price.
  await ask(client, 'evm_increaseTime', 2 * day);
  await ask(client, 'evm_mine');
  await site.catchUp();
  await until(async () => (await preview()).body.tokAllowed === false);
  const { status, body } = await preview();
  assert.equal(status, 200);
  const reason = 'The price of TOK is stale or missing: pay in USDC.';
  assert.partialDeepStrictEqual(body, { tokAllowed: false, tokAmount: 0, reason });
  const inTok = await get(site.url(), `/api/posting/quote?address=${newcomer}&tier=basic`);
  assert.equal(inTok.status, 422);
  assert.match(inTok.body.error, /payWith=usdc/);
  const inUsdc = await get(site.url(), `/api/posting/quote?address=${newcomer}&tier=basic&payWith=usdc`);
  assert.equal(inUsdc.status, 200);
  assert.equal(inUsdc.body.tokAllowed, false);
});
