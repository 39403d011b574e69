// Proves that durable files replace, refuse and vanish as a whole, and leave no drafts.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFile, readFile, removeFile, replaceFile } from './durableFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'deep/er/file.json');

test('a file is made with its folders, only once, then replaced and removed', () => {
  assert.equal(readFile(path), undefined);
  assert.equal(createFile(path, 'first'), true);
  assert.equal(createFile(path, 'second'), false);
  assert.equal(readFile(path), 'first');
  replaceFile(path, 'third');
  assert.equal(readFile(path), 'third');
  assert.deepEqual(readdirSync(join(folder, 'deep/er')), ['file.json']);
  removeFile(path);
  assert.deepEqual(readdirSync(join(folder, 'deep/er')), []);
});

test('what the system refuses is told by file and reason', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const below = join(file, 'below.json');
  const refusals = [
    () => readFile(folder),
    () => replaceFile(folder, 'x'),
    () => replaceFile(below, 'x'),
    () => createFile(below, 'x'),
    () => removeFile(join(folder, 'none')),
  ];
  for (const refusal of refusals)
    assert.throws(refusal, { code: 'FILE_UNUSABLE', message: /cannot be used: E[A-Z]+\.$/ });
});
