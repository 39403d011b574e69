// A dialog notices costs that have changed since its reader opened it, and only those.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCostChange } from './premise.ts';

const walletOf = (digit: string) => `0x${digit.repeat(40)}` as const;
const [worker, other] = [walletOf('a'), walletOf('b')];

test('costs: two lines of one name are no change of each other', () => {
  const shown = ['1,000 TOK', '50 TOK'].map((amount) => ({ what: 'To the poster', amount })) as never[];
  assert.equal(findCostChange(shown, shown), null);
  assert.equal(findCostChange(shown, shown.toReversed()), null);
  assert.match(findCostChange(shown.slice(0, 1), shown) ?? '', /a new cost/);
});

test('costs: a new one and another amount are a change, one that was paid is not', () => {
  const fee = { what: 'Access fee', amount: '1,000 TOK' };
  const collateral = { what: 'Collateral you still need', amount: '25 USDC' };
  assert.equal(findCostChange([fee, collateral], [fee, collateral]), null);
  assert.equal(findCostChange([fee, collateral], [fee]), null);
  assert.equal(
    findCostChange([fee], [{ ...fee, amount: '1,200 TOK' }]),
    'The costs have changed. Access fee: now 1,200 TOK instead of 1,000 TOK.',
  );
  assert.equal(
    findCostChange([fee], [fee, collateral]),
    'There is a new cost. Collateral you still need: 25 USDC.',
  );
});

test('calls that stay the same: a payment that is gone, or goes to another wallet, is a change', () => {
  const paid = { what: 'To the worker', amount: '300 TOK', note: `${worker} · from escrow` };
  const bond = { what: 'Your locked bond', amount: '5 USDC', note: 'free again' };
  const find = (...now: (typeof paid)[]) => findCostChange([paid, bond], now, 'fixed');
  assert.equal(find(paid, bond), null);
  assert.match(find(paid) ?? '', /Your locked bond: no longer 5 USDC\.$/);
  assert.match(find({ ...paid, amount: '200 TOK' }, bond) ?? '', /now 200 TOK instead of 300 TOK\.$/);
  assert.match(
    find({ ...paid, note: `${other} · from escrow` }, bond) ?? '',
    new RegExp(`have changed\\. To the worker: 300 TOK, ${other} · from escrow\\.`),
  );
});

test('a reward that has grown is no reason to stop, and one that has shrunk is', () => {
  const reward = { what: 'To your wallet', amount: '3 TOK', tokWei: 3n, isGain: true };
  assert.equal(findCostChange([reward], [{ ...reward, amount: '4 TOK', tokWei: 4n }]), null);
  assert.match(findCostChange([reward], [{ ...reward, amount: '2 TOK', tokWei: 2n }]) ?? '', /now 2 TOK/);
  const fee = { ...reward, isGain: false };
  assert.match(findCostChange([fee], [{ ...fee, amount: '4 TOK', tokWei: 4n }]) ?? '', /now 4 TOK/);
});
