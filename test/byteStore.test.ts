// The two places for bytes behave the same: a folder, and a bucket whose server checks every signature.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createBucketStore } from '#service/files/bucket.ts';
import { type ByteStore, createFolderStore } from '#service/files/byteStore.ts';
import { type BucketServer, bucketKey, startBucketServer } from './support/bucketServer.ts';
import { createFolder } from './support/svc.ts';

const folder = createFolder({ after });
let server: BucketServer;
before(async () => {
  server = await startBucketServer();
});
after(() => server.close());

const content = 'ten digits and some more';
const sha256 = createHash('sha256').update(content).digest('hex');
const missing = 'ab'.repeat(32);

function writeDraft(words = content): string {
  const path = join(folder, 'draft');
  writeFileSync(path, words);
  return path;
}

async function readAll(store: ByteStore, range: Parameters<ByteStore['read']>[1] = null) {
  const stream = await store.read(sha256, range);
  return stream && text(stream);
}

for (const [name, create] of [
  ['a folder', () => createFolderStore(join(folder, 'store'))],
  ['a bucket', () => createBucketStore({ url: `${server.url}/svc/`, key: bucketKey })],
] as const) {
  describe(name, () => {
    test('keeps bytes by their hash, and gives them back whole or in part', async () => {
      const store = create();
      assert.equal(await store.has(sha256), false);
      assert.equal(await readAll(store), null);
      for (const _ of ['once', 'and again']) await store.keep(sha256, writeDraft(), content.length);
      assert.equal(await store.has(sha256), true);
      assert.equal(await readAll(store), content);
      assert.equal(await readAll(store, { first: 4, last: 9 }), 'digits');
      await store.remove(sha256);
      await store.remove(missing);
      assert.equal(await store.has(sha256), false);
    });
  });
}

test('a file in the folder is moved there, and lies under its hash only', async () => {
  const store = createFolderStore(join(folder, 'moved'));
  await store.keep(sha256, writeDraft(), content.length);
  assert.ok(!existsSync(join(folder, 'draft')));
  assert.ok(existsSync(join(folder, 'moved', sha256.slice(0, 2), sha256)));
});

test('a bucket refuses a wrong key and other bytes, and its refusals say that the store is away', async () => {
  const foreign = createBucketStore({ url: server.url, key: { ...bucketKey, secret: 'guessed' } });
  for (const attempt of [
    () => foreign.keep(sha256, writeDraft(), content.length),
    () => foreign.has(sha256),
    () => foreign.read(sha256, null),
    () => foreign.remove(sha256),
  ])
    await assert.rejects(attempt(), { code: 'FILES_UNREACHABLE' });
  // The signature covers the hash of the body, so a changed draft does not get in under this name.
  const store = createBucketStore({ url: server.url, key: bucketKey });
  await assert.rejects(store.keep(sha256, writeDraft('other bytes'), 11), { code: 'FILES_UNREACHABLE' });
  assert.equal(server.objects.size, 0);
});

test('a bucket that is full or away is told apart', async () => {
  const store = createBucketStore({ url: server.url, key: bucketKey });
  server.fail(507);
  await assert.rejects(store.keep(sha256, writeDraft(), content.length), { code: 'STORE_FULL' });
  server.fail(500);
  await assert.rejects(store.read(sha256, null), { code: 'FILES_UNREACHABLE' });
  server.fail(null);
  const nowhere = createBucketStore({ url: 'http://127.0.0.1:1/bucket', key: bucketKey });
  await assert.rejects(nowhere.has(sha256), { code: 'FILES_UNREACHABLE' });
});
