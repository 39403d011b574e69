// Proves that no time window holds more requests than the limit, for any client address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import fc from 'fast-check';
import { createRateLimit } from './rateLimit.ts';

function createClock(limit: number, total?: { limit: number; quiet: number }) {
  let time = 0;
  const now = () => time;
  const rate = createRateLimit({ name: 'test', limit, now, ...(total && { total }) });
  return {
    wait: (milliseconds: number) => {
      time += milliseconds;
      return time;
    },
    take: (client: string) => {
      const headers: Record<string, unknown> = {};
      const reply = {
        header: (name: string, value: unknown) => {
          headers[name] = value;
          return reply as never;
        },
      };
      try {
        rate.take(client, reply);
        return { headers, error: null };
      } catch (error) {
        assert.ok(error instanceof SvcError);
        return { headers, error };
      }
    },
  };
}

test('the headers state the policy, what is left and when there is more', () => {
  const { take, wait } = createClock(2);
  const policy = '"test";q=2;w=60';
  assert.deepEqual(take('a').headers, { 'RateLimit-Policy': policy, RateLimit: '"test";r=1;t=60' });
  wait(10_500);
  assert.deepEqual(take('a').headers, { 'RateLimit-Policy': policy, RateLimit: '"test";r=0;t=50' });
  const { headers, error } = take('a');
  assert.deepEqual(headers, { 'RateLimit-Policy': policy, RateLimit: '"test";r=0;t=50' });
  assert.equal(error?.code, 'RATE_LIMITED');
  assert.equal(error?.details.retryAfterSeconds, 50);
  assert.equal(take('b').error, null);
  wait(49_500);
  assert.equal(take('a').error, null);
  assert.equal(take('a').error?.code, 'RATE_LIMITED');
});

test('many addresses together get no more than the budget, and a quiet client beside them is served', () => {
  const { take, wait } = createClock(10, { limit: 100, quiet: 2 });
  let served = 0;
  for (let turn = 0; turn < 50; turn++)
    for (let client = 0; client < 20; client++) if (take(`10.0.${client}.1`).error === null) served++;
  assert.equal(served, 100);
  assert.equal(take('10.1.0.1').error, null);
  assert.equal(take('10.1.0.1').error, null);
  assert.equal(take('10.1.0.1').error?.code, 'RATE_LIMITED');
  // A flood of as many addresses as requests ends at twice the budget.
  for (let client = 0; client < 500; client++) if (take(`10.2.${client}.1`).error === null) served++;
  assert.equal(served, 198);
  const refused = take('10.3.0.1').error;
  assert.ok(Number(refused?.details.retryAfterSeconds) > 0);
  wait(60_001);
  assert.equal(take('10.3.0.1').error, null);
});

test('no 60 seconds ever hold more than the limit, and who waits as told is served', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30_000), { maxLength: 120 }), (pauses) => {
      const { take, wait } = createClock(5);
      const served: number[] = [];
      for (const pause of pauses) {
        const time = wait(pause);
        const { error } = take('a');
        if (error === null) served.push(time);
        else
          assert.ok(
            time + Number(error.details.retryAfterSeconds) * 1_000 >= (served.at(-5) as number) + 60_000,
          );
        assert.ok(served.filter((past) => past > time - 60_000).length <= 5);
      }
    }),
  );
});

test('all addresses of one IPv6 network are one client, in any spelling', () => {
  const { take } = createClock(1);
  const networks = [
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::'],
    ['2001:db8:1:3::1', '2001:db8:1:3:0:0:0:2'],
    ['2001:db8::1', '2001:db8::2:3:4:5'],
    ['::2', '::3'],
    ['127.0.0.1', '::1', '::ffff:127.0.0.1'],
    ['10.0.0.1', '::ffff:10.0.0.1'],
    ['10.0.0.2'],
  ];
  for (const [first = '', ...others] of networks) {
    assert.equal(take(first).error, null, first);
    for (const other of others) assert.equal(take(other).error?.code, 'RATE_LIMITED', other);
  }
});

test('a flood of addresses is forgotten, the quietest first', () => {
  const { take } = createClock(1);
  take('first');
  for (let client = 0; client < 50_000; client++) take(`client ${client}`);
  assert.equal(take('first').error, null);
  assert.equal(take('client 49999').error?.code, 'RATE_LIMITED');
});
