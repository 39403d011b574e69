// Lists, task details, timelines and ledgers, compared with what the chain itself says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskDetail } from '#sdk/actions/parseTaskRecord.ts';
import { isSameAddress } from '#sdk/domain/address.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { disputePhases, nameOf, scopes, taskStates } from '#sdk/domain/state.ts';
import { timelineSchema } from '#sdk/schemas/market.ts';
import { openListSchema, taskListSchema, taskReplySchema } from '#sdk/schemas/task.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { contractsOf, readTasks } from '../support/marketReader.ts';
import { readHistories } from '../support/taskHistory.ts';
import { assertFits } from './fits.ts';
import { chainOf, site } from './site.ts';

type ChainTask = Awaited<ReturnType<typeof readTasks>>[number];

const chainTasks = (market: Market) => readTasks(chainOf(), contractsOf(site.devnet.deployment, market));
const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);
const idsFrom = (market: Market, tasks: readonly ChainTask[]) =>
  tasks.map(({ id }) => `v2:${market}:${id}`).reverse();

for (const market of markets) {
  test(`the open list of ${market} is what the chain calls POSTED and open, newest first`, async () => {
    const list = await site.getJson(`/api/market/open?market=${market}`);
    assertFits(openListSchema, list, 'open');
    const now = site.devnet.clock.now();
    const open = (await chainTasks(market)).filter(
      ({ state, scope, deadline }) =>
        nameOf(taskStates, state) === 'POSTED' && nameOf(scopes, scope) === 'open' && deadline > now,
    );
    assert.ok(open.length > 3);
    assert.deepEqual(idsOf(list.tasks), idsFrom(market, open));
    assert.equal(list.count, open.length);
    assert.deepEqual(list.meta, { protocolVersion: 'v2', asset: 'TOK', market, source: 'chain-rpc' });
    for (const task of list.tasks) {
      const on = open.find(({ id }) => task.id.endsWith(`:${id}`)) as ChainTask;
      assert.equal(task.totalAmountTokWei, String(on.totalAmount));
      assert.equal(task.fundedTokWei, String(on.funded));
      assert.equal(task.releasedTokWei, String(on.released));
      assert.equal(task.registryAddress, site.devnet.deployment.markets[market].taskRegistry);
    }
  });
}

test('the first seven fields of an open task are those of the specification, in its order', async () => {
  const { tasks } = await site.getJson('/api/market/open?limit=1');
  assert.deepEqual(Object.keys(tasks[0]), [
    ...['id', 'market', 'registryAddress', 'state', 'totalAmountTokWei', 'fundedTokWei', 'releasedTokWei'],
    ...['deadline', 'createdAt', 'uri', 'fullyFunded', 'scope'],
  ]);
});

test('every task of both markets is found by its id, with its texts, private ones included', async () => {
  const titles: string[] = [];
  for (const market of markets) {
    for (const history of await readHistories(chainOf(), site.devnet.deployment, market)) {
      const id = `v2:${market}:${history.task.id}`;
      const reply = await site.getJson(`/api/market/task?id=${id}`);
      assertFits(taskReplySchema, reply, id);
      const { task } = reply;
      assert.equal(task.id, id);
      assert.equal(task.state, history.state);
      assert.equal(task.uri, history.uri);
      assert.equal(task.scope, nameOf(scopes, history.task.scope));
      assert.equal(task.title !== undefined, task.scope === 'open');
      assert.equal(task.bound, task.scope === 'open' ? 'document' : 'none');
      assertDelivered(task);
      if (task.scope !== 'open') continue;
      const { title, description, criteria, tags } = task;
      assert.ok(description.length > 60 && criteria.length > 30 && tags.length > 1, id);
      titles.push(title);
    }
  }
  assert.equal(new Set(titles).size, titles.length, 'no title stands twice');
});

test('a wallet’s lists hold exactly the tasks it posted or works on, private ones included', async () => {
  for (const market of markets) {
    const tasks = await chainTasks(market);
    for (const { address } of accounts) {
      for (const [path, role] of [
        ['/api/poster/tasks', 'poster'],
        ['/api/worker/tasks', 'worker'],
      ] as const) {
        const list = await site.getJson(`${path}?address=${address.toLowerCase()}&market=${market}`);
        assertFits(taskListSchema, list, path);
        const own = tasks.filter((task) => isSameAddress(task[role], address));
        assert.deepEqual(idsOf(list.tasks), idsFrom(market, own), `${role} ${address} on ${market}`);
      }
    }
  }
});

test('a timeline returns the same events as the chain’s own logs, and its pages join without gaps', async () => {
  for (const history of await readHistories(chainOf(), site.devnet.deployment, 'standard')) {
    const id = `v2:standard:${history.task.id}`;
    const timeline = await site.getJson(`/api/market/timeline?id=${id}`);
    assertFits(timelineSchema, timeline, id);
    const told = timeline.events.filter(({ contract }: { contract: string }) =>
      ['taskRegistry', 'disputeCourt'].includes(contract),
    );
    assert.deepEqual(
      told.map(({ name }: { name: string }) => name),
      history.events,
      id,
    );
    const states = told.filter(({ name }: { name: string }) => name === 'TaskState');
    const shown = states.map(({ args }: { args: { state: string } }) => args.state);
    assert.deepEqual(shown, history.trail);
  }
  const whole = await site.getJson('/api/market/timeline?id=v2:standard:3');
  const joined: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = await site.getJson(`/api/market/timeline?id=v2:standard:3&limit=4${query}`);
    joined.push(...page.events);
    cursor = page.nextCursor;
  }
  assert.deepEqual(joined, whole.events);
});

test('the arguments of an event are names, times and amounts as in the task itself', async () => {
  const phases = new Set<unknown>();
  for (const market of markets) {
    const { tasks } = await site.getJson(`/api/market/recent?market=${market}`);
    for (const { id } of tasks) {
      const { task } = await site.getJson(`/api/market/task?id=${id}`);
      const { events } = await site.getJson(`/api/market/timeline?id=${id}&limit=100`);
      const find = (wanted: string) => events.findLast(({ name }: { name: string }) => name === wanted)?.args;
      const posted = find('TaskPosted');
      for (const name of ['scope', 'reviewPeriod']) assert.deepEqual(posted[name], task[name], id);
      const { deadline = posted.deadline } = find('DeadlineMoved') ?? {};
      assert.equal(typeof deadline, 'number', id);
      const { phase, phaseEnds } = find('DisputeCreated') ?? { phase: 'NONE', phaseEnds: 0 };
      assert.ok(disputePhases.includes(phase), `${id}: ${phase}`);
      assert.equal(typeof phaseEnds, 'number', id);
      if (task.dispute?.phase === phase) assert.equal(phaseEnds, task.dispute.phaseEndsAt, id);
      phases.add(phase);
    }
  }
  assert.ok(phases.size > 1);
});

/** The seeded market has a real delivery wherever there should be one. */
function assertDelivered({ id, scope, state, deliveries }: TaskDetail): void {
  if (state === 'DELIVERED' || state === 'DISPUTED') assert.notEqual(deliveries.length, 0, id);
  for (const { document, documentState, proofHash } of deliveries) {
    assert.match(proofHash, /^0x[0-9a-f]{64}$/);
    assert.equal(documentState, scope === 'open' ? 'verified' : 'unavailable', id);
    if (scope === 'open') assert.ok(document !== null && document.note.length > 40, id);
  }
}
