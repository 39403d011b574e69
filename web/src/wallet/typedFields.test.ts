// The shown fields are exactly those that the types declare and a wallet signs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTypedData } from './typedFields.ts';

const types = {
  Order: [
    { name: 'offers', type: 'Offer[]' },
    { name: 'note', type: 'string' },
    { name: 'extras', type: 'bytes32[]' },
  ],
  Offer: [
    { name: 'toAddress', type: 'address' },
    { name: 'totalAmount', type: 'uint256' },
  ],
};
const read = (message: unknown, rest: object = {}) =>
  parseTypedData({ domain: null, primaryType: 'Order', types, message, ...rest });

test('every field is found, also in structs and lists', () => {
  const long = 'x'.repeat(1_000);
  const offers = ['1', '2'].map((totalAmount) => ({ toAddress: '0x0', totalAmount }));
  const fields = read({ offers, note: long, extras: [] })?.fields.map(({ path, value }) => [path, value]);
  assert.deepEqual(fields, [
    ['offers 1, to address', '0x0'],
    ['offers 1, total amount', '1'],
    ['offers 2, to address', '0x0'],
    ['offers 2, total amount', '2'],
    ['note', long],
    ['extras', 'none'],
  ]);
});

test('fields that the types do not declare are not signed and not shown', () => {
  const shown = read({ offers: [], note: 'a', harmless: 'This moves nothing.' });
  assert.ok(!JSON.stringify(shown).includes('harmless'));
});

test('typed data of any shape is parsed or refused without an error', () => {
  assert.deepEqual(read(null)?.domain, {});
  assert.equal(read({}, { types: null }), null);
  assert.equal(read({}, { types: { Order: 'constructor' } }), null);
  assert.deepEqual(read({ offers: 7 })?.fields[0]?.value, 7);
  assert.deepEqual(read({}, { primaryType: 'constructor' })?.fields, []);
});
