// Proves that task documents survive the trip through a uri and that foreign uris can do no harm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildDocumentUri, maxDocumentUriBytes, parseDocumentUri, type TaskDocument } from './document.ts';

const document: TaskDocument = {
  title: 'Übersetze 3 pages 𝄞',
  description: 'German to English, "as is", 100 %.\nNo machine.',
  criteria: 'A native speaker finds no mistake.',
  tags: ['translation', 'de'],
};

const word = fc.string({ unit: 'binary', maxLength: 60 });
const documents = fc.record(
  {
    title: word.filter((title) => title.trim() !== ''),
    description: word,
    criteria: word,
    tags: fc.array(word, { maxLength: 5 }),
  },
  { noNullPrototype: true },
);

test('every document survives a round trip through its uri', () => {
  assert.deepEqual(parseDocumentUri(buildDocumentUri(document)), document);
  fc.assert(
    fc.property(documents, (any) => {
      assert.deepEqual(parseDocumentUri(buildDocumentUri(any)), any);
    }),
  );
});

test('percent-encoded and plain JSON is accepted', () => {
  const json = JSON.stringify(document);
  for (const uri of [
    `data:application/json,${encodeURIComponent(json)}`,
    `data:application/json;charset=utf-8,${encodeURIComponent(json)}`,
    `DATA:Application/JSON;charset=UTF-8;BASE64,${Buffer.from(json).toString('base64')}`,
    `data:application/json,${json.replace('%', '%25')}`,
  ])
    assert.deepEqual(parseDocumentUri(uri), document, uri);
});

test('missing texts are empty', () => {
  assert.deepEqual(parseDocumentUri('data:application/json,{"title":"T"}'), {
    title: 'T',
    description: '',
    criteria: '',
    tags: [],
  });
});

test('6,120 bytes of JSON fill the 8 KiB, and one byte more is refused', () => {
  const spent = Buffer.byteLength(JSON.stringify({ ...document, description: '' }));
  const build = (bytes: number) => buildDocumentUri({ ...document, description: 'x'.repeat(bytes - spent) });
  assert.equal(parseDocumentUri(build(6_120))?.title, document.title);
  assert.throws(() => build(6_121), {
    code: 'DOCUMENT_TOO_LARGE',
    message: 'The task document makes a uri of 8193 bytes; 8192 are allowed.',
  });
  assert.throws(() => build(10_000_000), { code: 'DOCUMENT_TOO_LARGE' });
});

test('a document without a title or with half a character is not built', () => {
  for (const change of [{ title: ' ' }, { criteria: '\ud800' }, { tags: ['\udc00'] }])
    assert.throws(() => buildDocumentUri({ ...document, ...change }), { code: 'DOCUMENT_INVALID' });
});

test('foreign uris hold no document', () => {
  for (const uri of [
    '',
    'ipfs://bafy',
    'https://example.org/task.json',
    'data:text/html,<script>alert(1)</script>',
    'data:application/jsonp,{"title":"T"}',
    'data:application/json',
    'data:application/json,',
    'data:application/json,null',
    'data:application/json,[]',
    'data:application/json,"title"',
    'data:application/json,{"title":1}',
    'data:application/json,{"title":""}',
    'data:application/json,{"title":"T","tags":"x"}',
    'data:application/json,{"title":"T","tags":[1]}',
    'data:application/json,{"title":"T","criteria":null}',
    'data:application/json,{"title":"\\ud800"}',
    'data:application/json,{"__proto__":{"title":"T"}}',
    'data:application/json,%E0%A4%A',
    'data:application/json;base64,***',
    'data:application/json;base64,/w==',
    `data:application/json,{"title":"${'x'.repeat(maxDocumentUriBytes)}"}`,
    `data:application/json,${'['.repeat(8_000)}`,
  ])
    assert.equal(parseDocumentUri(uri), null, uri.slice(0, 80));
});

test('the parser never throws', () => {
  const bodies = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.base64String());
  const heads = fc.constantFrom('', 'data:application/json,', 'data:application/json;base64,', 'data:;;,');
  fc.assert(
    fc.property(heads, bodies, (head, body) => {
      const parsed = parseDocumentUri(head + body);
      assert.ok(parsed === null || parsed.title !== '');
    }),
    { numRuns: 500 },
  );
});
