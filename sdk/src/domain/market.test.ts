// Proves that exactly two names are markets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markets, parseMarket } from './market.ts';

test('the two markets parse to themselves', () => {
  for (const market of markets) assert.equal(parseMarket(market), market);
});

test('anything else is refused, inherited names and near misses included', () => {
  for (const value of [
    '',
    'Standard',
    'micro ',
    'toString',
    0,
    null,
    undefined,
    ['standard'],
    { market: 'micro' },
  ])
    assert.throws(() => parseMarket(value), { code: 'MARKET_UNKNOWN' });
});
