// Proves that the case of an address does not matter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Address, addressKey, isSameAddress, parseAddress } from './address.ts';

const checksummed = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const hex40 = fc.stringMatching(/^[0-9a-fA-F]{40}$/);

test('any case is accepted and returned with its checksum', () => {
  const digits = checksummed.slice(2);
  for (const spelling of [digits, digits.toLowerCase(), digits.toUpperCase(), `D${digits.slice(1)}`])
    assert.equal(parseAddress(`0x${spelling}`), checksummed);
});

test('addresses that differ only in case are the same', () => {
  fc.assert(
    fc.property(hex40, (digits) => {
      const address: Address = `0x${digits}`;
      assert.ok(isSameAddress(address, parseAddress(address)));
      assert.equal(addressKey(parseAddress(address)), `0x${digits.toLowerCase()}`);
    }),
  );
});

test('other forms are refused', () => {
  const short = checksummed.slice(0, -1);
  const texts = ['', '0x', short, `${checksummed}0`, checksummed.slice(2), `0X${checksummed.slice(2)}`];
  const others = [`${checksummed}\n`, checksummed.replace('d', 'g'), 'vitalik.eth', 7, null, undefined];
  for (const shape of [...texts, ...others])
    assert.throws(() => parseAddress(shape), { code: 'ADDRESS_MALFORMED' }, String(shape));
});
