// A table is sorted by any of its columns: figures from the largest, words from the first letter, or the other way round.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextOrder, readOrder, sortRows } from './sortRows.ts';

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
  sortRows(rows, columns, readOrder(columns, asked))
    .map(({ name }) => name)
    .join('');

test('the address says the column and the direction; rows that are equal keep the order they came in', () => {
  assert.equal(sorted('disputes-won'), 'abc');
  assert.equal(sorted('-disputes-won'), 'bca');
  assert.equal(sorted('earned'), 'abc');
  assert.equal(sorted('wallet'), 'abc');
  assert.equal(sorted('-wallet'), 'cba');
  for (const unknown of [null, '', 'toString']) assert.equal(sorted(unknown), 'bac');
});

test('a column says the direction in which it runs, and turns it round when its head is pressed again', () => {
  assert.deepEqual(readOrder(columns, 'earned'), { column: 'Earned', direction: 'descending' });
  assert.deepEqual(readOrder(columns, 'wallet'), { column: 'Wallet', direction: 'ascending' });
  assert.equal(nextOrder('Disputes won', null), 'disputes-won');
  assert.equal(nextOrder('Disputes won', 'disputes-won'), '-disputes-won');
  assert.equal(nextOrder('Disputes won', '-disputes-won'), 'disputes-won');
});
