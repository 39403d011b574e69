// Attacks on documents: whatever stands beside a hash on chain, its state never claims more than the bytes prove.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toCanonical } from '../domain/canonical.ts';
import { buildInlineUri, hashDocument, maxDocumentBytes, maxInlineBytes } from '../domain/document.ts';
import { buildDocument, buildInlineDocument, buildTaskDocument } from './buildDocument.ts';
import { loadDocumentView, viewDocument } from './viewDocument.ts';

/** Half of a surrogate pair included. The units that fast-check calls binary take a second to build. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

const taskId = 'v2:standard:12';
const expected = { schema: 'svc-delivery-v1', taskId, milestone: 1 } as const;
const sha256 = 'ab'.repeat(32);
const artifact = { name: 'manual.pdf', mediaType: 'application/pdf', bytes: 4_096, sha256 };
const fields = { taskId, milestone: 1, note: 'All 20 pages. Ä 𝄞', artifacts: [artifact] };
const delivery = buildInlineDocument('svc-delivery-v1', fields);

const encode = (text: string) => new TextEncoder().encode(text);
/** The view of bytes whose hash is on chain. */
const viewOf = (bytes: Uint8Array) => viewDocument({ hash: hashDocument(bytes), uri: '', expected }, bytes);

test('each kind of document is built, hashed over its exact bytes, and verified from its uri', () => {
  const ruling = buildInlineDocument('svc-ruling-v1', {
    taskId,
    workerBps: 2_500,
    reasons: 'Half is missing.',
  });
  const evidence = buildInlineDocument('svc-evidence-v1', {
    taskId,
    name: 'Page 7',
    description: 'It is empty.',
    fileURI: '/ipfs/QmX/page7.png',
    fileHash: 'QmX',
    fileTypeExtension: 'png',
    artifacts: [artifact],
  });
  const task = buildTaskDocument({
    title: 'T',
    description: '',
    criteria: 'C',
    tags: [],
    milestones: ['a', 'b'],
  });
  for (const [built, wanted] of [
    [delivery, expected],
    [ruling, { schema: 'svc-ruling-v1', taskId, workerBps: 2_500 }],
    [evidence, { schema: 'svc-evidence-v1', taskId }],
    [task, { schema: 'svc-task-v1' }],
  ] as const) {
    const { hash, uri, document, bytes } = built;
    assert.equal(new TextDecoder().decode(bytes), toCanonical(document));
    assert.deepEqual(viewDocument({ hash, uri, expected: wanted }), { document, documentState: 'verified' });
  }
});

test('a document that does not match its hash is a mismatch', () => {
  const other = buildInlineDocument('svc-delivery-v1', { ...fields, note: 'Another note.' });
  const view = viewDocument({ hash: delivery.hash, uri: other.uri, expected });
  assert.deepEqual(view, { document: other.document, documentState: 'mismatch' });
  const plain = viewDocument({ hash: delivery.hash, uri: 'data:text/plain,Trust%20me', expected });
  assert.deepEqual(plain, { document: null, documentState: 'mismatch', text: 'Trust me' });
});

test('a document that claims another task, milestone or share is a mismatch', () => {
  for (const claimed of [
    { ...expected, taskId: 'v2:micro:12' },
    { ...expected, milestone: 0 },
  ])
    assert.equal(viewDocument({ ...delivery, expected: claimed }).documentState, 'mismatch');
  const ruling = buildInlineDocument('svc-ruling-v1', { taskId, workerBps: 9_000, reasons: 'All is well.' });
  const ruled = { schema: 'svc-ruling-v1', taskId, workerBps: 0 } as const;
  assert.equal(viewDocument({ ...ruling, expected: ruled }).documentState, 'mismatch');
});

test('a document of another kind, version or with unknown fields is malformed', () => {
  assert.equal(
    viewDocument({ ...delivery, expected: { schema: 'svc-evidence-v1', taskId } }).documentState,
    'malformed',
  );
  const { document } = delivery;
  for (const change of [
    { schema: 'svc-delivery-v2' },
    { extra: true },
    { milestone: 1.5 },
    { milestone: '1' },
    { note: null },
    { taskId: 12 },
    { artifacts: 'manual.pdf' },
    { artifacts: [{ ...artifact, name: '../../passwd' }] },
    { artifacts: [{ ...artifact, name: 'a\u202Efdp.exe' }] },
    { artifacts: [{ ...artifact, sha256: `0x${sha256}` }] },
    { artifacts: [{ ...artifact, bytes: -1 }] },
    { artifacts: [{ ...artifact, mediaType: 'text/html\r\nX: 1' }] },
    { artifacts: [{ ...artifact, uri: 'javascript:alert(1)' }] },
    { artifacts: Array(101).fill(artifact) },
    { links: ['javascript:alert(1)'] },
    { links: ['data:text/html,<script>alert(1)</script>'] },
    { links: ['https://a.example/ b'] },
  ]) {
    const text = toCanonical({ ...document, ...change });
    const view = viewOf(encode(text));
    assert.deepEqual(view, { document: null, documentState: 'malformed', text }, text.slice(0, 200));
  }
});

