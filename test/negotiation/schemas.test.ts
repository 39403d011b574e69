// Proves that the published JSON Schemas are current and accept the same messages as the code.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseWire } from '#sdk/negotiation/envelope.ts';
import { messageTypes, payloadSchemas } from '#sdk/schemas/envelope.ts';
import { buildEnvelopeFiles } from '#sdk/schemas/jsonSchema.ts';
import { writeTexts } from '../support/negotiating.ts';

const folder = join(import.meta.dirname, '../../docs/schemas');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))] as const);
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  schemas: files.map(([, schema]) => schema),
});
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

test('docs/schemas holds exactly the generated files', () => {
  const wanted = Object.fromEntries(buildEnvelopeFiles());
  assert.deepEqual(Object.fromEntries(files), JSON.parse(JSON.stringify(wanted)));
});

test('there are sixteen message types', () => {
  assert.equal(messageTypes.length, 16);
});

test('sent envelopes fit their schema', async () => {
  for (const text of await writeTexts())
    assert.ok(fits('signedEnvelope', JSON.parse(text)), ajv.errorsText());
});

test('schema and code agree on every payload: minimal, with more fields, and with each field missing or wrong', async () => {
  const [offer] = (await writeTexts()).map((text) => JSON.parse(text).envelope.payload);
  const { rationale: _, ...terms } = offer;
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

test('the schema of the envelope knows the payload of each type, and accepts unknown types', async () => {
  const [text = ''] = await writeTexts();
  const { envelope } = JSON.parse(text);
  assert.ok('signed' in parseWire(text));
  assert.ok(fits('envelope', envelope));
  assert.ok(!fits('envelope', { ...envelope, payload: {} }));
  assert.ok(!fits('envelope', { ...envelope, extra: 1 }));
  assert.ok(fits('envelope', { ...envelope, type: 'Greeting', payload: {} }));
});
