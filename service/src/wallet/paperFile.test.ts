// Proves that documents and keys of private tasks outlive the process that made them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
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
  first.saveKeys(keys);
  first.close();
  const next = createPaperFile(path);
  context.after(next.close);
  assert.deepEqual(next.loadDocuments(taskId), [evidence]);
  assert.deepEqual(next.loadDocuments('v2:micro:8'), []);
  assert.deepEqual(next.loadKeys(), keys);
  assert.deepEqual(next.find('key-1'), { taskId, from: '0xa' });
  assert.equal(next.find('key-2'), undefined);
  assert.equal(statSync(path).mode & 0o077, 0, 'nobody else reads it');
});
