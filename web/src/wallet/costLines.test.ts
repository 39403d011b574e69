// The total of a plan counts each amount once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTok, parseUsdc } from '@svc/sdk/domain';
import { entryCosts } from '@svc/sdk/internal/actions/costs';
import { totalOf } from './costLines.ts';

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
