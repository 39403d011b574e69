// Rows stay under the pointer, answers to another question do not wait, and new is only what was not there before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepSteady, type Steady } from './steady.ts';

type Row = { readonly id: string; readonly word?: string };
const row = (id: string): Row => ({ id });
const ids = ({ shown }: Steady<Row>) => shown.map(({ id }) => id).join('');
const [a, b, c] = [row('a'), row('b'), row('c')];
const first = keepSteady(null, { rows: [b, a], all: [b, a], question: '', isHeld: false });

test('while the pointer is on the list, rows change their words but not their places, and new ones wait', () => {
  const all = [c, b, { id: 'a', word: 'claimed' }];
  const held = keepSteady(first, { rows: all, all, question: '', isHeld: true });
  assert.equal(ids(held), 'ba');
  assert.equal(held.shown[1]?.word, 'claimed');
  assert.equal(held.waiting, 1);
  const left = keepSteady(held, { rows: all, all, question: '', isHeld: false });
  assert.equal(ids(left), 'cba');
  assert.deepEqual([...left.arrived], ['c']);
});

test('a row that left the list stays as it was until the pointer goes', () => {
  const held = keepSteady(first, { rows: [b], all: [b], question: '', isHeld: true });
  assert.equal(ids(held), 'ba');
  assert.equal(ids(keepSteady(held, { rows: [b], all: [b], question: '', isHeld: false })), 'b');
});

test('another search, filter or order is answered at once, wherever the pointer is', () => {
  const found = keepSteady(first, { rows: [a], all: [b, a], question: 'q=a', isHeld: true });
  assert.equal(ids(found), 'a');
  const held = keepSteady(found, { rows: [a], all: [b, a], question: 'q=a', isHeld: true });
  const cleared = keepSteady(held, { rows: [b, a], all: [b, a], question: '', isHeld: true });
  assert.equal(ids(cleared), 'ba');
});

test('what a filter had hidden is not new when it shows again; what came meanwhile is', () => {
  const narrow = keepSteady(null, { rows: [a], all: [b, a], question: 'q=a', isHeld: false });
  const wide = keepSteady(narrow, { rows: [c, b, a], all: [c, b, a], question: '', isHeld: false });
  assert.deepEqual([...wide.arrived], ['c']);
});
