// What is counted: posts that the chain shows, by market, wallet and UTC day, whether anybody told of them or not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitReachedSchema, quotaSchema } from '#sdk/schemas/postingQuota.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { assertFits } from '../api/fits.ts';
import { send } from '../support/asking.ts';
import { getQuota, postForReal } from '../support/postingSite.ts';
import type { TestSite } from '../support/site.ts';
import { until } from '../support/until.ts';

const newcomer = accountOf('newcomer').address;

export function testQuota(siteOf: () => TestSite): void {
  test('a wallet nobody knows is free with nothing used, on both markets', async () => {
    const url = siteOf().url();
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
      const left = resetsAt - siteOf().devnet.clock.now();
      assert.ok(left > -60 && left <= 86_400);
    }
  });

  test('three posts that nobody told of use the day up on their market and nowhere else', async () => {
    const site = siteOf();
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
    const site = siteOf();
    const { resetsAt } = await getQuota(site.url(), newcomer);
    await site.devnet.clock.advance(resetsAt - site.devnet.clock.now() + 1);
    await site.catchUp();
    const quota = await getQuota(site.url(), newcomer);
    assert.partialDeepStrictEqual(quota, { used: 0, canPost: true, resetsAt: resetsAt + 86_400 });
  });
}
