// Proves which figures are shown, and in which unit; their text form is that of prom-client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('a duration is counted in seconds; a gauge has one sample, several with labels, or none', async () => {
  const metrics = createMetrics();
  metrics.time('request_seconds', { route: '/a' }, 30);
  metrics.gauge('block', () => 7);
  metrics.gauge('block_age_seconds', () => null);
  metrics.gauge('memory_bytes', () => [
    { labels: { kind: 'heap' }, value: 1 },
    { labels: { kind: 'resident' }, value: 2 },
  ]);
  const text = await metrics.format();
  assert.match(text, /^svc_request_seconds_sum\{route="\/a"\} 0.03$/m);
  assert.match(text, /^svc_block 7$/m);
  assert.match(text, /^svc_memory_bytes\{kind="heap"\} 1\nsvc_memory_bytes\{kind="resident"\} 2$/m);
  assert.doesNotMatch(text, /block_age/);
});
