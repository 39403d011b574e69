// What an edit of a listing changes: only what is given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTok } from '@svc/sdk/domain';
import { buildListing } from './listingTools.ts';

const wei = (tok: string) => String(parseTok(tok));

test('a price for all stays one price, and each end of a range stays unless it is given', () => {
  const fixed = buildListing({ title: 'Birds', maxTok: '900' }, null, 0);
  assert.deepEqual(fixed.budget, { minTokWei: wei('900'), maxTokWei: wei('900') });
  const dearer = buildListing({ maxTok: '950' }, fixed, 0);
  assert.deepEqual(dearer.budget, { minTokWei: wei('950'), maxTokWei: wei('950') });
  const range = buildListing({ minTok: '500' }, dearer, 0);
  assert.deepEqual(range.budget, { minTokWei: wei('500'), maxTokWei: wei('950') });
  const wider = buildListing({ maxTok: '1000' }, range, 0);
  assert.deepEqual(wider.budget, { minTokWei: wei('500'), maxTokWei: wei('1000') });
  assert.deepEqual(buildListing({ title: 'Ten birds' }, wider, 0).budget, wider.budget);
});
