// The limits of a policy, each at its boundary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, type Spending, sumUp } from './judge.ts';
import type { Policy } from './policyFile.ts';

const [first, second] = ['0xAbCdEf0000000000000000000000000000000001', `0x${'2'.repeat(40)}`] as const;
const huge = 2n ** 256n - 1n;
const much = { tok: huge, usdc: huge };

const base: Policy = {
  mode: 'enforce',
  markets: ['standard', 'micro'],
  actions: { 'fund-task': {}, 'top-up': {}, 'post-task': {} },
  perAction: much,
  perDay: much,
  perCounterparty: much,
  maxTaskTok: huge,
};
const spend = (changed: Partial<Spending>): Spending => ({
  action: 'fund-task',
  market: 'standard',
  counterparty: null,
  digest: null,
  source: 'paid',
  tok: 0n,
  usdc: 0n,
  taskTok: null,
  ...changed,
});
const isAllowed = (policy: Partial<Policy>, asked: readonly Spending[], before: readonly Spending[] = []) =>
  judge({ ...base, ...policy }, asked, before).length === 0;

test('every limit at its boundary, for tiny and huge amounts of both tokens', () => {
  for (const limit of [0n, 1n, 10n ** 18n, 2n ** 96n, huge - 1n])
    for (const token of ['tok', 'usdc'] as const) {
      const bound = { ...much, [token]: limit };
      const one = (amount: bigint) => [spend({ [token]: amount, counterparty: first })];
      for (const policy of [
        { perAction: bound },
        { perDay: bound },
        { perCounterparty: bound },
        { actions: { 'fund-task': { [token]: limit } } },
      ]) {
        if (limit > 0n) assert.ok(isAllowed(policy, one(limit - 1n)), `${limit} - 1`);
        assert.ok(isAllowed(policy, one(limit)), `${limit}`);
        assert.ok(!isAllowed(policy, one(limit + 1n)), `${limit} + 1`);
      }
      for (const policy of [{ perDay: bound }, { perCounterparty: bound }]) {
        assert.ok(isAllowed(policy, one(0n), one(limit)));
        assert.ok(!isAllowed(policy, one(1n), one(limit)), 'what was spent before counts');
        if (limit > 0n) assert.ok(isAllowed(policy, one(1n), one(limit - 1n)));
      }
    }
  for (const total of [0n, 1n, 10n ** 21n]) {
    const one = (taskTok: bigint) => [spend({ taskTok })];
    assert.ok(isAllowed({ maxTaskTok: total }, one(total)));
    assert.ok(!isAllowed({ maxTaskTok: total }, one(total + 1n)));
  }
});

test('an action and a market that are not listed are left to the owner', () => {
  assert.ok(!isAllowed({}, [spend({ action: 'stake' })]));
  assert.ok(!isAllowed({}, [spend({ action: 'constructor' })]), 'no name that every object has');
  assert.ok(!isAllowed({ markets: ['micro'] }, [spend({ market: 'standard' })]));
  assert.ok(isAllowed({ markets: [] }, [spend({ market: null })]));
});

test('the calls of one request are one action', () => {
  const batch = Array.from({ length: 16 }, () => spend({ tok: 10n }));
  assert.ok(isAllowed({ perAction: { tok: 160n, usdc: 0n } }, batch));
  assert.ok(!isAllowed({ perAction: { tok: 159n, usdc: 0n } }, batch));
});

test('a counterparty is one wallet, on all markets and in every spelling', () => {
  const policy = { perCounterparty: { tok: 100n, usdc: 0n } };
  const lower = first.toLowerCase() as `0x${string}`;
  const before = [spend({ counterparty: lower, tok: 60n, market: 'micro' })];
  assert.ok(isAllowed(policy, [spend({ counterparty: first, tok: 40n })], before));
  assert.ok(!isAllowed(policy, [spend({ counterparty: first, tok: 41n })], before));
  assert.ok(isAllowed(policy, [spend({ counterparty: second, tok: 100n })], before));
  const split = [spend({ counterparty: first, tok: 21n }), spend({ counterparty: lower, tok: 20n })];
  assert.ok(!isAllowed(policy, split, before));
});

test('terms that were agreed and what is paid for them are one expense, in either order', () => {
  const agreed = spend({ action: 'create-task', digest: '0xd1', source: 'agreed', tok: 100n });
  const paid = spend({ digest: '0xd1', tok: 100n });
  assert.equal(sumUp([agreed, paid]).tok, 100n);
  assert.equal(sumUp([agreed, agreed]).tok, 100n, 'signed twice');
  assert.equal(sumUp([paid, paid]).tok, 200n);
  assert.equal(sumUp([agreed, { ...paid, digest: '0xd2' }]).tok, 200n, 'of another task');
});

test('escrow that is paid out counts for the counterparty, and for the day only when it was funded', () => {
  const policy = { perDay: { tok: 100n, usdc: 0n }, perCounterparty: { tok: 50n, usdc: 0n } };
  const payout = spend({ digest: '0xd1', source: 'payout', tok: 51n, counterparty: first });
  assert.deepEqual(judge({ ...base, ...policy }, [payout], [spend({ tok: 100n })]).length, 1);
  assert.ok(isAllowed(policy, [{ ...payout, tok: 50n }], [spend({ tok: 100n })]));
});

test('a request that costs nothing passes after a limit was lowered', () => {
  const policy = { perDay: { tok: 1n, usdc: 0n } };
  assert.ok(isAllowed(policy, [spend({})], [spend({ tok: 5n })]));
  assert.ok(!isAllowed(policy, [spend({ tok: 1n })], [spend({ tok: 5n })]));
});
