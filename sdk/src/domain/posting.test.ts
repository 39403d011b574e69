// Proves the rules of the quota to the second: midnight, leap days, expiry, extension, and the plan in force.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildQuota,
  dayOf,
  findPaidUntil,
  findPeriods,
  findPlanInForce,
  type Purchase,
  retryAfter,
} from './posting.ts';

const seconds = (date: string) => Date.parse(date) / 1_000;
const day = 86_400;

const plan = (id: string, dailyLimit: number, priceUsdcUnits: bigint) => ({
  id,
  dailyLimit,
  priceUsdcUnits,
  tokDiscountBps: 1_000,
  isOnSale: true,
});
const plans = [plan('free', 3, 0n), plan('basic', 25, 20n), plan('premium', 200, 60n)];

let logs = 0;
const limits: Record<string, number> = { basic: 25, premium: 200, gold: 900 };
const buy = (tier: string, blockTime: number, dailyLimit = limits[tier] ?? 0): Purchase => ({
  txHash: '0x01',
  logIndex: logs++,
  market: 'standard',
  payer: '0x00000000000000000000000000000000000000A1',
  tier,
  payWith: 'tok',
  dailyLimit,
  periodDays: 30,
  blockNumber: BigInt(blockTime),
  blockTime,
});

test('a day begins at 00:00:00 UTC and holds its last second, leap days and year ends included', () => {
  for (const date of ['2026-11-15', '2028-02-28', '2028-02-29', '2028-03-01', '2027-12-31', '2100-02-28']) {
    const start = seconds(`${date}T00:00:00Z`);
    assert.deepEqual(dayOf(start), { start, end: start + day });
    assert.deepEqual(dayOf(seconds(`${date}T23:59:59Z`)), { start, end: start + day });
    assert.equal(dayOf(start - 1).end, start);
  }
  assert.equal(dayOf(seconds('2028-02-29T12:00:00Z')).end, seconds('2028-03-01T00:00:00Z'));
});

test('a plan lasts 30 days from the second of its block, and not the second after', () => {
  const bought = seconds('2028-02-10T17:45:12Z');
  const at = (now: number) => findPlanInForce(plans, [buy('basic', bought)], now).tier;
  assert.equal(at(bought), 'basic');
  assert.equal(at(bought + 30 * day - 1), 'basic');
  assert.equal(at(bought + 30 * day), 'free');
  // February of a leap year has 29 days, so the thirtieth ends on March 11.
  assert.equal(bought + 30 * day, seconds('2028-03-11T17:45:12Z'));
});

test('paying for the same tier adds 30 days to its end; after its end a new period starts', () => {
  const first = seconds('2026-11-01T00:00:00Z');
  const endOf = (purchases: readonly Purchase[]) => findPeriods(purchases).get('basic')?.at(-1)?.until;
  const twice = [buy('basic', first), buy('basic', first + 10 * day)];
  assert.equal(endOf(twice), first + 60 * day);
  const apart = [buy('basic', first), buy('basic', first + 40 * day)];
  assert.equal(endOf(apart), first + 70 * day);
  const atEnd = [buy('basic', first), buy('basic', first + 30 * day)];
  assert.equal(endOf(atEnd), first + 60 * day);
  assert.equal(endOf(twice.toReversed()), first + 60 * day, 'whatever the order told');
});

test('the period of a payment follows earlier payments and does not depend on later ones', () => {
  const first = seconds('2026-11-01T00:00:00Z');
  const bought = [0, 10, 20, 200].map((days) => buy('basic', first + days * day));
  const ends = bought.map((payment) => (findPaidUntil(payment, bought.toReversed()) - first) / day);
  assert.deepEqual(ends, [30, 60, 90, 230]);
  const other = buy('premium', first + 25 * day);
  assert.equal(findPaidUntil(other, [...bought, other]), first + 55 * day, 'each tier for itself');
});

test('of several plans the highest limit counts; when it ends, the next unexpired one', () => {
  const start = seconds('2026-11-01T00:00:00Z');
  const purchases = [buy('premium', start), buy('basic', start + 20 * day)];
  const at = (now: number) => {
    const { tier, expiresAt } = findPlanInForce(plans, purchases, now);
    return [tier, expiresAt];
  };
  assert.deepEqual(at(start + 25 * day), ['premium', start + 30 * day]);
  assert.deepEqual(at(start + 30 * day), ['basic', start + 50 * day]);
  assert.deepEqual(at(start + 50 * day), ['free', null]);
});

test('a plan that is no longer sold or listed still counts', () => {
  const start = seconds('2026-11-01T00:00:00Z');
  const tierOf = (offered: typeof plans, tier: string) =>
    findPlanInForce(offered, [buy(tier, start)], start).tier;
  assert.equal(tierOf(plans, 'gold'), 'gold');
  const retired = plans.map((one) => ({ ...one, isOnSale: one.id === 'free' }));
  assert.equal(tierOf(retired, 'basic'), 'basic');
  assert.equal(findPlanInForce([], [], start).dailyLimit, 0, 'without plans nobody posts');
});

test('a holder gets the limit that was bought, whether the plan is lowered or raised afterwards', () => {
  const start = seconds('2026-11-01T00:00:00Z');
  for (const changed of [1, 900]) {
    const offered = [plan('free', 3, 0n), plan('basic', changed, 20n), plan('premium', 200, 60n)];
    const limitAt = (purchases: readonly Purchase[], days: number) =>
      findPlanInForce(offered, purchases, start + days * day).dailyLimit;
    const before = buy('basic', start);
    assert.equal(limitAt([before], 29), 25, 'as it was bought');
    const after = buy('basic', start + 10 * day, changed);
    assert.equal(limitAt([before, after], 29), 25, 'the first period ends first');
    assert.equal(limitAt([before, after], 30), Math.max(3, changed), 'then the second has its own limit');
    assert.equal(limitAt([before, after], 60), 3, 'and then the free plan');
  }
});

test('a quota adds up, also when the chain has more posts than the limit', () => {
  const now = seconds('2026-11-15T23:59:59Z');
  const figures = (confirmed: number, pending: number, arriving: number) =>
    buildQuota({
      market: 'micro',
      address: '0x00000000000000000000000000000000000000A1',
      inForce: findPlanInForce(plans, [], now),
      counts: { confirmed, pending, arriving, nextDropAt: null },
      now,
    });
  assert.deepEqual(
    [figures(1, 1, 0).used, figures(1, 1, 0).remaining, figures(1, 1, 0).canPost],
    [2, 1, true],
  );
  assert.deepEqual([figures(1, 1, 1).used, figures(1, 1, 1).canPost], [3, false]);
  assert.deepEqual([figures(5, 0, 0).used, figures(5, 0, 0).remaining], [5, 0]);
  assert.equal(figures(0, 0, 0).resetsAt, now + 1);
});

test('a full quota has room again at midnight, or when the first pending post expires', () => {
  const now = seconds('2026-11-15T23:00:00Z');
  const counts = { confirmed: 3, pending: 0, arriving: 0 };
  assert.equal(retryAfter(now, { ...counts, nextDropAt: null }), 3_600);
  assert.equal(retryAfter(now, { ...counts, nextDropAt: now + 40 }), 40);
  assert.equal(retryAfter(now, { ...counts, nextDropAt: now + 9_999 }), 3_600);
});
