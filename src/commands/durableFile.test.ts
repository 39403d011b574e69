// Proves that durable files replace, refuse and vanish as a whole, and leave no drafts.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFile, removeFile, replaceFile } from './durableFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'deep/er/file.json');

test('a file is made with its folders, only once, then replaced and removed', () => {
  createFile(path, 'first');
  assert.throws(() => createFile(path, 'second'), { code: 'EEXIST' });
  assert.equal(readFileSync(path, 'utf8'), 'first');
  replaceFile(path, 'third');
  assert.equal(readFileSync(path, 'utf8'), 'third');
  assert.deepEqual(readdirSync(join(folder, 'deep/er')), ['file.json']);
  removeFile(path);
  assert.deepEqual(readdirSync(join(folder, 'deep/er')), []);
});
