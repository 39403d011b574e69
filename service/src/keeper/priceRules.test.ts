// Attacks on the price: sources that jump, lie about time, or return no number; and what a pool's ticks mean.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidePrice, type PriceLimits } from './priceRules.ts';
import { parseQuote, parseQuotedPrice, priceAtTick } from './priceSource.ts';

const now = 1_800_000_000;
const limits: PriceLimits = {
  maxAgeSeconds: 600,
  maxChangeBps: 1_000,
  minPriceE8: 100_000n,
  maxPriceE8: 2_000_000n,
  refreshSeconds: 21_600,
  minChangeBps: 100,
  minIntervalSeconds: 60,
};
const last = { priceE8: 500_000n, at: now - 3_600 };
const decide = (
  priceE8: bigint,
  given: { at?: number; last?: typeof last | null; limits?: PriceLimits } = {},
) =>
  decidePrice(
    { priceE8, at: given.at ?? now },
    given.last === undefined ? last : given.last,
    now,
    given.limits ?? limits,
  );

test('a source that jumps is refused, upwards and downwards, also by a little more than allowed', () => {
  for (const priceE8 of [50_000_000n, 550_001n, 449_999n, 5_000n])
    assert.equal(
      decide(priceE8, { limits: { ...limits, minPriceE8: 1n, maxPriceE8: 10n ** 12n } }).kind,
      'refused',
    );
  for (const priceE8 of [550_000n, 450_000n]) assert.deepEqual(decide(priceE8), { kind: 'publish', priceE8 });
});

test('the first price has no one to compare with, so the band decides', () => {
  assert.equal(decide(1_999_999n, { last: null }).kind, 'publish');
  for (const priceE8 of [0n, -1n, 99_999n, 2_000_001n, 10n ** 30n])
    assert.equal(decide(priceE8, { last: null }).kind, 'refused', String(priceE8));
});

test('old prices and prices of the future are refused, even if they are right', () => {
  for (const at of [now - 601, 0, -5, now + 61, now * 1_000])
    assert.equal(decide(510_000n, { at }).kind, 'refused', String(at));
  for (const at of [now - 600, now + 60]) assert.equal(decide(510_000n, { at }).kind, 'publish');
});

test('nothing is sent for a small change, within the interval of the feed, or twice', () => {
  assert.equal(decide(504_000n).kind, 'fresh');
  assert.equal(decide(505_000n).kind, 'publish');
  assert.equal(decide(540_000n, { last: { ...last, at: now - 59 } }).kind, 'fresh');
  assert.equal(
    decide(500_000n, { last: { ...last, at: now - 21_600 } }).kind,
    'publish',
    'before it is stale',
  );
});

test('only a plain decimal number is a price', () => {
  for (const [text, priceE8] of [
    ['0.005', 500_000n],
    [0.005, 500_000n],
    ['0.0051234599', 512_345n],
    ['12', 1_200_000_000n],
    ['0', 0n],
  ] as const)
    assert.equal(parseQuotedPrice(text), priceE8);
  const texts = ['', 'NaN', 'Infinity', '-0.005', '+1', '1e-7', '0x5', '1,5', ' 1'];
  for (const value of [...texts, 1e-7, 1e30, null, [1], {}, true])
    assert.throws(() => parseQuotedPrice(value), /decimal number/, String(value));
});

test('a quote needs its time, so that an old one cannot pass as new', () => {
  assert.deepEqual(parseQuote('{"priceUsd":"0.005","at":1800000000}'), { priceE8: 500_000n, at: now });
  const untimed = ['{"priceUsd":"0.005"}', '{"priceUsd":"0.005","at":"now"}'];
  for (const text of [...untimed, '{"at":1}', '[]', 'null', '<html>'])
    assert.throws(() => parseQuote(text), text);
});

test('ticks of a pool become USD per TOK, whichever token is first', () => {
  // 0.005 USDC per TOK are 0.005e6 units for 1e18: log(5e-15) / log(1.0001).
  const tick = Math.log(5e-15) / Math.log(1.0001);
  assert.equal(priceAtTick(tick, true), 500_000n);
  assert.equal(priceAtTick(-tick, false), 500_000n);
  assert.equal(priceAtTick(-887_272, true), 0n, 'which the band refuses');
  assert.throws(() => priceAtTick(887_272, true), /no price/);
});
