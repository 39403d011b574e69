// Proves that cached replies expire with their market's version, and that no URL makes the cache exceed its limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildReply, createReplyKind, type Reply } from './reply.ts';
import { createReplyCache, type ReplyCache, type ReplySource } from './replyCache.ts';

const text = createReplyKind('text/plain', '');
const build = (bytes = 1_000) => buildReply('x'.repeat(bytes), text);

/** Twice, since the first time only marks the URL as seen. */
function keep(replies: ReplyCache, url: string, reply: Reply, source: ReplySource): void {
  replies.save(url, reply, source);
  replies.save(url, reply, source);
}

test('a reply is kept from the second time on', () => {
  const replies = createReplyCache(() => '1');
  const source = { market: 'standard', version: '1' } as const;
  const reply = build();
  replies.save('/a', reply, source);
  assert.equal(replies.find('/a'), undefined);
  replies.save('/a', reply, source);
  assert.equal(replies.find('/a'), reply);
});

test('a reply is found until its market has another version', () => {
  const versions = { standard: '1', micro: '1' };
  const replies = createReplyCache((market) => versions[market]);
  const [standard, micro] = [build(), build()];
  keep(replies, '/a', standard, { market: 'standard', version: '1' });
  keep(replies, '/b', micro, { market: 'micro', version: '1' });
  assert.equal(replies.find('/a'), standard);
  versions.standard = '2';
  assert.equal(replies.find('/a'), undefined);
  assert.equal(replies.find('/b'), micro);
  versions.standard = '1';
  assert.equal(replies.find('/a'), undefined, 'a dropped reply does not come back');
});

test('the first reply of another version drops everything older of that market, and only of that market', () => {
  const versions = { standard: '1', micro: '1' };
  const replies = createReplyCache((market) => versions[market]);
  for (const market of ['standard', 'micro'] as const) {
    keep(replies, `/${market}`, build(), { market, version: '1' });
  }
  versions.standard = '2';
  replies.save('/other', build(), { market: 'standard', version: '2' });
  versions.standard = '1';
  assert.equal(replies.find('/standard'), undefined);
  assert.notEqual(replies.find('/micro'), undefined);
});

test('a reply that was built from an older version is never found', () => {
  const replies = createReplyCache(() => '2');
  keep(replies, '/a', build(), { market: 'micro', version: '1' });
  assert.equal(replies.find('/a'), undefined);
});

test('a reply in use outlives a flood of URLs that are used once', () => {
  const replies = createReplyCache(() => '1', 100_000);
  const source = { market: 'standard', version: '1' } as const;
  const used = build();
  keep(replies, '/used', used, source);
  for (let count = 0; count < 10_000; count++) {
    keep(replies, `/flood?${count}`, build(), source);
    assert.equal(replies.find('/used'), used, `after ${count}`);
  }
  const kept = Array.from({ length: 10_000 }, (_, count) => replies.find(`/flood?${count}`)).filter(Boolean);
  assert.ok(kept.length > 0 && kept.length <= 25, `${kept.length} of the flood are left`);
});

test('a reply larger than the limit is not kept, and later ones are', () => {
  const replies = createReplyCache(() => '1', 10_000);
  const source = { market: 'standard', version: '1' } as const;
  keep(replies, '/huge', build(100_000), source);
  assert.equal(replies.find('/huge'), undefined);
  const small = build();
  keep(replies, '/small', small, source);
  assert.equal(replies.find('/small'), small);
});
