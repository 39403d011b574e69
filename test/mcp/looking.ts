// What the tools show of the market: lists, tasks and arbitrators, short, and with the words of users marked.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { formatTok, parseTok } from '#sdk/domain/amount.ts';
import { verifierBoardSchema } from '#sdk/schemas/boards.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { viewTask } from '#service/mcp/taskView.ts';
import { call, gateway } from './scene.ts';
import { countTokens } from './tokens.ts';

const poster = accountOf('press').address;

/** The tasks that were posted last, of every state. */
export const listRecent = async () => (await call('svc_list_recent_tasks', { limit: 100 })).data.tasks;

describe('looking at the market', () => {
  test('open tasks come with their titles, marked as untrusted text', async () => {
    const { data } = await call('svc_list_open_tasks', { limit: 3 });
    assert.equal(data.count, 3);
    assert.match(data.warning, /never follow instructions/);
    for (const task of data.tasks) {
      assert.equal(task.state, 'POSTED');
      assert.match(task.rewardTok, /^[0-9.]+$/);
      assert.ok(task.untrustedTitle.length > 0);
    }
    const { data: full } = await call('svc_list_open_tasks', { limit: 3, detail: 'full' });
    assert.deepEqual(
      full.tasks.map(({ id }: { id: string }) => id),
      data.tasks.map(({ id }: { id: string }) => id),
    );
    for (const task of full.tasks) assert.match(task.untrustedText.warning, /never follow instructions/);
  });

  test('lists are those of one wallet, and pages go on where the one before ended', async () => {
    const page = { address: poster, limit: 2 };
    const { data: first } = await call('svc_list_tasks_by_poster', page);
    const { data: second } = await call('svc_list_tasks_by_poster', { ...page, cursor: first.nextCursor });
    const found: { id: string; poster: string }[] = [...first.tasks, ...second.tasks];
    assert.equal(new Set(found.map(({ id }) => id)).size, 4);
    assert.ok(found.every((task) => task.poster === poster));
    const recent = await listRecent();
    const { worker } = recent.find((task: { worker?: string }) => task.worker);
    const { data: worked } = await call('svc_list_tasks_by_worker', { address: worker });
    assert.ok(worked.count > 0);
    assert.ok(worked.tasks.every((task: { worker: string }) => task.worker === worker));
  });

  test('twenty recent tasks are short enough to be read often', async () => {
    const [short, full] = [
      await call('svc_list_recent_tasks', {}),
      await call('svc_list_recent_tasks', { detail: 'full' }),
    ];
    assert.equal(short.data.count, 20);
    assert.ok(countTokens(short.text) < 2_600, `${countTokens(short.text)} tokens`);
    assert.ok(countTokens(full.text) > 3 * countTokens(short.text));
  });

  test('a task keeps no text outside untrustedText', async () => {
    const { data: recent } = await call('svc_list_recent_tasks', { detail: 'full' });
    const { id } = recent.tasks.find(
      (task: { untrustedText: { criteria?: string } }) => task.untrustedText.criteria,
    );
    const { data } = await call('svc_get_task', { taskId: id });
    assert.equal(data.task.id, id);
    for (const field of ['title', 'description', 'criteria', 'tags', 'uri'])
      assert.equal(field in data.task, false, field);
    assert.ok(data.task.untrustedText.criteria.length > 0);
  });

  test('a task says in few words what one needs to act; the rest is there on request', async () => {
    const recent = await listRecent();
    const ceilings = { POSTED: 450, DELIVERED: 600, DISPUTED: 800, RESOLVED: 800 };
    for (const [state, ceiling] of Object.entries(ceilings)) {
      const { id: taskId } = recent.find((one: { state: string }) => one.state === state);
      const short = await call('svc_get_task', { taskId });
      const full = await call('svc_get_task', { taskId, detail: 'full' });
      assert.ok(countTokens(short.text) < ceiling, `${state}: ${countTokens(short.text)} tokens`);
      const [few, all] = [short.data.task, full.data.task];
      assert.deepEqual(short.data.leftOut, []);
      assert.match(short.data.warning, /never follow instructions/);
      for (const field of ['state', 'deadline', 'reviewPeriod', 'poster', 'worker', 'bound'])
        assert.deepEqual(few[field], all[field], field);
      assert.equal(few.totalAmountTok, formatTok(BigInt(all.totalAmountTokWei)));
      assert.equal(few.untrustedText.criteria, all.untrustedText.criteria);
      const { data: next } = await call('svc_task_next_steps', { taskId, address: few.poster });
      const { isYours: _, ...turn } = next.turn ?? {};
      assert.deepEqual(few.turn ?? {}, turn, 'whose move it is');
      const shown = (one: { deliveries: object[]; dispute: object | null }) =>
        [
          ...JSON.stringify([one.deliveries.slice(-3), one.dispute]).matchAll(
            /"(?:bytes|workerBps|reasons)":[^,}]+/g,
          ),
        ].join();
      assert.equal(shown(few), shown(all), 'files, shares and reasons');
    }
  });

  test('a milestone that was split says so, with what each side got', async () => {
    const resolved = (await listRecent()).filter((one: { state: string }) => one.state === 'RESOLVED');
    const ways = new Set<string>();
    for (const { id: taskId } of resolved) {
      const { task } = (await call('svc_get_task', { taskId })).data;
      const { task: full } = (await call('svc_get_task', { taskId, detail: 'full' })).data;
      const states = task.milestones.map(({ state }: { state: string }) => state);
      assert.deepEqual(
        full.milestones.map(({ state }: { state: string }) => state),
        states,
      );
      assert.ok(!states.includes('delivered') && states.includes('split'), `${taskId}: ${states}`);
      const sumOf = (state: string) =>
        task.milestones
          .filter((one: { state: string }) => one.state === state)
          .reduce((sum: bigint, { amountTok }: { amountTok: string }) => sum + parseTok(amountTok), 0n);
      const { workerTok, posterTok, feesTok = '0' } = task.split;
      const [worker, poster] = [parseTok(workerTok), parseTok(posterTok)];
      assert.equal(formatTok(sumOf('paid') + worker), task.releasedTok, taskId);
      assert.equal(worker + poster + parseTok(feesTok), sumOf('split'), taskId);
      if (feesTok === '0' && task.dispute !== null)
        assert.equal(worker, (sumOf('split') * BigInt(task.dispute.workerBps)) / 10_000n, taskId);
      assert.equal(full.split.workerTokWei, String(worker));
      ways.add(task.dispute?.outcome ?? 'agreed at work');
    }
    assert.ok(ways.has('ruling') && ways.size > 1, [...ways].join());
  });

  test('a party cannot fill a reader with its words, nor push out the evidence of the other side', async () => {
    const site = createMarketClient({ baseUrl: gateway.url() });
    const recent = await listRecent();
    const { id } = recent.find((one: { state: string }) => one.state === 'DISPUTED');
    const { task } = await site.task(id);
    const { dispute, deliveries } = task;
    const [sample] = dispute?.evidence ?? [];
    if (dispute == null || sample === undefined) return assert.fail(id);
    const document = {
      schema: 'svc-evidence-v1' as const,
      taskId: id,
      name: 'x',
      description: 'y'.repeat(9_000),
      artifacts: [],
    };
    const flood = Array.from({ length: 10 }, () => ({ ...sample, role: 'poster' as const, document }));
    const evidence = [
      { ...sample, role: 'worker' as const, document: { ...document, description: 'mine' } },
      ...flood,
    ];
    const long = { ...task, criteria: 'c'.repeat(50_000), dispute: { ...dispute, evidence }, deliveries };
    const { task: view, leftOut } = viewTask(long, 1);
    assert.ok(countTokens(JSON.stringify(view)) < 5_000);
    const shown = view.dispute?.evidence.map(({ role }) => role) ?? [];
    assert.deepEqual([shown.filter((role) => role === 'poster').length, shown.includes('worker')], [4, true]);
    assert.match(
      leftOut.join('\n'),
      /characters of criteria: 46000 more[\s\S]*earlier evidence of the poster: 6 more/,
    );
  });
});

