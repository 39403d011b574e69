import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUsd, usdToWeiDown, usdToWeiUp } from './dollars.ts';

test('dollars are read exactly, and nothing else is', () => {
  assert.equal(parseUsd('12.5'), 1_250_000_000n);
  assert.equal(parseUsd('0.00000001'), 1n);
  assert.equal(parseUsd('999999999999.99999999'), 99_999_999_999_999_999_999n);
  for (const text of ['', '.5', '1.', '-1', '1e3', '1,000', ' 1', '1.123456789', '1000000000000'])
    assert.equal(parseUsd(text), null, text);
});

test('a bound never lets in what is worth less, or more, by any price', () => {
  for (const price of [1n, 3n, 500_000n, 7n * 10n ** 13n])
    for (const usd of [0n, 1n, 99n, 10n ** 20n]) {
      const [least, most] = [usdToWeiUp(usd, price), usdToWeiDown(usd, price)];
      assert.ok(least * price >= usd * 10n ** 18n && (least - 1n) * price < usd * 10n ** 18n);
      assert.ok(most * price <= usd * 10n ** 18n && (most + 1n) * price > usd * 10n ** 18n);
    }
});
