// Previews of shared links hold public words only, short and on one line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTaskHead } from './taskHead.ts';

const known = {
  id: 'v2:standard:7',
  scope: 'open',
  title: 'Name\nten\u202ebirds',
  description: 'x'.repeat(1_000),
  totalAmountTokWei: '1500000000000000000000',
};
const marketOf = (task: object) => ({ getTask: async () => ({ task }) as never });

test('an open task gives its title, its amount and the beginning of its description', async () => {
  const head = await readTaskHead(marketOf(known), known.id);
  assert.equal(head?.title, 'Name ten birds');
  assert.match(head?.description ?? '', /^1500 TOK\. x+…$/);
  assert.equal(head?.description.length, 200);
  assert.equal(head?.brief.length, 1_000);
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
