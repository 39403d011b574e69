// Every action of prepare, executed for real on the embedded chain through a wallet, with the state read back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './prepare/collateral.ts';
import './prepare/lifecycle.ts';
import './prepare/disputes.ts';
import './prepare/fixes.ts';
import './prepare/amounts.ts';
import { actions } from '#sdk/actions/catalog.ts';
import { preparing } from './prepare/market.ts';
import { testPurchases } from './prepare/purchases.ts';

testPurchases(() => preparing);

test('every action of the table has been performed', () => {
  const missing = actions.map(({ name }) => name).filter((name) => !preparing.performed.has(name));
  assert.deepEqual(missing, []);
});
