// Proves that files are created, replaced and removed atomically, and leave no drafts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFile, ownerOnly, readFile, removeFile, replaceFile } from './durableFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'deep/er/file.json');

test('a file is created with its folders, only once, then replaced and removed', () => {
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

test('a failure names the file and the reason', () => {
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
    assert.throws(refusal, {
      code: 'FILE_UNUSABLE',
      message: /cannot be used: (E[A-Z]+|there is no such file)\.$/,
    });
  assert.deepEqual(readdirSync(folder).sort(), ['deep', 'file'], 'no draft is left');
});

test('on a full disk the old file stays, and no part of the new one is left', () => {
  const room = join(folder, 'room');
  const kept = join(room, 'file.json');
  createFile(kept, 'whole');
  const write = `
    const [module, path] = process.argv.slice(1);
    const { createFile, replaceFile } = await import(module);
    const text = 'x'.repeat(100_000);
    for (const put of [() => replaceFile(path, text), () => createFile(path + '.new', text)])
      try { put(); } catch (error) { console.log(error.code, error.details.reason); }`;
  // The system writes up to the limit, as on a disk that is nearly full.
  const limited = [
    '-c',
    'ulimit -f 8; exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    write,
  ];
  const module = join(import.meta.dirname, 'durableFile.ts');
  const { stdout } = spawnSync('sh', [...limited, module, kept], { encoding: 'utf8' });
  assert.equal(stdout, 'FILE_UNUSABLE EFBIG\nFILE_UNUSABLE EFBIG\n');
  assert.equal(readFile(kept), 'whole');
  assert.deepEqual(readdirSync(room), ['file.json']);
});

test('a secret is readable by its owner only, also when it replaces a public file', () => {
  const secret = join(folder, 'closed/secret');
  replaceFile(secret, 'open');
  writeFileSync(`${secret}.${process.pid}.tmp`, 'of a process that was killed');
  replaceFile(secret, 'closed', ownerOnly);
  assert.equal(readFile(secret), 'closed');
  assert.equal(statSync(secret).mode & 0o777, ownerOnly);
});
