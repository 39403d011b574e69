// The total of a plan counts each amount once, and a claim that cannot pay off is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTok, parseUsdc } from '@svc/sdk/domain';
import { entryCosts } from '@svc/sdk/internal/actions/costs';
import { earningOf, totalOf } from './costLines.ts';

const figures = { accessFeeTokWei: parseTok('1000'), bondUsdc: parseUsdc('5'), entryUsdc: parseUsdc('25') };
const wallet = { tokWei: parseTok('20000'), usdc: parseUsdc('200') };

test('fee and escrow are paid, the bond is locked, missing collateral leaves the wallet', () => {
  const costs = entryCosts({ figures, amount: parseTok('1500') });
  const total = totalOf(costs, { hasFreeFee: false, addedCollateralUsdc: parseUsdc('25'), wallet });
  assert.deepEqual(total, {
    tokWei: parseTok('2500'),
    usdc: parseUsdc('25'),
    lockedUsdc: parseUsdc('5'),
    balance: wallet,
  });
  const free = totalOf(costs, { hasFreeFee: true, addedCollateralUsdc: 0n, wallet });
  assert.deepEqual([free.tokWei, free.usdc], [parseTok('1500'), 0n]);
});

test('a claim shows the reward minus its cost, and warns where it is negative or nothing is in escrow', () => {
  const good = earningOf(
    { totalAmount: parseTok('2000'), released: parseTok('500'), funded: parseTok('1') },
    parseTok('1000'),
  );
  // A task that is listed again pays only what is left.
  assert.deepEqual(good, { rewardTokWei: parseTok('1500'), netTokWei: parseTok('500'), warnings: [] });
  const poor = earningOf({ totalAmount: parseTok('100'), released: 0n, funded: 0n }, parseTok('1000'));
  assert.equal(poor.netTokWei, -parseTok('900'));
  assert.match(poor.warnings.join('\n'), /costs more than it pays: 1,000 TOK for a reward of 100 TOK/);
  assert.match(poor.warnings.join('\n'), /Escrow is empty/);
});
