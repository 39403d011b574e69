// Proves that the published JSON Schemas accept the same messages as the code; `npm run generate` keeps them current.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageTypes, payloadSchemas } from '#sdk/schemas/envelope.ts';
import { writeTalk } from '../support/negotiating.ts';

const folder = join(import.meta.dirname, '../../docs/schemas');
const schemas = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas });
const fits = (name: string, value: unknown) => ajv.validate(`${name}.json`, value);

const address = `0x${'ab'.repeat(20)}`;
const hash = `0x${'cd'.repeat(32)}`;
/** The least that each payload needs; the talk of the other tests has offers and acceptances. */
const least: Record<string, Record<string, unknown>> = {
  TaskAcceptance: { offerHash: hash, settlementDigest: hash, signature: '0x00' },
  DeliveryNotice: { milestone: 0, proofHash: hash },
  AcceptDelivery: { milestone: 0, proofHash: hash },
  DisputeEvidence: { claim: 'quality', evidenceHashes: [hash] },
  ArbitratorProposal: { arbitrator: address },
  MilestoneDefinition: { milestones: [{ amountTokWei: '1', description: 'a draft' }] },
  RevisionRequest: { milestone: 9, requestedChanges: 'shorter' },
  PaymentRequest: { milestone: 0, amountTokWei: '1' },
  CapabilityProof: { capability: 'prose', evidence: ['a book'] },
  MutualCancel: { workerBps: 10_000, validUntil: 1, signature: '0x00' },
  ReplacementContext: { priorWorker: address, remainingMilestones: [1] },
  SupervisorVeto: { supervisor: address, reason: 'too dear' },
  Note: { text: 'When can you start?' },
  IdentityLink: { xmtpPublicKey: 'ab', evmAddress: address, signature: '0x00', issuedAt: 1 },
};

test('schema and code agree on every payload: minimal, with more fields, and with each field missing or wrong', async () => {
  const [first = assert.fail()] = await writeTalk();
  const { rationale: _, ...terms } = first.envelope.payload;
  for (const type of messageTypes) {
    const good = least[type] ?? terms;
    const fields = Object.keys(good);
    const cases = [
      good,
      { ...good, more: true },
      ...fields.map((field) => ({ ...good, [field]: undefined })),
      ...fields.flatMap((field) =>
        [null, '', -1, 1.5, {}, [1], '0x'].map((value) => ({ ...good, [field]: value })),
      ),
    ].map((value) => JSON.parse(JSON.stringify(value)));
    const [isGood, isOpen, ...rest] = cases.map((value) => payloadSchemas[type].safeParse(value).success);
    assert.deepEqual([isGood, isOpen], [true, true], type);
    assert.deepEqual(
      rest.slice(0, fields.length),
      fields.map(() => false),
      type,
    );
    assert.deepEqual(
      cases.map((value) => fits(type, value)),
      [isGood, isOpen, ...rest],
      type,
    );
  }
});

test('sent envelopes fit their schema, which knows the payload of each type and accepts unknown types', async () => {
  const talk = await writeTalk();
  for (const signed of talk) assert.ok(fits('signedEnvelope', signed), ajv.errorsText());
  const [{ envelope } = assert.fail()] = talk;
  assert.ok(fits('envelope', envelope));
  assert.ok(!fits('envelope', { ...envelope, payload: {} }));
  assert.ok(!fits('envelope', { ...envelope, extra: 1 }));
  assert.ok(fits('envelope', { ...envelope, type: 'Greeting', payload: {} }));
});
