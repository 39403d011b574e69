// The board's rows: filters and order from the address, and expired tasks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTok } from '@svc/sdk/domain';
import { countFilters, dropExpired, parseFilter, type Row, readTok } from './boardRows.ts';

const filterOf = (search: string) => parseFilter(new URLSearchParams(search));

test('a task whose deadline has passed is not open; one whose deadline is now still is', () => {
  const rows = [{ deadline: 99 }, { deadline: 100 }, { deadline: 200 }] as Row[];
  assert.deepEqual(
    dropExpired(rows, 100).map(({ deadline }) => deadline),
    [100, 200],
  );
  assert.equal(dropExpired(rows, 50), rows);
});

test('amounts may have commas, and a text that is no amount is no filter', () => {
  const amounts = { '1,000': '1000', '12,345,678.5': '12345678.5', ' 20 ': '20', '0.5': '0.5' };
  for (const [text, plain] of Object.entries(amounts)) assert.equal(readTok(text), parseTok(plain), text);
  for (const text of ['1,5', '1,00', 'ten', '-1', '1e3', '', null])
    assert.equal(readTok(text), null, `${text}`);
  assert.equal(countFilters(filterOf('min=1,000&max=ten&due=86400')), 2);
  assert.equal(filterOf('minUsd=1,000.5').minUsd, '1000.5');
  for (const text of ['1,5', '1,00', '1.123456789'])
    assert.equal(filterOf(`minUsd=${text}`).minUsd, null, text);
});
