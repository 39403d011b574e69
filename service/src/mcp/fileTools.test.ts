// A file by its name: never another one of the same name, and never without its key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskDetail } from '@svc/sdk/actions';
import { pickFile } from './fileTools.ts';

const sealed = { sha256: 'cc', scheme: 'any' };
const paper = (...artifacts: readonly object[]) => ({ document: { artifacts } });
const task = {
  artifacts: [{ name: 'brief.txt', sha256: '11' }],
  deliveries: [
    paper({ name: 'list.txt', sha256: 'aa', sealed, key: 'k' }, { name: 'scan.txt', sha256: 'bb' }),
    { document: null },
  ],
  dispute: {
    evidence: [
      paper({ name: 'brief.txt', sha256: '11' }, { name: 'scan.txt', sha256: 'dd' }),
      paper({ name: 'lost.txt', sha256: 'ee', sealed }),
    ],
  },
} as unknown as TaskDetail;

test('a file is named with its hash and key; the same one twice is one', () => {
  assert.deepEqual(pickFile(task, 'list.txt'), { sha256: 'cc', key: 'k', plainSha256: 'aa' });
  assert.deepEqual(pickFile(task, 'brief.txt'), { sha256: '11' });
});

test('a name that another side has used for another file, an unknown one and a lost key are refused', () => {
  assert.throws(() => pickFile(task, 'scan.txt'), /Several files have this name/);
  assert.throws(() => pickFile(task, 'List.txt'), /No file that this wallet sees/);
  assert.throws(() => pickFile(task, 'lost.txt'), /Nobody has sent the key/);
});
