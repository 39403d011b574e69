// The line of money says what is left in the end, for each side, and warns where nothing is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePriceE8, parseTok } from '../domain/amount.ts';
import { marketParameters } from '../domain/parameters.ts';
import { type Deal, netOf } from './netResult.ts';

const prices = { figures: marketParameters.standard, hasFreeFee: false, priceE8: parsePriceE8('0.0005') };
const read = (as: Deal['as'], tok: string, changed = {}) =>
  netOf({ as, payTokWei: parseTok(tok) }, { ...prices, ...changed });

test('a worker reads what it earns or loses, in TOK and dollars', () => {
  const poor = read('worker', '300');
  assert.equal(
    poor.line,
    'pays 300 TOK ($0.15), costs 1,000 TOK ($0.50); a bond of 5 USDC returns: you lose 700 TOK ($0.35)',
  );
  assert.deepEqual(poor, {
    ...poor,
    netTokWei: -parseTok('700'),
    warning: `It is not worth it: it ${poor.line}.`,
  });
  const good = read('worker', '1500', { priceE8: null });
  assert.equal(good.line, 'pays 1,500 TOK, costs 1,000 TOK; a bond of 5 USDC returns: you earn 500 TOK');
  assert.equal(good.warning, null);
  assert.match(read('worker', '1000').line, /: you earn nothing$/);
  assert.ok(read('worker', '1000').warning, 'a task that pays its fee back alone is not worth it');
});

test('Action Credits pay the fee, and then a small task earns', () => {
  const { line, warning } = read('worker', '100', { hasFreeFee: true });
  assert.match(line, /^pays 100 TOK \(\$0\.05\), Action Credits pay the fee; .*: you earn 100 TOK/);
  assert.equal(warning, null);
});

test('a poster reads what it spends, and that no worker gains by too little', () => {
  const { line, netTokWei, warning } = read('poster', '300');
  assert.match(line, /^pays the worker 300 TOK .*: you spend 1,300 TOK \(\$0\.65\)$/);
  assert.equal(netTokWei, -parseTok('1300'));
  assert.match(warning ?? '', /fee of 1,000 TOK .* and gets 300 TOK .*Action Credits/);
  assert.equal(read('poster', '1500').warning, null);
});

test('amounts below a cent are not rounded to nothing', () => {
  assert.match(read('worker', '1').line, /^pays 1 TOK \(less than \$0\.01\)/);
});
