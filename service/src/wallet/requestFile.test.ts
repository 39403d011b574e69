// What keeps two processes from working on one request: a lock, and changes that compare before they set.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { CreateRequest } from '@svc/sdk/client';
import { createRequestFile } from './requestFile.ts';
import type { ToolClient } from './toolClient.ts';
import { createToolWallet } from './toolWallet.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-requests-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'requests.sqlite');

const from = `0x${'11'.repeat(20)}` as const;
const calls = [{ to: from, value: '0x0', data: '0x' } as const];
const request: CreateRequest = {
  ...{ kind: 'calls', action: 'x', summary: 'x', chainId: 8453, from },
  ...{ calls, steps: [] },
};
const draft = { wallet: 'key', chain: 'c', request, server: null } as const;
const signed = { hash: '0x01', raw: '0x02' } as const;

test('a change based on an outdated state is not made', () => {
  const [mine, yours] = [createRequestFile(path), createRequestFile(path)];
  const begun = mine.create(draft);
  const ended = yours.change(begun, { status: 'failed', error: 'The request was given up.' });
  assert.equal(mine.change(begun, { status: 'submitted', signed: [signed] }), undefined);
  assert.deepEqual(mine.load(begun.id), ended);
});

test('the lock holds against other processes, also after this one has tried to lock again', async () => {
  const requests = createRequestFile(path);
  const saved = requests.create(draft);
  await requests.locked(saved, async () => {
    assert.equal(await requests.tryLocked(saved, 0, async () => 'taken'), undefined);
    await assert.rejects(requests.giveUp(saved), { code: 'WALLET_REQUEST_UNDER_WAY' });
    const [lock] = readdirSync(folder).filter((name) => name.endsWith('.turn'));
    const script = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN EXCLUSIVE')`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script, join(folder, String(lock))]);
    assert.equal(status, 1);
    assert.match(String(stderr), /database is locked/);
  });
  assert.equal((await requests.giveUp(saved)).status, 'failed');
});

test('calls that are being sent to a wallet tool server cannot be given up', async () => {
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
  const requests = createRequestFile(path);
  const requestChain = { readOutcome: async () => assert.fail(), readSignature: async () => null };
  const wallet = createToolWallet(client, {
    requests,
    requestChain,
    server: 's',
    chainId: 8_453,
    chain: 'c',
  });
  const submitted = wallet.submit(request);
  await asked.promise;
  const [saved = assert.fail()] = createRequestFile(path).loadOpen({ wallet: 'mcp', chain: 'c', request });
  await assert.rejects(createRequestFile(path).giveUp(saved), { code: 'WALLET_REQUEST_UNDER_WAY' });
  answer.resolve({ requestId: 'theirs' });
  assert.equal((await submitted).status, 'pending');
  assert.equal(requests.load(saved.id)?.remoteId, 'theirs');
});
