// Proves that progress is a bar on a terminal, one line per part elsewhere, and a few lines in a log however long the chain is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FollowEvent } from '../chain/follow.ts';
import { createFollowReport, createProgress } from './progress.ts';

function record(isTTY: boolean): string {
  let written = '';
  const progress = createProgress({
    isTTY,
    write: (text) => {
      written += text;
    },
  });
  progress.show('Digging', 1, 2);
  progress.show('Digging', 2, 2);
  progress.show('Planting', 0, 9);
  progress.end();
  return written;
}

test('a terminal gets one line that redraws itself and is removed at the end', () => {
  const frames = record(true).split('\r\u001b[2K');
  assert.deepEqual(frames, [
    '',
    `[${'#'.repeat(15)}${' '.repeat(15)}] Digging`,
    `[${'#'.repeat(30)}] Digging`,
    `[${' '.repeat(30)}] Planting`,
    '',
  ]);
});

test('a file gets each part once, without control characters', () => {
  assert.equal(record(false), 'Digging\nPlanting\n');
});

function watch() {
  const lines: string[] = [];
  let time = 0;
  const write = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const stream = { isTTY: false, write: () => assert.fail('a bar in a log') };
  const handle = createFollowReport(
    { level: 'info', debug: write, info: write, error: write },
    stream,
    () => time,
  );
  /** A second passes before each. */
  const report = (event: FollowEvent) => {
    time += 1_000;
    handle(event);
  };
  return { lines, report };
}

const blocks = (done: number): FollowEvent => ({ kind: 'blocks', done, total: 100 });

test('a log gets a line at the first step, every few seconds, and at the end', () => {
  const { lines, report } = watch();
  for (let done = 10; done < 100; done += 10) report(blocks(done));
  report(blocks(100));
  assert.deepEqual(lines, [
    'Reading the blocks {"done":10,"total":100}',
    'Reading the blocks {"done":60,"total":100}',
    'Reading the blocks {"done":100,"total":100}',
  ]);
});
