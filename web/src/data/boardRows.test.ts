// The board's rows: filters and order from the address, and expired tasks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTok } from '@svc/sdk/domain';
import {
  buildRow,
  countFilters,
  directionOf,
  dropExpired,
  filterRows,
  parseFilter,
  type Row,
  readTok,
  toListFilters,
  toSavedSearch,
} from './boardRows.ts';

const filterOf = (search: string) => parseFilter(new URLSearchParams(search));

test('a task whose deadline has passed is not open; one whose deadline is now still is', () => {
  const rows = [{ deadline: 99 }, { deadline: 100 }, { deadline: 200 }] as Row[];
  assert.deepEqual(
    dropExpired(rows, 100).map(({ deadline }) => deadline),
    [100, 200],
  );
  assert.equal(dropExpired(rows, 50), rows);
});

test('a task that is listed again has the rest of its reward in its row, in filters and in the order', () => {
  const parts = {
    fundedTokWei: '0',
    refundedTokWei: '0',
    feesTokWei: '0',
    uri: null,
    poster: `0x${'1'.repeat(40)}`,
  };
  const rowOf = (number: number, tok: number, paid: number) =>
    buildRow({
      ...parts,
      id: `v2:standard:${number}`,
      state: 'POSTED',
      worker: null,
      totalAmountTokWei: `${BigInt(tok) * 10n ** 18n}`,
      releasedTokWei: `${BigInt(paid) * 10n ** 18n}`,
    } as unknown as Parameters<typeof buildRow>[0]);
  const rows = [rowOf(1, 300, 250), rowOf(2, 100, 0)];
  const find = (search: string) => filterRows(rows, filterOf(search), 0).map(({ number }) => number);
  assert.deepEqual(find('sort=amount'), ['2', '1']);
  assert.deepEqual(find('sort=-amount'), ['1', '2']);
  assert.deepEqual([find('min=51'), find('max=50')], [['2'], ['1']]);
});

test('a column reports the direction of its values', () => {
  for (const [search, column, direction] of [
    ['', 'newest', 'descending'],
    ['sort=amount', 'amount', 'descending'],
    ['sort=-amount', 'amount', 'ascending'],
    ['sort=title', 'title', 'ascending'],
    ['sort=-deadline', 'deadline', 'descending'],
    ['sort=title', 'amount', undefined],
  ] as const)
    assert.equal(directionOf(filterOf(search), column), direction, search);
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

test('dollars, poster and funding filter and sort like the service; nobody fills the default order', () => {
  const row = (at: number, poster: string, change: Partial<Row> = {}) =>
    ({
      number: String(at),
      createdAt: at,
      poster,
      text: '',
      tags: [],
      total: BigInt(at) * 10n ** 18n,
      isFunded: at % 2 === 0,
      ...change,
    }) as unknown as Row;
  const wallet = (digit: number) => `0x${String(digit).repeat(40)}`;
  const posterOf = (at: number) => wallet(at > 10 ? 1 : 2 + (at % 8));
  const rows = Array.from({ length: 30 }, (_, at) => row(at + 1, posterOf(at + 1)));
  const find = (search: string, price: bigint | null = 50_000_000n) =>
    filterRows(rows, filterOf(search), 0, price).map(({ number }) => Number(number));
  assert.deepEqual(find('').slice(0, 10), [30, 29, 10, 9, 8, 7, 6, 5, 4, 3]);
  assert.equal(find('').length, 30);
  assert.deepEqual(find('sort=newest').slice(0, 3), [30, 29, 28]);
  // A TOK is half a dollar.
  assert.deepEqual(find('minUsd=14.5&sort=newest'), [30, 29]);
  assert.deepEqual(find('minUsd=14.50000001&sort=newest'), [30]);
  assert.deepEqual(find('maxUsd=1.25&sort=newest'), [2, 1]);
  assert.deepEqual(find('maxUsd=1.25', null), []);
  assert.deepEqual(find('sort=funded').slice(14, 17), [2, 29, 27]);
  assert.equal(find(`poster=${wallet(1)}`).length, 20);
  const api = (search: string) => toListFilters(filterOf(search), 0);
  assert.deepEqual(api('minUsd=1,000.5'), { minAmountUsd: '1000.5', sort: 'mixed' });
  assert.deepEqual(api(`poster=${wallet(1)}`), { poster: wallet(1), sort: 'newest' });
  assert.equal(
    toSavedSearch(filterOf('q=a+b&tag=x,y&minUsd=5&due=86400&sort=amount'), 'micro'),
    'market=micro&q=a+b&tag=x%2Cy&minAmountUsd=5',
  );
  assert.equal(
    toSavedSearch(filterOf('q=a&tag=x&minUsd=5&funding=full'), 'micro', 'wanted'),
    'market=micro&view=wanted&q=a&tag=x',
  );
  assert.equal(toSavedSearch(filterOf('minUsd=5'), 'micro', 'wanted'), null, 'listings have no such filter');
  assert.equal(toSavedSearch(filterOf('sort=amount'), 'micro'), null);
  assert.equal(countFilters(filterOf(`minUsd=1&maxUsd=x&poster=0x1`)), 1);
});
