// What keeps two processes from working on one request: a turn that holds, and a book in which nothing newer is lost.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { CreateRequest } from '@svc/sdk/schemas';
import { forget } from './keptRequest.ts';
import { createRequestBook } from './requestBook.ts';
import type { ToolClient } from './toolClient.ts';
import { createToolWallet } from './toolWallet.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-book-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'requests.sqlite');

const from = `0x${'11'.repeat(20)}`;
const calls = [{ to: from, value: '0x0', data: '0x' }];
const request: CreateRequest = {
  ...{ kind: 'calls', action: 'x', summary: 'x', chainId: 8453, from },
  ...{ calls, steps: [] },
};
const draft = { wallet: 'key', chain: 'c', request, server: null } as const;
const signed = { hash: '0x01', raw: '0x02' } as const;

test('what was read before somebody changed it changes nothing any more', () => {
  const [mine, yours] = [createRequestBook(path), createRequestBook(path)];
  const begun = mine.begin(draft);
  const ended = yours.change(begun, { status: 'failed', error: 'It was given up.' });
  assert.equal(mine.change(begun, { status: 'submitted', signed: [signed] }), undefined);
  assert.deepEqual(mine.load(begun.id), ended);
});

test('a turn holds against other processes, also while this one asks for it once more', async () => {
  const book = createRequestBook(path);
  const kept = book.begin(draft);
  await book.inTurn(kept, async () => {
    assert.equal(await book.ifFree(kept, 0, async () => 'taken'), undefined);
    await assert.rejects(forget(kept, book), { code: 'WALLET_REQUEST_UNDER_WAY' });
    const [lock] = readdirSync(folder).filter((name) => name.endsWith('.turn'));
    const script = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN EXCLUSIVE')`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script, join(folder, String(lock))]);
    assert.equal(status, 1);
    assert.match(String(stderr), /database is locked/);
  });
  assert.equal((await forget(kept, book)).status, 'failed');
});

test('calls that are just being handed to a wallet tool server are not given up', async () => {
  const answer = Promise.withResolvers<Record<string, unknown>>();
  const asked = Promise.withResolvers<void>();
  const client = {
    call: async (tool: string) => {
      if (tool !== 'send_calls') return {};
      asked.resolve();
      return answer.promise;
    },
    close: async () => undefined,
  } as ToolClient;
  const book = createRequestBook(path);
  const proof = { ofCalls: async () => assert.fail(), ofSignature: async () => false };
  const handed = createToolWallet(client, { proof, book, server: 's', chain: 'c' }).hand(request);
  await asked.promise;
  const [kept = assert.fail()] = createRequestBook(path).loadOpen({ wallet: 'mcp', chain: 'c', request });
  await assert.rejects(forget(kept, createRequestBook(path)), { code: 'WALLET_REQUEST_UNDER_WAY' });
  answer.resolve({ requestId: 'theirs' });
  assert.equal((await handed).status, 'pending');
  assert.equal(book.load(kept.id)?.remoteId, 'theirs');
});
