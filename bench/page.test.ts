// Proves that a run replaces its own table on the page and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTable, describeMachine, replaceBetweenMarks } from './page.ts';

test('only what stands between the marks of that name is replaced', () => {
  const page =
    'before\n<!-- one -->\nold\n<!-- /one -->\nbetween\n<!-- two -->\nkept\n<!-- /two -->\nafter\n';
  assert.equal(
    replaceBetweenMarks(page, 'one', 'new'),
    'before\n<!-- one -->\nnew\n<!-- /one -->\nbetween\n<!-- two -->\nkept\n<!-- /two -->\nafter\n',
  );
  assert.throws(() => replaceBetweenMarks(page, 'three', 'new'), /three/);
});

test('the table has a row for each figure, with target and verdict where there is one', () => {
  const table = buildTable([
    { name: 'reads', value: 0.954, unit: 'ratio', atLeast: 0.9 },
    { name: 'writes', value: 3.5, unit: 'seconds', atMost: 2 },
    { name: 'requests', value: 9_876, unit: 'perSecond' },
  ]);
  assert.deepEqual(table.split('\n').slice(4), [
    '| reads | 0.95 | at least 0.90 | ok |',
    '| writes | 3.50 s | at most 2.00 s | short |',
    '| requests | 9,876/s |  |  |',
  ]);
});

test('the machine is described by what figures depend on, without a name or a path', () => {
  assert.match(describeMachine(), /^\d+ \w+ cores, \w+, Node \d+, server and load [\w ]+$/);
});