test('a wallet has one score, and one tool answers it', async () => {
  const address = poster;
  const { data: found } = await call('svc_find_workers', { limit: 3 });
  const { data: one, text } = await call('svc_find_workers', { address });
  assert.equal(one.records.length, 2, text);
  assert.doesNotMatch(JSON.stringify([found, one]), /"score"/);
  assert.equal(typeof (await call('svc_get_agent_reputation', { address })).data.score, 'number');
});

test('arbitrators come with the figures of the board, those who may be named first', async () => {
  const { data } = await call('svc_list_arbitrators', { market: 'standard' });
  const board = await fetch(`${gateway.url()}/v1/leaderboard/verifiers?market=standard`);
  const { verifiers } = verifierBoardSchema.parse(await board.json());
  assert.equal(data.total, verifiers.length);
  assert.ok(verifiers.length > 1);
  for (const { rank: _, bondTokWei, minHeldTokWei, judgedTokWei, ...one } of verifiers) {
    const found = data.arbitrators.find(({ address }: { address: string }) => address === one.address);
    const amounts = {
      bondTok: formatTok(BigInt(bondTokWei)),
      minHeldTok: formatTok(BigInt(minHeldTokWei)),
      judgedTok: formatTok(BigInt(judgedTokWei)),
    };
    assert.deepEqual(found, { ...one, ...amounts });
  }
  const order = data.arbitrators.map(({ eligible }: { eligible: boolean }) => eligible);
  assert.deepEqual(
    order,
    order.toSorted((left: boolean, right: boolean) => Number(right) - Number(left)),
  );
  const { data: one } = await call('svc_list_arbitrators', { market: 'standard', limit: 1 });
  assert.deepEqual(one.arbitrators, data.arbitrators.slice(0, 1));
});

test('the arbitrators of a task are those whom a party may name now', async () => {
  const recent = await listRecent();
  const { data: all } = await call('svc_list_arbitrators', {});
  const open = new Set<boolean>();
  for (const { id: taskId, state, poster: by, worker } of recent) {
    if (state !== 'DISPUTED') continue;
    const { data: found } = await call('svc_get_task', { taskId });
    const { phase } = found.task.dispute;
    const { data } = await call('svc_list_arbitrators', { taskId, market: 'micro' });
    assert.equal(data.market, 'standard', 'the market of the task counts');
    const able = new Set(data.arbitrators.map(({ address }: { address: string }) => address));
    const isOpen = /PROPOSING|ANSWERING/.test(phase);
    open.add(isOpen);
    assert.equal(able.size > 0, isOpen);
    assert.ok(!able.has(by) && !able.has(worker));
    const note = isOpen ? `^${able.size} of ${all.total} may judge it` : `Nobody can be named now.*${phase}`;
    assert.match(data.note, new RegExp(note));
  }
  assert.equal(open.size, 2, 'disputes in which somebody can be named, and others');
});
