// Proves that kept replies go when they are no longer true, and that no URL can make them take more than their share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReadyReplies, type ReadyReplies, type ReplySource } from './readyReplies.ts';
import { buildReply, createReplyKind, type ReadyReply } from './readyReply.ts';

const text = createReplyKind('text/plain', '');
const build = (bytes = 1_000) => buildReply('x'.repeat(bytes), text);

/** Asked for twice, as it takes to be kept. */
function keep(replies: ReadyReplies, url: string, reply: ReadyReply, source: ReplySource): void {
  replies.save(url, reply, source);
  replies.save(url, reply, source);
}

test('a reply is kept from the second time on', () => {
  const replies = createReadyReplies(() => '1');
  const source = { market: 'standard', version: '1' } as const;
  const reply = build();
  replies.save('/a', reply, source);
  assert.equal(replies.find('/a'), undefined);
  replies.save('/a', reply, source);
  assert.equal(replies.find('/a'), reply);
});

test('a reply is found until its market has another version', () => {
  const versions = { standard: '1', micro: '1' };
  const replies = createReadyReplies((market) => versions[market]);
  const [standard, micro] = [build(), build()];
  keep(replies, '/a', standard, { market: 'standard', version: '1' });
  keep(replies, '/b', micro, { market: 'micro', version: '1' });
  assert.equal(replies.find('/a'), standard);
  versions.standard = '2';
  assert.equal(replies.find('/a'), undefined);
  assert.equal(replies.find('/b'), micro);
  versions.standard = '1';
  assert.equal(replies.find('/a'), undefined, 'what was dropped does not come back');
});

test('with the first reply of another version everything of the older one goes, and of that market alone', () => {
  const versions = { standard: '1', micro: '1' };
  const replies = createReadyReplies((market) => versions[market]);
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
  const replies = createReadyReplies(() => '2');
  keep(replies, '/a', build(), { market: 'micro', version: '1' });
  assert.equal(replies.find('/a'), undefined);
});

test('what is asked for again and again outlives a flood of URLs that nobody asks for twice', () => {
  const replies = createReadyReplies(() => '1', 100_000);
  const source = { market: 'standard', version: '1' } as const;
  const hot = build();
  keep(replies, '/hot', hot, source);
  for (let count = 0; count < 10_000; count++) {
    keep(replies, `/flood?${count}`, build(), source);
    assert.equal(replies.find('/hot'), hot, `after ${count}`);
  }
  const kept = Array.from({ length: 10_000 }, (_, count) => replies.find(`/flood?${count}`)).filter(Boolean);
  assert.ok(kept.length > 0 && kept.length <= 25, `${kept.length} of the flood are left`);
});

test('a reply larger than the whole memory is not kept, and harms nobody', () => {
  const replies = createReadyReplies(() => '1', 10_000);
  const source = { market: 'standard', version: '1' } as const;
  keep(replies, '/huge', build(100_000), source);
  assert.equal(replies.find('/huge'), undefined);
  const small = build();
  keep(replies, '/small', small, source);
  assert.equal(replies.find('/small'), small);
});
