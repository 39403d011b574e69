// Previews of shared links hold public words only, short and on one line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListingHead, readTaskHead } from './taskHead.ts';

const known = {
  id: 'v2:standard:7',
  scope: 'open',
  title: 'Name\nten\u202ebirds',
  description: 'x'.repeat(1_000),
  totalAmountTokWei: '1500000000000000000000',
  releasedTokWei: '0',
  state: 'POSTED',
  fullyFunded: true,
};
const marketOf = (task: object) => ({ getTask: async () => ({ task }) as never });

test('an open task gives its title, its amount and the beginning of its description', async () => {
  const head = await readTaskHead(marketOf(known), known.id);
  assert.equal(head?.title, 'Name ten birds');
  assert.match(head?.description ?? '', /^1500 TOK\. x+…$/);
  assert.equal(head?.description.length, 200);
  assert.equal(head?.brief.length, 1_000);
  const again = { ...known, releasedTokWei: '500000000000000000000' };
  const listedAgain = await readTaskHead(marketOf(again), known.id);
  assert.match(listedAgain?.description ?? '', /^1000 TOK\. /, 'what is left of a task that is listed again');
  const marked = { ...known, description: '## Birds\n**ten** of `them`' };
  assert.equal((await readTaskHead(marketOf(marked), known.id))?.brief, 'Birds ten of them');
});

test('private, withheld, unknown and malformed tasks give nothing away', async () => {
  assert.equal(await readTaskHead(marketOf({ ...known, scope: 'private' }), known.id), null);
  assert.equal(await readTaskHead(marketOf({ ...known, title: undefined }), known.id), null);
  const missing = { getTask: () => Promise.reject(new Error('there is none')) };
  assert.equal(await readTaskHead(missing, known.id), null);
  for (const id of ['', 'x', 'v2:standard:', ['v2:standard:7'], 'v2:standard:'.padEnd(9_999, '7')])
    assert.equal(await readTaskHead(marketOf(known), id), null);
});

test('a listing gives its title and its range; a closed or unknown one nothing', async () => {
  const id = `0x${'ab'.repeat(32)}`;
  const document = {
    task: { title: 'Draw', description: '', criteria: 'Ten.' },
    budget: { minTokWei: '500000000000000000000', maxTokWei: '12500500000000000000000' },
  };
  const listings = (found: object) => ({ get: async () => found as never });
  const head = await readListingHead(listings({ document, state: 'live' }), id);
  assert.deepEqual([head?.title, head?.description, head?.brief], ['Draw', '500 to 12500.5 TOK. Ten.', '']);
  assert.equal(await readListingHead(listings({ document: null, state: 'closed' }), id), null);
  assert.equal(await readListingHead({ get: () => Promise.reject(new Error('none')) }, id), null);
  for (const other of ['0x12', [id], id.toUpperCase(), undefined])
    assert.equal(await readListingHead(listings({ document, state: 'live' }), other), null);
});
