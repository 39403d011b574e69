// Proves the relations between the parameters that the rules depend on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markets } from './market.ts';
import { marketParameters, plans } from './parameters.ts';

test('collateral rises from bond over pause and entry to the recommended amount', () => {
  for (const market of markets) {
    const { bondUsdc, pauseUsdc, entryUsdc, recommendedUsdc } = marketParameters[market];
    assert.deepEqual([pauseUsdc, entryUsdc, recommendedUsdc], [8_000_000n, 25_000_000n, 45_000_000n]);
    // One engagement at the least deposit must be possible and must not pause the agent at once when it is lost.
    assert.ok(entryUsdc - bondUsdc >= pauseUsdc);
  }
});

test('10,000 staked TOK earn the credits of one action in 30 days', () => {
  for (const market of markets) {
    const { accessFeeTokWei, creditPerTokRate } = marketParameters[market];
    const earned = (10_000n * 10n ** 18n * creditPerTokRate * 30n * 86_400n) / 10n ** 18n;
    const difference = accessFeeTokWei - earned;
    assert.ok(difference < accessFeeTokWei / 1_000_000n && difference > -accessFeeTokWei / 1_000_000n);
  }
});

test('TOK gives a tenth off every plan that costs something', () => {
  for (const { priceUsdc, tokDiscountBps } of plans)
    assert.equal(tokDiscountBps, priceUsdc === 0n ? 0 : 1_000);
});
