// Hostile titles, texts and tags stay text: the feed parses, and holds no character that XML forbids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type FeedTask, writeFeed } from './atomFeed.ts';

const place = {
  url: 'https://market.example',
  chainId: 8453,
  registry: '0xABCDEF0000000000000000000000000000000001',
  market: 'standard',
  tags: [],
} as const;

const known = {
  id: 'v2:standard:7',
  market: 'standard',
  poster: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  title: 'Name ten birds',
  description: 'Each with a picture.',
  tags: ['birds'],
  totalAmountTokWei: '1500250000000000000000',
  fundedTokWei: '1500250000000000000000',
  fullyFunded: true,
  createdAt: 1_793_000_000,
  updatedAt: 1_793_000_060,
  deadline: 1_794_000_000,
};

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => ['entry', 'category'].includes(name),
});
/** All that XML 1.0 allows in a document. */
const allowed = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

function read(tasks: readonly object[], more: object = {}) {
  const text = writeFeed(tasks as FeedTask[], { ...place, ...more });
  assert.equal(XMLValidator.validate(text), true);
  assert.match(text, allowed);
  assert.doesNotMatch(text, /<script|CDATA|\]\]>/);
  return parser.parse(text).feed;
}

test('an entry has what a reader shows', () => {
  const feed = read([known]);
  const [entry] = feed.entry;
  assert.equal(feed.title, 'Open tasks, standard market');
  assert.equal(feed.id, 'urn:svc:8453:0xabcdef0000000000000000000000000000000001:open');
  assert.equal(Date.parse(feed.updated), known.updatedAt * 1_000);
  assert.equal(entry.id, 'urn:svc:8453:0xabcdef0000000000000000000000000000000001:7');
  assert.equal(entry.title, known.title);
  assert.equal(entry.link['@href'], 'https://market.example/market.html?task=v2:standard:7');
  assert.equal(Date.parse(entry.published), known.createdAt * 1_000);
  assert.equal(Date.parse(entry.updated), known.updatedAt * 1_000);
  assert.equal(entry.author.name, known.poster);
  assert.equal(entry.category[0]['@term'], 'birds');
  assert.match(entry.summary, /^1500\.25 TOK, fully funded\. Deadline \S+Z\. Each with a picture\.$/);
});

test('hostile words stay text', () => {
  const words = [
    ']]><script>alert(1)</script>',
    '</title><link rel="self" href="javascript:alert(1)"/>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
    '&lt;b&gt; & &amp; \'"',
    'a\u0000b\u0008c\u000bd\u001fe\u007ff\u0085g\u2028h\u202ei',
    'lone \ud800 high, \udc00 low',
    'nothing \ufffe here \uffff',
  ];
  for (const word of words) {
    const [entry] = read([{ ...known, title: word, description: word, tags: [word] }], {
      tags: [word],
    }).entry;
    assert.deepEqual(Object.keys(entry).sort(), Object.keys(read([known]).entry[0]).sort(), word);
  }
  const [entry] = read([{ ...known, title: '<b>bold</b> & "x"' }]).entry;
  assert.equal(entry.title, '<b>bold</b> & "x"');
});

test('long texts are cut between characters, and a task without words is named by its number', () => {
  const [entry] = read([{ ...known, title: '🦊'.repeat(500), description: '🦊'.repeat(500) }]).entry;
  assert.equal([...entry.title].length, 120);
  assert.equal([...entry.summary.split('Z. ')[1]].length, 300);
  const { title: _, description: __, tags: ___, ...bare } = known;
  const [unnamed] = read([{ ...bare, fullyFunded: false, fundedTokWei: '0' }]).entry;
  assert.equal(unnamed.title, 'Task 7, standard market');
  assert.match(unnamed.summary, /^1500\.25 TOK, not funded yet\. Deadline \S+Z\.$/);
});

test('an empty board is a feed too, the same at every request', () => {
  const feed = read([], { tags: ['a b', 'c'] });
  assert.equal(feed.entry, undefined);
  assert.equal(feed.updated, '1970-01-01T00:00:00Z');
  assert.equal(feed.title, 'Open tasks with a b and c, standard market');
  assert.equal(feed.link[0]['@href'], 'https://market.example/api/market/feed?market=standard&tag=a+b%2Cc');
});
