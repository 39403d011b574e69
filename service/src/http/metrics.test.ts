// Proves the text form: labels, classes of durations, and figures that are left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('durations are counted in every class that is large enough, in seconds', () => {
  const metrics = createMetrics();
  const time = metrics.timer('request_seconds', { route: '/a' });
  for (const milliseconds of [4, 5, 30, 60_000]) time(milliseconds);
  const lines = metrics.format().split('\n');
  for (const line of [
    '# TYPE svc_request_seconds histogram',
    'svc_request_seconds_bucket{route="/a",le="0.005"} 2',
    'svc_request_seconds_bucket{route="/a",le="0.025"} 2',
    'svc_request_seconds_bucket{route="/a",le="0.05"} 3',
    'svc_request_seconds_bucket{route="/a",le="10"} 3',
    'svc_request_seconds_bucket{route="/a",le="+Inf"} 4',
    'svc_request_seconds_sum{route="/a"} 60.039',
    'svc_request_seconds_count{route="/a"} 4',
  ])
    assert.ok(lines.includes(line), line);
});

test('a gauge has one sample, several with labels, or none', () => {
  const metrics = createMetrics();
  metrics.gauge('block', () => 7);
  metrics.gauge('block_age_seconds', () => null);
  metrics.gauge('memory_bytes', () => [
    { labels: { kind: 'heap' }, value: 1 },
    { labels: { kind: 'resident' }, value: 2 },
  ]);
  const text = metrics.format();
  assert.match(text, /^svc_block 7$/m);
  assert.match(text, /^svc_memory_bytes\{kind="heap"\} 1\nsvc_memory_bytes\{kind="resident"\} 2$/m);
  assert.doesNotMatch(text, /block_age/);
});

test('a label cannot end its quotes or its line', () => {
  const metrics = createMetrics();
  metrics.count('requests', { route: '/"} 1\nfake 2\\', status: '200' });
  const line = metrics
    .format()
    .split('\n')
    .find((one) => one.startsWith('svc_requests_total'));
  assert.equal(line, 'svc_requests_total{route="/} 1fake 2",status="200"} 1');
});
