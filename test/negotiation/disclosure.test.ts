// Proves what a party offers to the judge of its private dispute: all that the chain names, with every key, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '#sdk/domain/address.ts';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import type { TaskDetail } from '#sdk/entry/actions.ts';
import { formatWire, parseWire } from '#sdk/negotiation/envelope.ts';
import {
  buildJudgeDisclosure,
  collectDocuments,
  collectFileKeys,
  type DisputedTask,
} from '#sdk/negotiation/judgeDisclosure.ts';
import { buildTranscripts } from '#sdk/negotiation/transcript.ts';
import type { WorkDocument } from '#sdk/schemas/documents.ts';
import { findUnsent } from '#service/mcp/privatePapers.ts';
import { inMemory } from '#service/store/localFiles.ts';
import { createPaperFile } from '#service/wallet/paperFile.ts';
import {
  buildOffer,
  poster,
  stranger,
  transcriptOf,
  worker,
  write,
  writeAll,
} from '../support/negotiating.ts';

const taskId = 'v2:standard:7';
const judge = stranger.address;
const secret = (digit: string) => ({
  name: `${digit}.txt`,
  mediaType: 'text/plain',
  bytes: 3,
  sha256: digit.repeat(64),
  sealed: { sha256: `${digit}${digit}`.repeat(32), bytes: 31 },
});
const keyOf = (digit: string) => ({ [digit.repeat(64)]: `0x${digit.repeat(64)}` });
const delivery = {
  schema: 'svc-delivery-v1' as const,
  taskId,
  milestone: 0,
  note: 'Done.',
  artifacts: [secret('d')],
};
const evidenceOf = (digit: string) => ({
  schema: 'svc-evidence-v1' as const,
  taskId,
  name: 'Evidence',
  description: `It says ${digit}.`,
  artifacts: [secret(digit)],
});
const [complaint, answer, unfiled] = ['a', 'b', 'c'].map(evidenceOf) as [
  WorkDocument,
  WorkDocument,
  WorkDocument,
];
const offer = buildOffer();

function taskWith(changes: Partial<DisputedTask> = {}): DisputedTask {
  return {
    id: taskId,
    scope: 'private',
    poster: poster.address,
    worker: worker.address,
    criteriaHash: offer.terms.criteriaHash,
    deliveries: [{ proofHash: hashCanonical(delivery) }],
    dispute: {
      judge,
      evidence: [complaint, answer].map((document) => ({ evidenceHash: hashCanonical(document) })),
    },
    ...changes,
  };
}

const evidence = (document: WorkDocument, keys: object) => ({
  claim: 'other',
  evidenceHashes: [hashCanonical(document)],
  document,
  keys,
});

async function talk() {
  return transcriptOf(
    await writeAll([
      [poster, 'TaskProposal', offer],
      [
        worker,
        'DeliveryNotice',
        { milestone: 0, proofHash: hashCanonical(delivery), document: delivery, keys: keyOf('d') },
      ],
      [poster, 'DisputeEvidence', evidence(complaint, keyOf('a'))],
      [worker, 'DisputeEvidence', evidence(answer, keyOf('b'))],
      [worker, 'DisputeEvidence', evidence(unfiled, keyOf('c'))],
    ]),
  );
}

test('a party offers the words, deliveries and evidence of both sides, with their keys, and what was not filed stays', async () => {
  const transcript = await talk();
  for (const party of [poster, worker]) {
    const owed = buildJudgeDisclosure(taskWith(), party.address, [transcript]);
    assert.ok(owed);
    assert.equal(owed.to, judge);
    assert.deepEqual(owed.payload.documents, [offer.document, delivery, complaint, answer]);
    assert.deepEqual(owed.payload.keys, { ...keyOf('d'), ...keyOf('a'), ...keyOf('b') });
    assert.deepEqual(owed.payload.evidenceHashes, [complaint, answer].map(hashCanonical));
  }
  const none = { judge: null, evidence: [] };
  for (const [task, own] of [
    [taskWith({ scope: 'open' }), poster.address],
    [taskWith({ dispute: none }), poster.address],
    [taskWith({ dispute: null }), poster.address],
    [taskWith(), judge],
    [taskWith({ dispute: { judge: poster.address, evidence: [] } }), poster.address],
  ] as const)
    assert.equal(buildJudgeDisclosure(task, own, [transcript]), null, 'no judge, or no party');
});

