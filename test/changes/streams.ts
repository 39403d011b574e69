// Server-sent events: which events each client receives, and how a client resumes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrivateTask, postTask } from '../support/posting.ts';
import type { TestSite } from '../support/site.ts';
import { until } from '../support/until.ts';
import { follow } from './following.ts';

export function testStreams(siteOf: () => TestSite): void {
  test('filters by market, wallet and task let through what they name and nothing else', async () => {
    const site = siteOf();
    const [standard, micro] = [await site.castOn('standard'), await site.castOn('micro')];
    const first = await postTask(standard);
    await site.catchUp();
    const streams = {
      all: await follow(site, { market: 'all' }),
      unnamed: await follow(site),
      micro: await follow(site, { market: 'micro' }),
      poster: await follow(site, { market: 'all', address: standard.poster.address.toLowerCase() }),
      posterUnnamed: await follow(site, { address: standard.poster.address }),
      stranger: await follow(site, { address: `0x${'ab'.repeat(20)}` }),
      first: await follow(site, { taskId: first }),
    };
    const onMicro = await postTask(micro);
    const byMicroId = await follow(site, { taskId: onMicro, after: 0 });
    await byMicroId.until(() => byMicroId.ids().includes(onMicro));
    await byMicroId.stop();
    await standard.poster.write(standard.contracts.registry, 'fundTask', [
      BigInt(first.split(':')[2] ?? 0),
      5n,
    ]);
    const last = await postTask(standard);
    await streams.all.until(() => streams.all.ids().includes(last));
    await streams.poster.until(() => streams.poster.ids().includes(last));
    await streams.first.until(() => streams.first.ids().length > 0);
    await streams.micro.until(() => streams.micro.ids().length > 0);
    assert.deepEqual(streams.all.ids(), [onMicro, first, last]);
    assert.deepEqual(streams.unnamed.ids(), [first, last], 'standard, as on every route');
    assert.deepEqual(streams.posterUnnamed.ids(), [first, last]);
    assert.deepEqual(streams.micro.ids(), [onMicro]);
    assert.deepEqual(streams.poster.ids(), [onMicro, first, last]);
    assert.deepEqual(streams.first.ids(), [first]);
    assert.deepEqual(streams.stranger.ids(), []);
    for (const stream of Object.values(streams)) await stream.stop();
  });

  test('a private task is reported to its parties and by its id, and to nobody else', async () => {
    const site = siteOf();
    const cast = await site.castOn('standard');
    const streams = {
      all: await follow(site),
      market: await follow(site, { market: 'standard' }),
      worker: await follow(site, { address: cast.worker.address }),
    };
    const id = await createPrivateTask(cast);
    const after = await postTask(cast);
    await streams.all.until(() => streams.all.ids().includes(after));
    await streams.market.until(() => streams.market.ids().includes(after));
    await streams.worker.until(() => streams.worker.ids().includes(id));
    assert.ok(!streams.all.ids().includes(id));
    assert.ok(!streams.market.ids().includes(id));
    const byId = await follow(site, { taskId: id, after: 0 });
    await byId.until(() => byId.ids().includes(id));
    for (const stream of [...Object.values(streams), byId]) await stream.stop();
  });

  test('a fork that removes a task is reported as a reset, and the task is gone', async () => {
    const site = siteOf();
    const cast = await site.castOn('standard');
    const evm = (method: string, params: unknown[] = []) =>
      cast.client.request({ method, params } as never) as Promise<unknown>;
    const snapshot = await evm('evm_snapshot');
    const stream = await follow(site);
    const id = await postTask(cast);
    await stream.until(() => stream.ids().includes(id));
    await evm('evm_revert', [snapshot]);
    await evm('evm_mine');
    await stream.until(
      (seen) => seen.length > 2 && seen.some(({ type }, index) => index > 0 && type === 'reset'),
    );
    await until(async () => (await site.get(`/api/market/task?id=${id}`)).status === 404);
    assert.ok(!(await site.client().open()).tasks.some((task) => task.id === id));
    await stream.stop();
  });
}
