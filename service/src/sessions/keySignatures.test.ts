import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyPlainAccount } from '@svc/sdk/domain';
import fc from 'fast-check';
import { concatHex, type Hex, numberToHex, recoverAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { signByKey, verifyKey } from './keySignatures.ts';

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const field = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
const account = privateKeyToAccount(numberToHex(7n, { size: 32 }));
const word = (value: bigint) => numberToHex(value, { size: 32 });
const digests = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(word);
/** Also those that no signature may have. */
const numbers = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    2n,
    order / 2n,
    order / 2n + 1n,
    order - 1n,
    order,
    field - 1n,
    field,
    2n ** 256n - 1n,
  ),
  fc.bigInt({ min: 1n, max: order - 1n }),
);

test('A signature of the key counts, and not for another wallet or digest', async () => {
  const digest = word(order + 5n);
  const signature = await account.sign({ hash: digest });
  assert.equal(await verifyKey(account.address, digest, signature), true);
  assert.equal(await verifyKey('0x00000000000000000000000000000000000000AA', digest, signature), false);
  assert.equal(await verifyKey(account.address, word(6n), signature), false);
});

test('Every signature gets the answer that viem gives', async () => {
  const made = fc.tuple(digests, numbers, numbers, fc.constantFrom(0, 1, 26, 27, 27, 28, 28, 29));
  await fc.assert(
    fc.asyncProperty(made, async ([digest, r, s, v]) => {
      const signature = concatHex([word(r), word(s), numberToHex(v, { size: 1 })]);
      const signer = await recoverAddress({ hash: digest, signature }).catch(() => account.address);
      const expected = await verifyPlainAccount(signer, digest, signature);
      assert.equal(await verifyKey(signer, digest, signature), expected);
    }),
    { numRuns: 100 },
  );
});

test('A signature that was changed anywhere is refused', async () => {
  const changes = fc.tuple(digests, fc.nat({ max: 64 }), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(changes, async ([digest, at, by]) => {
      const bytes = Buffer.from((await account.sign({ hash: digest })).slice(2), 'hex');
      bytes[at] = (bytes[at] as number) ^ by;
      const changed: Hex = `0x${bytes.toString('hex')}`;
      assert.equal(await verifyKey(account.address, digest, changed), false);
    }),
    { numRuns: 50 },
  );
});

test('What a key signs is what viem signs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 1n, max: order - 1n }).map(word), digests, async (key, digest) => {
      assert.equal(signByKey(key, digest), await privateKeyToAccount(key).sign({ hash: digest }));
    }),
    { numRuns: 100 },
  );
});
