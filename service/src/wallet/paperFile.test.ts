// Proves that documents, keys and files outlive the process that made them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Artifact } from '@svc/sdk/documents';
import { createPaperFile } from './paperFile.ts';

test('papers are found again by task and by request, after the process has ended', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-papers-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'papers.sqlite');
  const taskId = 'v2:micro:7';
  const evidence = {
    schema: 'svc-evidence-v1',
    taskId,
    name: 'Scan',
    description: 'One is missing.',
    artifacts: [],
  } as const;
  const keys = { ['ab'.repeat(32)]: `0x${'cd'.repeat(32)}` };
  const first = createPaperFile(path);
  first.save(taskId, { ...evidence, artifacts: [] }, { requestId: 'key-1', from: '0xa' });
  const owner = { wallet: `0x${'Ab'.repeat(20)}`, taskId } as const;
  const file: Artifact = { name: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: '11'.repeat(32) };
  const sealedAgain = { ...file, sealed: { sha256: 'ab'.repeat(32), bytes: 29 } };
  first.saveFile(owner, file, {});
  first.saveFile(owner, sealedAgain, keys);
  first.saveFile({ wallet: owner.wallet }, file, {});
  first.close();
  const next = createPaperFile(path);
  context.after(next.close);
  assert.deepEqual(next.loadDocuments(taskId), [evidence]);
  assert.deepEqual(next.loadDocuments('v2:micro:8'), []);
  assert.deepEqual(next.loadKeys(), keys);
  const lower = { wallet: `0x${'ab'.repeat(20)}` } as const;
  assert.deepEqual(next.loadFiles({ ...lower, taskId }), [sealedAgain], 'the newest upload of the same file');
  assert.deepEqual(next.loadFiles(lower), [file]);
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 24 * 3_600_000 });
  assert.deepEqual(next.loadFiles(lower), [], 'the gateway has forgotten the draft');
  assert.equal(next.loadFiles({ ...lower, taskId }).length, 1);
  assert.deepEqual(next.find('key-1'), { taskId, from: '0xa' });
  assert.equal(next.find('key-2'), undefined);
  assert.equal(statSync(path).mode & 0o077, 0, 'nobody else reads it');
});
