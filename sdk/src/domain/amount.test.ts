// Proves that amounts are exact in both directions and that ambiguous spellings are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  formatPriceE8,
  formatTok,
  formatUsdc,
  maxAmount,
  parsePriceE8,
  parseTok,
  parseTokWei,
  parseUsdc,
} from './amount.ts';

const amounts = fc.bigInt({ min: 0n, max: maxAmount });

test('known amounts are parsed and printed as people write them', () => {
  assert.equal(parseTok('1500.25'), 1_500_250_000_000_000_000_000n);
  assert.equal(formatTok(1_500_250_000_000_000_000_000n), '1500.25');
  assert.equal(parseTok('1.50'), parseTok('1.5'));
  assert.equal(parseTok('0.000000000000000001'), 1n);
  assert.equal(formatTok(1n), '0.000000000000000001');
  assert.equal(formatTok(0n), '0');
  assert.equal(parseUsdc('20'), 20_000_000n);
  assert.equal(formatUsdc(19_990_000n), '19.99');
  assert.equal(parsePriceE8('0.005'), 500_000n);
  assert.equal(formatPriceE8(500_000n), '0.005');
  assert.equal(formatPriceE8(-1n), '-0.00000001');
});

test('every amount survives a round trip through text', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      assert.equal(parseTokWei(amount.toString()), amount);
      assert.equal(parseTok(formatTok(amount)), amount);
      assert.equal(parseUsdc(formatUsdc(amount)), amount);
      assert.equal(parsePriceE8(formatPriceE8(amount)), amount);
    }),
  );
});

test('more decimal places than the unit has are refused, not rounded', () => {
  assert.throws(() => parseUsdc('0.0000001'), {
    code: 'AMOUNT_MALFORMED',
    message: 'An amount in USDC must be a plain decimal number with at most 6 decimal places.',
  });
  assert.throws(() => parseTok('0.0000000000000000001'), { code: 'AMOUNT_MALFORMED' });
  assert.throws(() => parseTokWei('1.0'), { code: 'AMOUNT_MALFORMED' });
});

test('an amount above 96 bits is refused', () => {
  assert.equal(parseTokWei(maxAmount.toString()), maxAmount);
  assert.throws(() => parseTokWei((maxAmount + 1n).toString()), { code: 'AMOUNT_TOO_LARGE' });
  assert.throws(() => parseTok('79228162515'), { code: 'AMOUNT_TOO_LARGE' });
});

test('ambiguous spellings are refused', () => {
  const spelled = '| 1|1 |1\n|+1|-1|01|.5|5.|1,5|1_000|1e3|0x10|NaN|१'.split('|');
  for (const spelling of [...spelled, '9'.repeat(10_000), 1, 1n, null, undefined, ['1']])
    assert.throws(() => parseTok(spelling), { code: 'AMOUNT_MALFORMED' });
});

test('hostile text gives an amount or a named error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.eE+-]{0,40}$/)), (text) => {
      try {
        assert.ok(parseTok(text) >= 0n);
      } catch (error) {
        assert.match((error as { code?: string }).code ?? '', /^AMOUNT_(MALFORMED|TOO_LARGE)$/);
      }
    }),
  );
});
