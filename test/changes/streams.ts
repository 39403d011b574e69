// Server-sent events: which events each client receives, and how a client resumes. A server that stops finishes what it has begun;
// one that starts goes on where the last one was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow } from '../support/following.ts';
import { createPrivateTask, postTask } from '../support/posting.ts';
import { until } from '../support/until.ts';
import { site } from './site.ts';

test('filters by market, wallet and task let through what they name and nothing else', async () => {
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

test('a client follows through a restart: no event is lost or sent twice', async () => {
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
  await site.stop();
  await site.start({ protocolVersion: 'v1' });
  const list = await site.getJson('/api/market/open?limit=1');
  assert.deepEqual(Object.keys(list), ['count', 'tasks']);
  assert.match(list.tasks[0].id, /^\d+$/);
  assert.equal((await site.client().open({ limit: 1 })).meta.protocolVersion, 'v2', 'the client asks for v2');
  await site.stop();
  await site.start();
});
