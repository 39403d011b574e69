// Proves that every measurement of the benchmarks runs from end to end, in its short form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNode } from '../scripts/tools.ts';

const run = (...args: string[]) => runNode(['bench/run.ts', ...args], 'kept');

const longFigures = [
  /^task detail, random of 300: ratio by CPU time +[\d.]+ {2}at least 0\.40 {2}(ok|short)$/m,
  /^task detail, random at 2,000 a second: 99 of 100 within +[\d.]+ ms +at most 5\.0 ms +(ok|short)$/m,
  /^40 tasks from nothing: process start to first answer +[\d.]+ s$/m,
  /^10 tasks in 1 blocks after an absence: process start to caught up +[\d.]+ s {2}at most 1\.50 s {2}(ok|short)$/m,
  /messages accepted by three gateways, ratio to one +[\d.]+ {2}at least 2\.20 {2}(ok|short)$/m,
  /^files of 1 MB: downloads, ratio to a bare server +[\d.]+$/m,
  /^\/health while wallets sign in, in that at rest +[\d.]+ {2}at most 3\.00 {2}(ok|short)$/m,
  /most CPU between two turns of the event loop +[\d.]+ ms {2}at most 50 ms {2}(ok|short)$/m,
  /^block mined to answered: 99 of 100 +[\d.]+ ms {2}at most 300 ms {2}(ok|short)$/m,
];

/** The whole short form takes a minute of the processor; SVC_LONG_TESTS=1 runs it. */
const isLong = process.env.SVC_LONG_TESTS !== undefined;

test('the short form of npm run bench measures and calls nothing a failure', async () => {
  const { exitCode, output } = await run('--quick', ...(isLong ? [] : ['--only', 'open']));
  assert.equal(exitCode, 0, output);
  for (const figure of [
    /^open list: requests +[\d,]+\/s$/m,
    /^open list: ratio by CPU time +[\d.]+ {2}at least 0\.75 {2}(ok|short)$/m,
    /^open list, not modified, in requests with a body +[\d.]+ {2}at least 1\.00 {2}(ok|short)$/m,
    ...(isLong ? longFigures : []),
  ])
    assert.match(output, figure);
});

test('the short form of npm run bench:scale measures three sizes, memory and restart', {
  skip: !isLong,
}, async () => {
  const { exitCode, output } = await run('--quick', '--scale');
  assert.equal(exitCode, 0, output);
  for (const tasks of [100, 200, 300])
    assert.match(output, new RegExp(`^task detail, ${tasks} stored: median latency +\\d+ µs$`, 'm'));
  assert.match(
    output,
    /^300 stored: most resident memory under load +\d+ MB {2}at most 400 MB {2}(ok|short)$/m,
  );
  assert.match(
    output,
    /^listings on PostgreSQL, three words: latency at 200 in that at 100 +[\d.]+ {2}at most 1\.30/m,
  );
  assert.match(output, /^300 stored: restart to first answer +[\d.]+ s {2}at most 2\.00 s {2}(ok|short)$/m);
});

test('an unknown measurement, and a page from a part of a run, are refused', async () => {
  assert.notEqual((await run('--only', 'nothing')).exitCode, 0);
  assert.notEqual((await run('--quick', '--write')).exitCode, 0);
});
