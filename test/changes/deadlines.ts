// A task past its deadline cannot be claimed, so it is not in the open list, without anything happening on the chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postTask } from '../support/posting.ts';
import type { TestSite } from '../support/site.ts';
import { until } from '../support/until.ts';

export function testDeadlines(siteOf: () => TestSite): void {
  test('a task leaves the open list in the second after its deadline, also where answers are kept', async () => {
    const site = siteOf();
    const cast = await site.castOn('micro');
    const id = await postTask(cast, { dueIn: 3_600 });
    await site.catchUp();
    const client = site.client();
    const isOpen = async () => (await client.open({ market: 'micro' })).tasks.some((task) => task.id === id);
    await until(isOpen);
    const { task } = await client.task(id);
    const before = await site.get('/api/market/open?market=micro');
    await site.devnet.clock.advance(task.deadline - site.devnet.clock.now() + 1);
    assert.equal(await isOpen(), false);
    const after = await site.get('/api/market/open?market=micro');
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
    // The chain still calls it POSTED, and so do the routes that show any state.
    assert.equal((await client.task(id)).task.state, 'POSTED');
    assert.ok((await client.recent({ market: 'micro' })).tasks.some((recent) => recent.id === id));
  });

  test('on the second of its deadline a task can still be claimed, and is still listed', async () => {
    const site = siteOf();
    const cast = await site.castOn('micro');
    const id = await postTask(cast, { dueIn: 3_600 });
    await site.catchUp();
    const client = site.client();
    const { task } = await client.task(id);
    let now = task.deadline;
    await site.stop();
    await site.start({ now: () => now });
    const isOpen = async () => (await client.open({ market: 'micro' })).tasks.some((open) => open.id === id);
    assert.equal(await isOpen(), true);
    now += 1;
    assert.equal(await isOpen(), false);
    await site.stop();
    await site.start();
  });
}
