// Proves that cached replies expire with their market's version, and that no URL makes the cache exceed its limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildBody } from './body.ts';
import { createBodyCache } from './bodyCache.ts';

const build = (bytes = 1_000) => buildBody('x'.repeat(bytes), 'text/plain', {});

test('a reply is found until its market has another version', () => {
  const versions = { standard: '1', micro: '1' };
  const replies = createBodyCache((market) => versions[market]);
  const [standard, micro] = [build(), build()];
  replies.save('/a', standard, { market: 'standard', version: '1' });
  replies.save('/b', micro, { market: 'micro', version: '1' });
  assert.equal(replies.find('/a'), standard);
  versions.standard = '2';
  assert.equal(replies.find('/a'), undefined);
  assert.equal(replies.find('/b'), micro);
  versions.standard = '1';
  assert.equal(replies.find('/a'), undefined, 'a dropped reply does not come back');
});

test('a reply that was built from an older version is never found', () => {
  const replies = createBodyCache(() => '2');
  replies.save('/a', build(), { market: 'micro', version: '1' });
  assert.equal(replies.find('/a'), undefined);
});

test('a reply in use outlives a flood of URLs that are used once', () => {
  const replies = createBodyCache(() => '1', 100_000);
  const source = { market: 'standard', version: '1' } as const;
  const used = build();
  replies.save('/used', used, source);
  for (let count = 0; count < 1_000; count++) {
    replies.save(`/flood?${count}`, build(), source);
    assert.equal(replies.find('/used'), used, `after ${count}`);
  }
  const kept = Array.from({ length: 1_000 }, (_, count) => replies.find(`/flood?${count}`)).filter(Boolean);
  assert.ok(kept.length > 0 && kept.length <= 25, `${kept.length} of the flood are left`);
});

test('a reply larger than the limit is not kept, and later ones are', () => {
  const replies = createBodyCache(() => '1', 10_000);
  const source = { market: 'standard', version: '1' } as const;
  replies.save('/huge', build(100_000), source);
  assert.equal(replies.find('/huge'), undefined);
  const small = build();
  replies.save('/small', small, source);
  assert.equal(replies.find('/small'), small);
});
