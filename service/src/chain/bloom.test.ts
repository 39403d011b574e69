// Bloom filters of block headers: never deny what is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bloomBits, bloomDensity, bloomMayHold, buildBloom, parseBloom } from './bloom.ts';

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value): `0x${string}` => `0x${Buffer.from(value).toString('hex')}`);
const logs = fc.array(fc.record({ address: hex(20), topics: fc.array(hex(32), { maxLength: 4 }) }), {
  maxLength: 20,
});

test('a filter holds every address and topic of its logs', () => {
  fc.assert(
    fc.property(logs, (made) => {
      const bloom = parseBloom(buildBloom(made));
      assert.ok(bloom);
      for (const { address, topics } of made)
        for (const value of [address, ...topics]) assert.ok(bloomMayHold(bloom, bloomBits(value)));
    }),
  );
});

test('an empty filter holds nothing, a full one may hold anything', () => {
  const [empty, full] = [parseBloom(buildBloom([])), parseBloom(`0x${'ff'.repeat(256)}`)];
  assert.ok(empty && full);
  const bits = bloomBits(`0x${'11'.repeat(20)}`);
  assert.deepEqual([bloomMayHold(empty, bits), bloomMayHold(full, bits)], [false, true]);
  assert.deepEqual([bloomDensity(empty), bloomDensity(full)], [0, 1]);
});

test('what is not 256 bytes long is no filter', () => {
  assert.equal(parseBloom('0x'), null);
  assert.equal(parseBloom(`0x${'00'.repeat(255)}`), null);
});
