// Proves that a keeper that never gets to see the chain is noticed by whoever watches its counters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '#http/metrics.ts';
import { createKeeperCounts } from './keeperMetrics.ts';

test('the time of the last look begins with the start, the number of open exits with the first look', () => {
  let now = 1_000;
  const metrics = createMetrics();
  const { onRound } = createKeeperCounts(metrics, () => now);
  now += 500;
  assert.match(metrics.format(), /^svc_keeper_last_round 1000$/m);
  assert.doesNotMatch(metrics.format(), /svc_keeper_open_exits/);
  onRound({ block: 1n, open: 3, called: 3 });
  assert.match(metrics.format(), /^svc_keeper_last_round 1500$/m);
  assert.match(metrics.format(), /^svc_keeper_open_exits 3$/m);
});
