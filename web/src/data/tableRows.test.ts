// Tables sort by any column, and rows stay in place while the pointer is on them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextOrder, parseOrder, type StableRows, sortRows, stabilizeRows } from './tableRows.ts';

type Row = { readonly name: string; readonly won: number; readonly earned: bigint };
const rows: readonly Row[] = [
  { name: 'b', won: 3, earned: 10n ** 21n },
  { name: 'a', won: 20, earned: 10n ** 21n + 1n },
  { name: 'c', won: 3, earned: 5n },
];
const columns = [
  { name: 'Wallet', isText: true, value: ({ name }: Row) => name },
  { name: 'Disputes won', value: ({ won }: Row) => won },
  { name: 'Earned', value: ({ earned }: Row) => earned },
];
const sorted = (asked: string | null) =>
  sortRows(rows, columns, parseOrder(columns, asked))
    .map(({ name }) => name)
    .join('');

test('the address sets the column and the direction; equal rows keep their order', () => {
  assert.equal(sorted('disputes-won'), 'abc');
  assert.equal(sorted('-disputes-won'), 'bca');
  assert.equal(sorted('earned'), 'abc');
  assert.equal(sorted('wallet'), 'abc');
  assert.equal(sorted('-wallet'), 'cba');
  for (const unknown of [null, '', 'toString']) assert.equal(sorted(unknown), 'bac');
});

test('a column reports its direction, and a second click on its heading reverses it', () => {
  assert.deepEqual(parseOrder(columns, 'earned'), { column: 'Earned', direction: 'descending' });
  assert.deepEqual(parseOrder(columns, 'wallet'), { column: 'Wallet', direction: 'ascending' });
  assert.equal(nextOrder('Disputes won', null), 'disputes-won');
  assert.equal(nextOrder('Disputes won', 'disputes-won'), '-disputes-won');
  assert.equal(nextOrder('Disputes won', '-disputes-won'), 'disputes-won');
});

type Task = { readonly id: string; readonly word?: string };
const task = (id: string): Task => ({ id });
const ids = ({ shown }: StableRows<Task>) => shown.map(({ id }) => id).join('');
const [a, b, c] = [task('a'), task('b'), task('c')];
const first = stabilizeRows(null, { rows: [b, a], all: [b, a], filter: '', isHovered: false });

test('while the pointer is on the table, rows change their contents but not their places, and new rows wait', () => {
  const all = [c, b, { id: 'a', word: 'claimed' }];
  const held = stabilizeRows(first, { rows: all, all, filter: '', isHovered: true });
  assert.equal(ids(held), 'ba');
  assert.equal(held.shown[1]?.word, 'claimed');
  assert.equal(held.waiting, 1);
  const left = stabilizeRows(held, { rows: all, all, filter: '', isHovered: false });
  assert.equal(ids(left), 'cba');
  assert.deepEqual([...left.arrived], ['c']);
});

test('a row that left the list stays until the pointer leaves the table', () => {
  const held = stabilizeRows(first, { rows: [b], all: [b], filter: '', isHovered: true });
  assert.equal(ids(held), 'ba');
  assert.equal(ids(stabilizeRows(held, { rows: [b], all: [b], filter: '', isHovered: false })), 'b');
});

test('another search, filter or order applies at once', () => {
  const found = stabilizeRows(first, { rows: [a], all: [b, a], filter: 'q=a', isHovered: true });
  assert.equal(ids(found), 'a');
  const held = stabilizeRows(found, { rows: [a], all: [b, a], filter: 'q=a', isHovered: true });
  const cleared = stabilizeRows(held, { rows: [b, a], all: [b, a], filter: '', isHovered: true });
  assert.equal(ids(cleared), 'ba');
});

test('a row that a filter hid is not new when it shows again', () => {
  const narrow = stabilizeRows(null, { rows: [a], all: [b, a], filter: 'q=a', isHovered: false });
  const wide = stabilizeRows(narrow, { rows: [c, b, a], all: [c, b, a], filter: '', isHovered: false });
  assert.deepEqual([...wide.arrived], ['c']);
});
