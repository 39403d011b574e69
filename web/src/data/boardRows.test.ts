// The board's rows: filters and order from the address, and expired tasks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFilters, directionOf, dropExpired, parseAmount, parseFilter, type Row } from './boardRows.ts';

const filterOf = (search: string) => parseFilter(new URLSearchParams(search));

test('a task whose deadline has passed is not open; one whose deadline is now still is', () => {
  const rows = [{ deadline: 99 }, { deadline: 100 }, { deadline: 200 }] as Row[];
  assert.deepEqual(
    dropExpired(rows, 100).map(({ deadline }) => deadline),
    [100, 200],
  );
  assert.equal(dropExpired(rows, 50), rows);
});

test('a column reports the direction of its values', () => {
  assert.equal(directionOf(filterOf(''), 'newest'), 'descending');
  assert.equal(directionOf(filterOf('sort=amount'), 'amount'), 'descending');
  assert.equal(directionOf(filterOf('sort=-amount'), 'amount'), 'ascending');
  assert.equal(directionOf(filterOf('sort=title'), 'title'), 'ascending');
  assert.equal(directionOf(filterOf('sort=-deadline'), 'deadline'), 'descending');
  assert.equal(directionOf(filterOf('sort=title'), 'amount'), undefined);
});

test('amounts may have commas, and a text that is no amount is no filter', () => {
  const amounts = { '1,000': 1_000, '12,345,678.5': 12_345_678.5, ' 20 ': 20, '0.5': 0.5 };
  for (const [text, value] of Object.entries(amounts)) assert.equal(parseAmount(text), value, text);
  for (const text of ['1,5', '1,00', 'ten', '-1', '1e3', '']) assert.equal(parseAmount(text), null, text);
  assert.equal(countFilters(filterOf('min=1,000&max=ten&due=86400')), 2);
});
