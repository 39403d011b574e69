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
const pick = (name: string, missing?: string) => pickFile({ task, ...(missing && { missing }) }, name);

test('a file is named with its hash and key; the same one twice is one', () => {
  assert.deepEqual(pick('list.txt'), { sha256: 'cc', key: 'k', plainSha256: 'aa' });
  assert.deepEqual(pick('brief.txt'), { sha256: '11' });
  assert.deepEqual(pick('dd'), { sha256: 'dd' }, 'by its hash, of two with one name');
});

test('a name that another side has used for another file, an unknown one and a lost key are refused', () => {
  assert.throws(() => pick('scan.txt'), /Several files have this name/);
  assert.throws(() => pick('List.txt'), /No file that this wallet sees .*: svc_get_task lists them/);
  assert.throws(() => pick('List.txt', 'let the owner sign in'), /has this name: let the owner sign in\.$/);
  assert.throws(() => pick('lost.txt'), /Nobody has sent the key/);
});
