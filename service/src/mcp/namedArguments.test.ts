// A file by its name is the one that the wallet itself uploaded for that task, and never another one of the same name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Artifact } from '@svc/sdk/documents';
import { createPaperFile } from '../wallet/paperFile.ts';
import { findUploaded, takeFiles } from './namedArguments.ts';

const [own, other] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const;
const [taskId, otherTask] = ['v2:micro:1', 'v2:micro:2'];
const file = (name: string, digit: string): Artifact => ({
  name,
  mediaType: 'text/plain',
  bytes: 3,
  sha256: digit.repeat(64),
});
const papers = createPaperFile(':memory:');
const [mine, twin, plan] = [file('a.txt', '1'), file('b.txt', '2'), file('a.txt', '5')];
const sealed = { ...file('c.txt', '4'), sealed: { sha256: 'd'.repeat(64), bytes: 31 } };
for (const one of [mine, twin, sealed]) papers.saveFile({ wallet: own, taskId }, one, {});
papers.saveFile({ wallet: own, taskId }, file('b.txt', '3'), {});
papers.saveFile({ wallet: other, taskId }, file('a.txt', '6'), {});
papers.saveFile({ wallet: own, taskId: otherTask }, file('a.txt', '7'), {});
papers.saveFile({ wallet: own }, plan, {});
const context = { papers, readOwnAddress: async () => own };
const find = (given: readonly unknown[], place: object = { from: own, taskId }) =>
  findUploaded(given, place, context);

test('names, hashes and whole artifacts, also as text, stand for the same file', async () => {
  const given = ['a.txt', mine.sha256, mine, JSON.stringify(mine)];
  assert.deepEqual(await find(given), [mine, mine, mine, mine]);
  assert.deepEqual(await find([sealed.sealed.sha256]), [sealed]);
  assert.deepEqual(await find(['a.txt'], { taskId }), [mine], 'the wallet of the tools');
  assert.deepEqual(await find(['a.txt'], { from: own }), [plan], 'where there is no task yet');
  const args = { taskId, from: own, note: 'Done.' };
  assert.deepEqual(await takeFiles({ ...args, artifacts: ['a.txt'] }, context), {
    ...args,
    artifacts: [mine],
  });
  assert.deepEqual(await takeFiles(args, context), args);
});

test('a name of two files, of another wallet or of another task is refused, with what to do', async () => {
  await assert.rejects(find(['b.txt']), /Several files have this name: give sha256 of one/);
  assert.deepEqual(await find([twin.sha256]), [twin]);
  const unknown = /has uploaded no .* for v2:micro:\d: svc_attach_file does it/;
  for (const [given, place] of [
    ['c.txt', { from: other, taskId }],
    ['c.txt', { from: own, taskId: otherTask }],
    ['A.txt', { from: own, taskId }],
    ['', { from: own, taskId }],
    ['{', { from: own, taskId }],
    ['9'.repeat(64), { from: own, taskId }],
  ] as const)
    await assert.rejects(find([given], place), unknown, given);
  await assert.rejects(find(['c.txt'], { from: 'nobody' }), /no c.txt without taskId/);
  assert.deepEqual(await find([{ name: 'x' }, 7, null]), [{ name: 'x' }, 7, null], 'the action refuses them');
});
