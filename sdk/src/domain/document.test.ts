// Proves that the bytes of documents are read within bounds, and that foreign uris and file names can do no harm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  buildInlineUri,
  maxDocumentBytes,
  maxDocumentUriBytes,
  parseCanonical,
  parseDocumentUri,
  readFileHash,
  readInlineUri,
} from './document.ts';
import { cleanFileName } from './documentNames.ts';

/** Half of a surrogate pair included. The units that fast-check calls binary take a second to build. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

const texts = {
  title: 'Übersetze 3 pages 𝄞',
  description: 'German to English, "as is", 100 %.\nNo machine.',
  criteria: 'A native speaker finds no mistake.',
  milestones: [],
  tags: ['translation', 'de'],
};

const encode = (text: string) => new TextEncoder().encode(text);

test('bytes survive a round trip through an inline uri', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.deepEqual(readInlineUri(buildInlineUri(bytes)), { mediaType: 'application/json', bytes });
    }),
  );
});

test('the texts of older tasks are read: percent-encoded and plain JSON', () => {
  const json = JSON.stringify(texts);
  for (const uri of [
    `data:application/json,${encodeURIComponent(json)}`,
    `data:application/json;charset=utf-8,${encodeURIComponent(json)}`,
    `DATA:Application/JSON;charset=UTF-8;BASE64,${Buffer.from(json).toString('base64')}`,
    `data:application/json,${json.replace('%', '%25')}`,
  ])
    assert.deepEqual(parseDocumentUri(uri), texts, uri);
});

test('missing texts are empty', () => {
  assert.deepEqual(parseDocumentUri('data:application/json,{"title":"T"}'), {
    title: 'T',
    description: '',
    criteria: '',
    milestones: [],
    tags: [],
  });
});

test('foreign uris hold no texts', () => {
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
    'data:application/json,{"title":"T","milestones":[{}]}',
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

test('the readers never throw', () => {
  const bodies = fc.oneof(fc.string({ unit: anyUnit }), fc.json(), fc.base64String());
  const heads = fc.constantFrom('', 'data:application/json,', 'data:application/json;base64,', 'data:;;,');
  fc.assert(
    fc.property(heads, bodies, (head, body) => {
      const parsed = parseDocumentUri(head + body);
      assert.ok(parsed === null || parsed.title !== '');
      parseCanonical(encode(body));
      assert.ok(cleanFileName(body).length > 0);
    }),
    { numRuns: 500 },
  );
});

test('only the canonical form of one JSON object is read', () => {
  assert.deepEqual(parseCanonical(encode('{"a":1,"b":["ä"]}')), { a: 1, b: ['ä'] });
  for (const text of [
    '',
    'null',
    '[]',
    '"a"',
    '{"a":1',
    '{"b":1,"a":2}',
    '{"a": 1}',
    '{"a":1}\n',
    '\ufeff{"a":1}',
    '{"a":1.0}',
    '{"a":1e400}',
    '{"a":"\\u0041"}',
    '{"a":"\\ud800"}',
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
    `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    JSON.stringify({ a: 'x'.repeat(maxDocumentBytes) }),
  ])
    assert.equal(parseCanonical(encode(text)), null, text.slice(0, 80));
  assert.equal(parseCanonical(new Uint8Array([0x7b, 0xff, 0x7d])), null);
});

test('the hash of a file is read from a path of /v1/files only', () => {
  const sha256 = 'ab'.repeat(32);
  for (const uri of [
    `/v1/files/${sha256}`,
    `https://gateway.example/v1/files/${sha256}`,
    `https://a.example/x/v1/files/${sha256}`,
  ])
    assert.equal(readFileHash(uri), sha256);
  for (const uri of [
    '',
    sha256,
    `/v1/files/${sha256}/..`,
    `/v1/files/${sha256.toUpperCase()}`,
    `/v1/files/../${sha256}`,
    `https://a.example?/v1/files/${sha256}`,
    `javascript:/v1/files/${sha256}`,
    `/v1/files/${sha256}\n`,
  ])
    assert.equal(readFileHash(uri), null, uri);
});

test('a file name is the last part of a path, without characters that change how it is shown', () => {
  assert.equal(cleanFileName('report.pdf'), 'report.pdf');
  assert.equal(cleanFileName('Übersicht 2.pdf'), 'Übersicht 2.pdf');
  for (const [name, clean] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['a\u0000\r\n.txt', 'a.txt'],
    ['..', 'file'],
    ['', 'file'],
    ['a/', 'file'],
    ['\u200b', 'file'],
    ['\ud800.txt', '.txt'],
    ['x'.repeat(500), 'x'.repeat(200)],
  ] as const)
    assert.equal(cleanFileName(name), clean);
});
