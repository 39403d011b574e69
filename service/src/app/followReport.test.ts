// Proves that reading a chain shows as a bar on a terminal, and in a log as a few lines however long the chain is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FollowEvent } from '#indexer/advance.ts';
import { createFollowReport } from './followReport.ts';

function watch(isTTY: boolean) {
  const lines: string[] = [];
  let shown = '';
  let time = 0;
  const write = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const report = createFollowReport(
    { level: 'info', debug: write, info: write, error: write },
    {
      isTTY,
      write: (text) => {
        shown += text;
      },
    },
    () => time,
  );
  return {
    lines,
    shown: () => shown,
    /** A second passes before each. */
    tell: (event: FollowEvent) => {
      time += 1_000;
      report(event);
    },
  };
}

const history = (floor: bigint): FollowEvent => ({ kind: 'history', floor, startBlock: 1n, head: 100n });

test('a log is told at the first step, every few seconds, and at the end', () => {
  const { lines, tell, shown } = watch(false);
  for (let floor = 91n; floor > 1n; floor -= 10n) tell(history(floor));
  tell(history(1n));
  assert.deepEqual(lines, [
    'Reading the history {"done":10,"total":100}',
    'Reading the history {"done":60,"total":100}',
    'Reading the history {"done":100,"total":100}',
  ]);
  assert.equal(shown(), '');
});

test('a terminal gets a bar, which is gone at the end', () => {
  const { shown, tell } = watch(true);
  tell({ kind: 'snapshot', done: 5, total: 10 });
  tell({ kind: 'snapshot', done: 10, total: 10 });
  assert.deepEqual(shown().split('\r\u001b[2K'), [
    '',
    `[${'#'.repeat(15)}${' '.repeat(15)}] Reading the tasks`,
    `[${'#'.repeat(30)}] Reading the tasks`,
    '',
  ]);
});

test('a fork deeper than what is kept is said in the log', () => {
  const { lines, tell } = watch(false);
  tell({ kind: 'lost', head: { number: 7n, hash: '0x07', time: 1 } });
  assert.deepEqual(lines, ['follower: lost {"kind":"lost","head":{"number":7,"hash":"0x07","time":1}}']);
});
