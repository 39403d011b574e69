// Proves that the metrics show a keeper that never reaches the chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '#http/metrics.ts';
import { countRounds } from './createKeeper.ts';

test('the time of the last round starts with the process, the number of open exits with the first round', async () => {
  let now = 1_000;
  const metrics = createMetrics();
  const onRound = countRounds(metrics, () => now);
  now += 500;
  assert.match(await metrics.format(), /^svc_keeper_last_round 1000$/m);
  assert.doesNotMatch(await metrics.format(), /svc_keeper_open_exits/);
  onRound({ block: 1n, open: 3, called: 3 });
  assert.match(await metrics.format(), /^svc_keeper_last_round 1500$/m);
  assert.match(await metrics.format(), /^svc_keeper_open_exits 3$/m);
});