test('what was sent to a judge is not owed again, but to the next judge it is; a key that came later is', async () => {
  const transcript = await talk();
  const owed = buildJudgeDisclosure(taskWith(), poster.address, [transcript]) ?? assert.fail();
  const negotiationId = crypto.randomUUID();
  const sent = await write(poster, owed.type, { ...owed.payload, to: judge }, undefined, { negotiationId });
  const wire = parseWire(formatWire(sent));
  assert.ok('signed' in wire, 'a reader takes it');
  const withJudge = transcriptOf([wire.signed]);
  assert.equal(buildJudgeDisclosure(taskWith(), poster.address, [transcript, withJudge]), null);
  const next = { ...taskWith().dispute, judge: worker.address.replace(/.$/, '0') as Address, evidence: [] };
  const again = buildJudgeDisclosure(taskWith({ dispute: next }), poster.address, [transcript, withJudge]);
  assert.deepEqual(again?.payload.documents, [offer.document, delivery]);
  const keys = Object.fromEntries(
    Object.entries(owed.payload.keys ?? {}).filter(([hash]) => !hash.startsWith('a')),
  );
  const partly = transcriptOf([
    await write(poster, owed.type, { ...owed.payload, keys, to: judge }, undefined, { negotiationId }),
  ]);
  const late = buildJudgeDisclosure(taskWith(), poster.address, [transcript, partly]);
  assert.deepEqual(late?.payload.documents, [complaint]);
  assert.deepEqual(late?.payload.keys, keyOf('a'));
});

test('the key of a file goes only where an own document of the task lists the file, even if others list it', async () => {
  const transcript = await talk();
  const kept = createPaperFile(inMemory);
  kept.saveFile({ wallet: worker.address, taskId: 'v2:standard:8' }, secret('e'), keyOf('e'));
  kept.saveFile({ wallet: worker.address, taskId }, secret('f'), keyOf('f'));
  kept.save(taskId, evidenceOf('f'), { requestId: null, from: worker.address });
  const filed = ['e', 'f'].map((digit) => ({ evidenceHash: hashCanonical(evidenceOf(digit)) }));
  const asked = transcriptOf([
    await write(
      poster,
      'DisputeEvidence',
      { ...evidence(evidenceOf('e'), {}), to: worker.address },
      undefined,
      {
        negotiationId: crypto.randomUUID(),
      },
    ),
  ]);
  const task = taskWith({ dispute: { judge, evidence: filed } }) as TaskDetail;
  const owed = findUnsent(task, worker.address, [transcript, asked], kept);
  assert.deepEqual(owed?.payload.keys, keyOf('f'));
  // Nor a key that somebody else sent about another task.
  const sealedWork = {
    milestone: 0,
    proofHash: hashCanonical(delivery),
    keys: keyOf('e'),
    to: worker.address,
  };
  const elsewhere = transcriptOf([
    await write(stranger, 'DeliveryNotice', sealedWork, undefined, { negotiationId: crypto.randomUUID() }),
  ]);
  const toJudge = buildJudgeDisclosure(task, worker.address, [transcript, asked, elsewhere]);
  assert.deepEqual(toJudge?.payload.keys, keyOf('d'));
});

test('more than one message holds is offered in several, each of which a relay takes', async () => {
  const long = (text: string): WorkDocument =>
    ({ ...evidenceOf('a'), description: text.repeat(100_000) }) as never;
  const documents = ['x', 'y', 'z'].map(long);
  const messages = await writeAll(
    documents.map((document) => [poster, 'DisputeEvidence', evidence(document, {})] as const),
  );
  const task = taskWith({
    deliveries: [],
    dispute: { judge, evidence: documents.map((document) => ({ evidenceHash: hashCanonical(document) })) },
  });
  const known = buildTranscripts(messages).transcripts;
  const seen = [...known];
  const taken: number[] = [];
  for (let round = 0; round < 5; round++) {
    const owed = buildJudgeDisclosure(task, poster.address, seen);
    if (owed === null) break;
    const negotiationId = crypto.randomUUID();
    const payload = { ...owed.payload, to: judge };
    const sent = await write(poster, owed.type, payload, undefined, { negotiationId });
    assert.ok('signed' in parseWire(formatWire(sent)));
    taken.push(owed.payload.documents?.length ?? 0);
    seen.push(transcriptOf([sent]));
  }
  assert.deepEqual(taken, [2, 1]);
});

test('the judge finds every document by its hash and every key, and nonsense among them is left out', async () => {
  const documents = [{ schema: 'svc-task-v1' }, 7, null];
  const keys = { x: 'y', ['f'.repeat(64)]: '0x12' };
  const talked = transcriptOf(await writeAll([[poster, 'Other', { documents, keys, document: complaint }]]));
  assert.deepEqual([...collectDocuments([talked]).values()], [complaint]);
  assert.deepEqual(collectFileKeys([talked]), {});
});
