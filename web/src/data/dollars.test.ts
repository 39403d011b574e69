import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmount, readUnit, toTokText, toUsdText } from './dollars.ts';

test('dollars become TOK at the price of the market, and TOK dollars; nothing else is an amount', () => {
  assert.equal(toTokText('25', 0.005), '5000');
  assert.equal(toTokText('1,000.50', 0.005), '200100');
  assert.equal(toTokText('1', 0.003), '333.3333');
  assert.equal(toTokText('999999999999', 0.00000001), '99999999999900000000');
  for (const text of ['', '12.', '-1', '1e3', 'ten', '1,5', '12,50'])
    assert.equal(toTokText(text, 0.005), null, text);
  assert.equal(toTokText('1', 0), null);
  assert.equal(toUsdText('5000', 0.005), '25.00');
  assert.equal(toUsdText('333.3333', 0.003), '0.99');
  for (const text of ['', '0', 'x', '12,3']) assert.equal(toUsdText(text, 0.005), '', text);
});

test('a unit that is typed with an amount is taken for it', () => {
  for (const [text, unit, amount] of [
    ['1500 TOK', 'TOK', '1500'],
    ['1500tok ', 'TOK', '1500'],
    ['$12.50', 'USD', '12.50'],
    ['12 $', 'USD', '12'],
    ['12.', null, '12.'],
    ['', null, ''],
  ] as const)
    assert.deepEqual([readUnit(text), readAmount(text)], [unit, amount], text);
});
