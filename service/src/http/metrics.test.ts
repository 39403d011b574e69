// Proves the text form: labels, classes of durations, and figures that are left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('durations are counted in every class that is large enough, in seconds', async () => {
  const metrics = createMetrics();
  for (const milliseconds of [4, 5, 30, 60_000])
    metrics.time('request_seconds', { route: '/a' }, milliseconds);
  const lines = (await metrics.format()).split('\n');
  for (const line of [
    '# TYPE svc_request_seconds histogram',
    'svc_request_seconds_bucket{le="0.005",route="/a"} 2',
    'svc_request_seconds_bucket{le="0.025",route="/a"} 2',
    'svc_request_seconds_bucket{le="0.05",route="/a"} 3',
    'svc_request_seconds_bucket{le="10",route="/a"} 3',
    'svc_request_seconds_bucket{le="+Inf",route="/a"} 4',
    'svc_request_seconds_sum{route="/a"} 60.039',
    'svc_request_seconds_count{route="/a"} 4',
  ])
    assert.ok(lines.includes(line), line);
});

test('a gauge has one sample, several with labels, or none', async () => {
  const metrics = createMetrics();
  metrics.gauge('block', () => 7);
  metrics.gauge('block_age_seconds', () => null);
  metrics.gauge('memory_bytes', () => [
    { labels: { kind: 'heap' }, value: 1 },
    { labels: { kind: 'resident' }, value: 2 },
  ]);
  const text = await metrics.format();
  assert.match(text, /^svc_block 7$/m);
  assert.match(text, /^svc_memory_bytes\{kind="heap"\} 1\nsvc_memory_bytes\{kind="resident"\} 2$/m);
  assert.doesNotMatch(text, /block_age/);
});

test('a label cannot end its quotes or its line', async () => {
  const metrics = createMetrics();
  metrics.count('requests', { route: '/"} 1\nfake 2\\', status: '200' });
  const lines = (await metrics.format()).split('\n').filter((one) => one.startsWith('svc_requests_total'));
  assert.deepEqual(lines, ['svc_requests_total{route="/\\"} 1\\nfake 2\\\\",status="200"} 1']);
});
