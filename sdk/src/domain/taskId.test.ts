// Proves that task ids have one form and survive a round trip.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { markets, parseMarket } from './market.ts';
import { formatTaskId, parseTaskId } from './taskId.ts';

const largest = 10n ** 20n - 1n;

test('every task id survives a round trip through text, in the form of the specification', () => {
  assert.equal(formatTaskId({ market: 'micro', number: 42n }), 'v2:micro:42');
  fc.assert(
    fc.property(fc.constantFrom(...markets), fc.bigInt({ min: 1n, max: largest }), (market, number) => {
      assert.deepEqual(parseTaskId(formatTaskId({ market, number })), { market, number });
    }),
  );
});

test('other forms are refused', () => {
  const spellings = [
    ...['', '42', 'v2:micro', 'v2:micro:', 'v2:micro:0', 'v2:micro:007', 'v2:micro:-1', 'v2:micro:1.0'],
    ...['v1:micro:1', 'V2:micro:1', 'v2:Micro:1', 'v2:nano:1', 'v2:micro:1e3', 'v2:micro:0x1', 'v2:micro:१'],
    ...[' v2:micro:1', 'v2:micro:1\n', `v2:micro:${largest + 1n}`, 'v2:micro:1:1', 'v2:__proto__:1'],
  ];
  for (const spelling of [...spellings, 1, null, undefined, ['v2:micro:1']])
    assert.throws(() => parseTaskId(spelling), { code: 'TASK_ID_MALFORMED' }, String(spelling));
});

test('every text that parses is the only form of its id', () => {
  const near = fc.stringMatching(/^v[12]:(standard|micro|x)?:[0-9]{0,22}$/);
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (text) => {
      try {
        assert.equal(formatTaskId(parseTaskId(text)), text);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'TASK_ID_MALFORMED');
      }
    }),
  );
});

test('an invalid number, and anything but the names of both markets, is refused', () => {
  const names = ['', 'Standard', 'micro ', 'toString', 0, null, undefined, ['standard'], { market: 'micro' }];
  for (const name of names) assert.throws(() => parseMarket(name), { code: 'MARKET_UNKNOWN' });
  for (const number of [0n, -1n, largest + 1n])
    assert.throws(() => formatTaskId({ market: 'standard', number }), RangeError);
});
