// Every action of prepare, executed for real on the embedded chain through a wallet, with the state read back.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { actions } from '#sdk/actions/catalog.ts';
import { testAmounts } from './prepare/amounts.ts';
import { testArbitrators } from './prepare/arbitrators.ts';
import { testCollateral } from './prepare/collateral.ts';
import { testDisputes } from './prepare/disputes.ts';
import { testEndings } from './prepare/endings.ts';
import { testFixes } from './prepare/fixes.ts';
import { testLifecycle } from './prepare/lifecycle.ts';
import { testPurchases } from './prepare/purchases.ts';
import { type Preparing, startPreparing } from './support/preparing.ts';

let preparing: Preparing;
before(async () => {
  preparing = await startPreparing();
});
after(() => preparing.close());

const get = () => preparing;

describe('collateral, allowances, stakes and plans', () => testCollateral(get));
describe('the way of a task', () => testLifecycle(get));
describe('ways out', () => testEndings(get));
describe('disputes', () => testDisputes(get));
describe('arbitrators', () => testArbitrators(get));
describe('reverts and trials', () => testFixes(get));
describe('TOK for USDC', () => testPurchases(get));
describe('every amount', () => testAmounts(get));

test('every action of the table has been performed', () => {
  const missing = actions.map(({ name }) => name).filter((name) => !preparing.performed.has(name));
  assert.deepEqual(missing, []);
});