test('bytes that are not canonical JSON are malformed and shown as plain text', () => {
  const text = new TextDecoder().decode(delivery.bytes);
  // Two parsers could disagree on which milestone the second one names.
  const repeated = text.replace('"milestone":1', '"milestone":0,"milestone":1');
  for (const changed of [`${text}\n`, repeated, '<script>alert(1)</script>'])
    assert.deepEqual(viewOf(encode(changed)), { document: null, documentState: 'malformed', text: changed });
  const large = encode(toCanonical({ ...delivery.document, note: 'x'.repeat(maxDocumentBytes) }));
  for (const bytes of [new Uint8Array([0xff, 0xfe]), large])
    assert.deepEqual(viewOf(bytes), { document: null, documentState: 'malformed' });
  const long = `data:application/json,${'x'.repeat(1_000_000)}`;
  const view = viewDocument({ hash: delivery.hash, uri: long, expected });
  assert.deepEqual(view, { document: null, documentState: 'malformed' });
});

test('where the bytes are not at hand the uri says why', async () => {
  const state = (uri: string) => viewDocument({ hash: delivery.hash, uri, expected }).documentState;
  assert.equal(state(''), 'unavailable');
  assert.equal(state(`/v1/files/${sha256}`), 'unavailable');
  assert.equal(state(`https://gateway.example/v1/files/${sha256}`), 'unavailable');
  for (const uri of ['https://work.example/12.zip', 'ipfs://bafy', 'javascript:alert(1)'])
    assert.equal(state(uri), 'foreign');
  assert.equal(state('data:application/json;base64,***'), 'malformed');
  assert.deepEqual(viewDocument({ hash: delivery.hash, uri: 'in the attic', expected }), {
    document: null,
    documentState: 'malformed',
    text: 'in the attic',
  });
});

test('the store is asked by hash, only for files of a gateway, and its bytes are judged like any others', async () => {
  const asked: string[] = [];
  const view = (uri: string, found: Uint8Array | 'withheld' | null) =>
    loadDocumentView({ hash: delivery.hash, uri, expected }, async (hash) => {
      asked.push(hash);
      return found;
    });
  const stored = `https://gateway.example/v1/files/${sha256}`;
  assert.equal((await view(stored, delivery.bytes)).documentState, 'verified');
  assert.equal((await view(stored, encode('{}'))).documentState, 'mismatch');
  assert.equal((await view(stored, null)).documentState, 'unavailable');
  assert.deepEqual(await view(stored, 'withheld'), { document: null, documentState: 'withheld' });
  assert.deepEqual(asked, Array(4).fill(sha256));
  assert.equal((await view('https://other.example/delivery.json', delivery.bytes)).documentState, 'foreign');
  assert.equal((await view(delivery.uri, null)).documentState, 'verified');
  assert.equal(asked.length, 4);
});

test('4 KiB are written inline, a larger document belongs into a store, and 128 KiB are the end', () => {
  const spent = buildDocument('svc-delivery-v1', { ...fields, note: '' }).bytes.length;
  const build = (bytes: number) => ({ ...fields, note: 'x'.repeat(bytes - spent) });
  const { uri } = buildInlineDocument('svc-delivery-v1', build(maxInlineBytes));
  assert.match(uri, /^data:application\/json;base64,/);
  assert.equal(buildDocument('svc-delivery-v1', build(maxInlineBytes + 1)).uri, null);
  assert.throws(() => buildInlineDocument('svc-delivery-v1', build(maxInlineBytes + 1)), {
    code: 'DOCUMENT_TOO_LARGE',
    message: 'The document has 4097 bytes; 4096 are allowed.',
  });
  assert.throws(() => buildDocument('svc-delivery-v1', build(maxDocumentBytes + 1)), {
    code: 'DOCUMENT_TOO_LARGE',
  });
});

test('a document with an empty title, half a character or a path in a name is not built', () => {
  const words = { title: 'T', description: '', criteria: '', tags: [] };
  for (const change of [{ title: ' ' }, { criteria: '\ud800' }, { tags: ['\udc00'] }])
    assert.throws(() => buildTaskDocument({ ...words, ...change }), { code: 'DOCUMENT_INVALID' });
  const artifacts = [{ ...artifact, name: 'a/b' }];
  assert.throws(() => buildDocument('svc-delivery-v1', { ...fields, artifacts }), {
    code: 'DOCUMENT_INVALID',
    message: 'The document is not valid: artifacts.0.name: must be a plain file name without a path.',
  });
});

test('no uri and no bytes make the view throw or claim more than they prove', () => {
  const uris = fc.oneof(
    fc.string({ unit: anyUnit }),
    fc.webUrl(),
    fc.json().map((text) => buildInlineUri(encode(text))),
  );
  fc.assert(
    fc.property(uris, fc.option(fc.uint8Array({ maxLength: 300 })), (uri, bytes) => {
      const view = viewDocument({ hash: delivery.hash, uri, expected }, bytes);
      assert.notEqual(view.documentState, 'verified');
      assert.equal(view.document, null);
    }),
    { numRuns: 500 },
  );
});
