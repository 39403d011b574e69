import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mixPosters } from './fairShare.ts';

const rowsOf = (posters: string) => [...posters].map((poster, at) => ({ poster, at }));
const show = (rows: readonly { readonly poster: string }[]) => rows.map(({ poster }) => poster).join('');

test('one poster has two of ten rows while others have some left; nothing is lost', () => {
  const rows = rowsOf(`${'a'.repeat(30)}bcdefghibcdefghi`);
  const mixed = mixPosters(rows);
  assert.equal(show(mixed.slice(0, 20)), 'aabcdefghiaabcdefghi');
  assert.deepEqual(
    mixed.toSorted((one, other) => one.at - other.at),
    rows,
  );
  assert.deepEqual(
    mixPosters(rowsOf('aaaabbbb')),
    rowsOf('aabbaabb').map(({ poster }, at) => ({ poster, at: [0, 1, 4, 5, 2, 3, 6, 7][at] })),
  );
  assert.deepEqual(mixPosters([]), []);
});
