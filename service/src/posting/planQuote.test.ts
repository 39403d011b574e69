import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zeroAddress } from '@svc/sdk/domain';
import { createPlanQuotes } from './planQuote.ts';

test('a price in TOK is rounded up as the contract rounds it, so that what is quoted and approved is enough', async () => {
  const plan = {
    id: 'pro',
    dailyLimit: 10,
    priceUsdcUnits: 19_999_999n,
    tokDiscountBps: 3_333,
    isOnSale: true,
  };
  const { preview } = createPlanQuotes({
    deployment: { markets: {} as never, tokToken: zeroAddress, usdc: zeroAddress },
    plans: async () => [plan],
    price: async () => ({ priceE8: 700_001n }),
    now: () => 0,
  });
  const { discountedUsd, tokAmountWei } = await preview('standard', 'pro');
  // 19.999999 * 0.6667 is 13.3339993333, and 13.334 / 0.00700001 has no end.
  assert.equal(discountedUsd, 13.334);
  assert.equal(tokAmountWei, '1904854421636540519228');
});
