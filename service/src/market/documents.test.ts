// Documents in the file store are filled into a detail, judged like any others, and asked for by hash only.
import assert from 'node:assert/strict';
import { hash as digestOf } from 'node:crypto';
import { test } from 'node:test';
import type { TaskDetail } from '@svc/sdk/actions';
import { buildDocument, type FileLookup } from '@svc/sdk/documents';
import { taskReplySchema } from '@svc/sdk/internal/schemas/task';
import examples from '../http/replyExamples.json' with { type: 'json' };
import { fillDocuments } from './documents.ts';

const { task } = taskReplySchema.parse(examples['GET /api/market/task 200']);
const [example] = task.deliveries;
assert.ok(example !== undefined);

const note = 'Long. '.repeat(2_000);
const delivery = buildDocument('svc-delivery-v1', { taskId: task.id, milestone: 1, note, artifacts: [] });
const words = buildDocument('svc-task-v1', {
  title: 'A long task',
  description: 'Much. '.repeat(2_000),
  criteria: 'All of it.',
  milestones: ['First.', 'Then.'],
  tags: [],
});
const placeOf = (bytes: Uint8Array) => `/v1/files/${digestOf('sha256', bytes)}`;

const { title, description, criteria, tags, criteriaMatches, ...bare } = task;
const stored: TaskDetail = {
  ...bare,
  uri: placeOf(words.bytes),
  criteriaHash: words.hash,
  bound: 'none',
  deliveries: [
    {
      ...example,
      uri: placeOf(delivery.bytes),
      proofHash: delivery.hash,
      document: null,
      documentState: 'unavailable',
    },
    example,
  ],
};

const storeOf = (...files: Uint8Array[]): FileLookup => {
  const byHash = new Map(files.map((bytes) => [digestOf('sha256', bytes), bytes]));
  return async (sha256) => byHash.get(sha256) ?? null;
};

/** As a client gets it. */
async function fill(lookup?: FileLookup) {
  return JSON.parse(JSON.stringify(await fillDocuments(stored, lookup)));
}

test('documents that the store has are shown and verified', async () => {
  const filled = await fill(storeOf(delivery.bytes, words.bytes));
  assert.equal(filled.deliveries[0].documentState, 'verified');
  assert.equal(filled.deliveries[0].document.note, note);
  assert.deepEqual(filled.deliveries[1], example);
  assert.equal(filled.bound, 'document');
  assert.equal(filled.title, 'A long task');
  assert.equal(filled.milestones[1].description, 'Then.');
});

test('without a store, and without the files, nothing is claimed', async () => {
  assert.equal(await fillDocuments(stored), stored);
  const filled = await fill(storeOf());
  assert.equal(filled.deliveries[0].documentState, 'unavailable');
  assert.equal(filled.bound, 'none');
  assert.equal(filled.title, undefined);
});

test('bytes that are not the document on chain are a mismatch, and withheld ones are not shown', async () => {
  const filled = await fill(async () => words.bytes);
  assert.equal(filled.deliveries[0].documentState, 'mismatch');
  const hidden = await fill(async () => 'withheld');
  assert.equal(hidden.deliveries[0].documentState, 'withheld');
  assert.equal(hidden.deliveries[0].document, null);
  assert.equal(hidden.title, undefined);
});

test('about a detail that names no file, the store is not asked', async () => {
  const lookup = async () => assert.fail('the store was asked');
  assert.deepEqual(await fillDocuments(task, lookup), task);
});
