// Filters, order, search and several ids over HTTP, on the seeded market.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUnits } from 'viem';
import { formatTok } from '#sdk/domain/amount.ts';
import { offeredAmount } from '#sdk/domain/task.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { tasksReplySchema } from '#sdk/schemas/task.ts';
import { assertFits } from './fits.ts';
import { site } from './site.ts';

type Listed = {
  readonly id: string;
  readonly state: string;
  readonly poster: string;
  readonly tags?: readonly string[];
  readonly totalAmountTokWei: string;
  readonly releasedTokWei: string;
  readonly deadline: number;
  readonly fullyFunded: boolean;
};

/** By the price of the seeded market: 0.005 USD. */
const inDollars = (amount: bigint) => formatUnits(amount / 200n, 18);

const read = async (path: string) => await site.getJson(path);
const loadAll = async (): Promise<Listed[]> => (await read('/api/market/recent')).tasks;
const idsOf = (tasks: readonly Listed[]) => tasks.map(({ id }) => id);

test('each filter keeps what it says', async () => {
  const all = await loadAll();
  const [some] = all.filter(({ tags = [] }) => tags.length > 0);
  const [tag = ''] = some?.tags ?? [];
  const middle = all.map(offeredAmount).sort((one, other) => (one < other ? -1 : 1))[all.length >> 1] ?? 0n;
  const expected: readonly (readonly [string, (task: Listed) => boolean])[] = [
    ['state=COMPLETED,DISPUTED', ({ state }) => state === 'COMPLETED' || state === 'DISPUTED'],
    [`tag=${encodeURIComponent(tag.toUpperCase())}`, ({ tags = [] }) => tags.includes(tag)],
    [`minAmountTokWei=${middle}`, (task) => offeredAmount(task) >= middle],
    [`maxAmountTokWei=${middle}`, (task) => offeredAmount(task) <= middle],
    [`deadlineBefore=${some?.deadline}`, ({ deadline }) => deadline < (some?.deadline ?? 0)],
    [`minAmountUsd=${inDollars(middle)}`, (task) => offeredAmount(task) >= middle],
    [`maxAmountUsd=${inDollars(middle)}`, (task) => offeredAmount(task) <= middle],
    [`minAmountUsd=${inDollars(middle)}&maxAmountTokWei=${middle}`, (task) => offeredAmount(task) === middle],
    [`poster=${some?.poster.toLowerCase()}`, ({ poster }) => poster === some?.poster],
    ['fullyFunded=false', ({ fullyFunded }) => !fullyFunded],
    [`q=${some?.id}`, ({ id }) => id === some?.id],
  ];
  for (const [query, fits] of expected) {
    const { tasks, total } = await read(`/api/market/recent?${query}`);
    assert.deepEqual(idsOf(tasks), idsOf(all.filter(fits)), query);
    assert.ok(total === tasks.length && total > 0, query);
  }
  const { tasks } = await read(`/api/market/recent?q=${some?.poster}`);
  assert.ok(
    tasks.length > 0 && tasks.every((task: Listed) => JSON.stringify(task).includes(String(some?.poster))),
  );
});

test('a task that is listed again after a paid milestone counts with what is left of it', async () => {
  const all = await loadAll();
  const again = all.filter(({ state, releasedTokWei }) => state === 'POSTED' && releasedTokWei !== '0');
  assert.ok(again.length > 0);
  for (const task of again) {
    const left = offeredAmount(task);
    assert.equal(left, BigInt(task.totalAmountTokWei) - BigInt(task.releasedTokWei));
    const finds = async (query: string) =>
      idsOf((await read(`/api/market/recent?${query}`)).tasks).includes(task.id);
    assert.deepEqual(
      [await finds(`minAmountTokWei=${left}`), await finds(`minAmountTokWei=${left + 1n}`)],
      [true, false],
    );
    assert.deepEqual(
      [await finds(`maxAmountTokWei=${left}`), await finds(`maxAmountTokWei=${left - 1n}`)],
      [true, false],
    );
    const { market } = parseTaskId(task.id);
    const text = await (await site.get(`/api/market/feed?market=${market}`)).text();
    const entry = text.split('<entry>').find((one) => one.includes(`task=${task.id}"`));
    assert.match(entry ?? '', new RegExp(`<summary>${formatTok(left)} TOK, `));
  }
  for (const [sort, sign] of [
    ['highest', -1],
    ['lowest', 1],
  ] as const) {
    const amounts = (await read(`/api/market/recent?sort=${sort}`)).tasks.map(offeredAmount) as bigint[];
    assert.deepEqual(
      amounts,
      amounts.toSorted((one, other) => (one === other ? 0 : one < other ? -sign : sign)),
      sort,
    );
  }
});

test('several ids give several tasks in their order, and the missing ones', async () => {
  const reply = await read('/api/market/tasks?ids=v2:standard:4,v2:standard:999999,v2:standard:3');
  assertFits(tasksReplySchema, reply, 'several');
  assert.deepEqual(idsOf(reply.tasks), ['v2:standard:4', 'v2:standard:3']);
  assert.deepEqual(reply.missing, ['v2:standard:999999']);
  const { task } = await read('/api/market/task?taskId=v2:standard:3&id=v2:standard:3');
  assert.deepEqual(reply.tasks[1], task);
});
