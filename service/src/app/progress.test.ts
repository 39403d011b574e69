// Proves that progress is a bar on a terminal and one line per part anywhere else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from './progress.ts';

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

test('a terminal gets one line that redraws itself and is gone at the end', () => {
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
