// A server that stops finishes what it has begun; one that starts goes on where the last one was. Deadlines pass without a block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postTask } from '../support/posting.ts';
import type { TestSite } from '../support/site.ts';
import { follow } from './following.ts';

export function testStops(siteOf: () => TestSite): void {
  test('a client follows through a restart: no event is lost or sent twice', async () => {
    const site = siteOf();
    const cast = await site.castOn('standard');
    const stream = await follow(site);
    const posted = [await postTask(cast)];
    await stream.until(() => stream.ids().length === 1);
    await site.stop();
    // While nobody serves, the market goes on.
    posted.push(await postTask(cast), await postTask(cast));
    await site.start();
    posted.push(await postTask(cast));
    await stream.until(() => stream.ids().length >= 4);
    await site.stop();
    await site.start();
    posted.push(await postTask(cast));
    await stream.until(() => stream.ids().length >= 5);
    assert.deepEqual(stream.ids(), posted);
    assert.equal(stream.seen.filter(({ type }) => type === 'reset').length, 1, 'only the one it began with');
    const seqs = stream.seen.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      [...new Set(seqs)].sort((left, right) => left - right),
    );
    await stream.stop();
  });

  test('requests under way are answered whole, and open streams are ended', async () => {
    const site = siteOf();
    const url = site.url();
    const end = new AbortController();
    const stream = await fetch(`${url}/api/events`, { signal: end.signal });
    const reading = stream.text();
    const questions = Array.from({ length: 40 }, async (_, index) => {
      const response = await fetch(`${url}/api/market/recent?limit=100&try=${index}`);
      return JSON.parse(await response.text()).count as number;
    });
    // All have been sent before the server hears of its end.
    await Promise.race(questions);
    await site.stop();
    const answers = await Promise.allSettled(questions);
    for (const answer of answers) {
      // One that came too late finds nobody; one that was taken is never cut off.
      if (answer.status === 'rejected') assert.match(String(answer.reason), /fetch failed/);
      else assert.ok(answer.value > 0);
    }
    assert.match(await reading, /^retry: 1000\n\n/);
    await assert.rejects(fetch(`${url}/health`));
    await site.start();
  });

  test('a deployment may answer in the earlier shape unless asked otherwise', async () => {
    const site = siteOf();
    await site.stop();
    await site.start({ protocolVersion: 'v1' });
    const list = await site.getJson('/api/market/open?limit=1');
    assert.deepEqual(Object.keys(list), ['count', 'tasks']);
    assert.match(list.tasks[0].id, /^\d+$/);
    assert.equal(
      (await site.client().open({ limit: 1 })).meta.protocolVersion,
      'v2',
      'the client asks for v2',
    );
    await site.stop();
    await site.start();
  });
}
