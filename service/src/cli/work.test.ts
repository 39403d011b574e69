// `svc work` in words: what was counted to its end and what was not, and where the rest is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConcernList } from '@svc/sdk';
import { listTodo } from '@svc/sdk/internal/rules/todo';
import { describeWork } from './work.ts';

const address = `0x${'a'.repeat(40)}` as const;
const concern = {
  taskId: 'v2:micro:7',
  title: 'Count \u001b[31mbirds',
  isPrivate: false,
  roles: ['worker'],
  turn: 'mine',
  phase: 'deliver',
  sentence: '',
  until: 1_793_607_894,
  afterwards: 'Then the task ends.',
  actions: ['submit-proof'],
  atStake: [{ kind: 'bond', token: 'USDC', amount: '5' }],
  moved: [],
} as unknown as ConcernList['concerns'][number];
const theirs = { ...concern, taskId: 'v2:micro:8', turn: 'theirs', sentence: 'The poster reviews.' } as const;
const pageOf = ({ concerns = [], ...change }: Partial<ConcernList>) => ({
  todo: listTodo({ concerns }, address, 0),
  counts: { mine: 0, anyone: 0, theirs: 0, nobody: 0 },
  nextCursor: null,
  ...change,
});

test('what waits for the wallet is listed with its time and stake, the rest with --all', () => {
  const page = pageOf({
    concerns: [concern, theirs],
    counts: { mine: 1, anyone: 0, theirs: 1, nobody: 0 },
  });
  const pages = [
    { market: 'standard', ...pageOf({}) },
    { market: 'micro', ...page },
  ] as const;
  const text = describeWork(address, pages, false, false);
  assert.match(text, /: 1 wait for you, 0 ran out of time, 1 wait for others, 0 finished\n/);
  assert.match(text, /your turn {2}deliver\n {2}until .*Then the task ends\.\n {2}at stake {2}5 USDC bond/);
  assert.ok(!text.includes('\u001b') && !text.includes('v2:micro:8') && !/More/.test(text), text);
  assert.match(text, /Sign in to see the rest/);
  assert.match(describeWork(address, pages, true, false), /v2:micro:8[\s\S]*now {2}The poster reviews\./);
});

test('where counting ended or pages follow, it says so', () => {
  const counts = { mine: 100, anyone: 2, theirs: 0, nobody: 0 };
  const page = pageOf({ counts, nextCursor: '1.0.2.3' });
  const text = describeWork(address, [{ market: 'standard', ...page }], false, true);
  assert.match(text, /: 100\+ wait for you, 2 ran out of time/);
  assert.ok(text.endsWith(`\nMore: /v1/todo?address=${address}&market=standard&cursor=1.0.2.3`));
});
