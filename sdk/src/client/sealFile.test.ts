// Attacks on sealed files: a wrong key, changed bytes, and one ciphertext that opens to two files.
import assert from 'node:assert/strict';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashFile, openSealedFile, sealBytes, sealFile } from './sealFile.ts';

const content = new TextEncoder().encode('The plans of the house.');

test('a sealed file opens with its key to the bytes of the document', async () => {
  const { content: stored, key, plain, sealed } = await sealFile(content);
  assert.deepEqual(plain, {
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: content.length,
  });
  assert.deepEqual(sealed, { sha256: hashFile(stored), bytes: content.length + sealBytes });
  assert.deepEqual(await openSealedFile(stored, key, plain), content);
  assert.ok(!Buffer.from(stored).includes('plans'));
  const other = await sealFile(content);
  assert.notEqual(other.key, key);
  assert.notDeepEqual(other.content.subarray(0, 12), stored.subarray(0, 12), 'each file has its own IV');
  const empty = await sealFile(new Uint8Array());
  assert.deepEqual(await openSealedFile(empty.content, empty.key, empty.plain), new Uint8Array());
});

test('another key, changed bytes and too few bytes do not open', async () => {
  const { content: stored, key, plain } = await sealFile(content);
  const { key: otherKey } = await sealFile(content);
  const changed = Uint8Array.from(stored, (byte, at) => (at === 20 ? byte ^ 1 : byte));
  for (const [bytes, given, reason] of [
    [stored, otherKey, 'the key does not fit'],
    [changed, key, 'the key does not fit'],
    [stored.slice(0, 27), key, 'it is too short'],
    [stored, `${key}A`, 'the key is no key'],
    [stored, '', 'the key is no key'],
    [stored, `0x${'*'.repeat(64)}`, 'the key is no key'],
  ] as const)
    await assert.rejects(openSealedFile(bytes, given, plain), { code: 'FILE_UNSEALED', details: { reason } });
});

test('one ciphertext that opens to two files under two keys shows only the one that the document names', async () => {
  const keys = [randomBytes(32), randomBytes(32)] as const;
  const iv = randomBytes(12);
  const forged = Uint8Array.from(Buffer.concat([iv, forgeForTwoKeys(keys, iv, randomBytes(16))]));
  const [first, second] = await Promise.all(
    keys.map(async (raw) => {
      const key = await crypto.subtle.importKey('raw', Uint8Array.from(raw), 'AES-GCM', false, ['decrypt']);
      return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, forged.subarray(12)));
    }),
  );
  assert.ok(first && second);
  assert.notDeepEqual(first, second, 'AES-GCM itself accepts both');
  const plain = { sha256: hashFile(first), bytes: first.length };
  assert.deepEqual(await openSealedFile(forged, `0x${keys[0].toString('hex')}`, plain), first);
  await assert.rejects(openSealedFile(forged, `0x${keys[1].toString('hex')}`, plain), {
    code: 'FILE_UNSEALED',
    details: { reason: 'it contains another file' },
  });
});

/** Two blocks of ciphertext with a tag that fits both keys: the second block solves one linear equation. */
function forgeForTwoKeys(keys: readonly [Buffer, Buffer], iv: Buffer, first: Buffer): Buffer {
  const [one, other] = keys.map((key) => {
    const encrypt = (block: Buffer) => toNumber(createCipheriv('aes-256-ecb', key, null).update(block));
    const counter = Buffer.concat([iv, Buffer.from([0, 0, 0, 1])]);
    return { h: encrypt(Buffer.alloc(16)), mask: encrypt(counter) };
  }) as [{ h: bigint; mask: bigint }, { h: bigint; mask: bigint }];
  const lengths = 256n;
  const weigh = (h: bigint, power: number): bigint => (power === 1 ? h : multiply(h, weigh(h, power - 1)));
  const differ = (power: number) => weigh(one.h, power) ^ weigh(other.h, power);
  const wanted = multiply(toNumber(first), differ(3)) ^ multiply(lengths, differ(1)) ^ one.mask ^ other.mask;
  const second = multiply(wanted, invert(differ(2)));
  const tag =
    multiply(toNumber(first), weigh(one.h, 3)) ^
    multiply(second, weigh(one.h, 2)) ^
    multiply(lengths, one.h) ^
    one.mask;
  return Buffer.concat([first, toBlock(second), toBlock(tag)]);
}

function toNumber(block: Buffer): bigint {
  return BigInt(`0x${block.toString('hex')}`);
}

function toBlock(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
}

/** In the field of GCM, whose first bit is the lowest power. */
function multiply(left: bigint, right: bigint): bigint {
  let product = 0n;
  let factor = right;
  for (let bit = 127n; bit >= 0n; bit--) {
    if ((left >> bit) & 1n) product ^= factor;
    factor = factor & 1n ? (factor >> 1n) ^ (0xe1n << 120n) : factor >> 1n;
  }
  return product;
}

/** To the power of 2^128 - 2. */
function invert(value: bigint): bigint {
  let result = 1n << 127n;
  let square = value;
  for (let bit = 1; bit < 128; bit++) {
    square = multiply(square, square);
    result = multiply(result, square);
  }
  return result;
}
