// Filters, order and search of lists, with a plain filter over the same tasks as the oracle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import type { ChainEvent } from '#sdk/domain/event.ts';
import { listTaskWords, readSearch, type SearchTerm, tagKey } from '#sdk/domain/searchWords.ts';
import { taskStates } from '#sdk/domain/state.ts';
import { isFullyFunded, type Task } from '#sdk/domain/task.ts';
import { listSorts } from '#sdk/schemas/listQueries.ts';
import { hideWithheld } from '#service/market/withholding.ts';
import type { Head } from '#service/store/chainRow.ts';
import type { Database } from '#service/store/database.ts';
import { type FoundTasks, findTasks, type TaskSearch } from '#service/store/findTasks.ts';
import { createForwardStore } from '#service/store/reading.ts';
import { createTaskStore } from '#service/store/tasks.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, buildTask } from '../support/indexer/fakeChain.ts';
import { createFollowedChain, showTasks } from '../support/indexer/rows.ts';
import { createRandom, type Random } from '../support/replay/random.ts';

const hasWords = (words: ReadonlySet<string>, terms: readonly SearchTerm[]) =>
  terms.every(({ word, isPrefix }) =>
    [...words].some((known) => known === word || (isPrefix && known.startsWith(word))),
  );

const recent = { list: 'recent', market: 'standard', after: null } as const;
const now = 2_000;

type Entry = { readonly task: Task; readonly words: Parameters<typeof buildTaskDocument>[0] };

const hashOf = (block: number): Hex => `0x${block.toString(16).padStart(64, '0')}`;
const headAt = (block: number): Head => ({ number: BigInt(block), hash: hashOf(block), time: block });

/** Saves tasks with their documents, as the follower does for a block. */
async function saveBlock(
  database: Database,
  block: number,
  entries: readonly Entry[],
  fork: bigint | null = null,
): Promise<void> {
  const store = createForwardStore(database, () => 77);
  const shown = await store.loadShown();
  const events = entries.map(({ task, words }, at): ChainEvent => {
    const { uri } = buildTaskDocument(words);
    return {
      blockNumber: BigInt(block),
      blockHash: hashOf(block),
      blockTime: block,
      logIndex: at,
      txHash: hashOf(block),
      market: task.market,
      contract: 'taskRegistry',
      address: addressOf(10),
      name: 'TaskPosted',
      taskNumber: task.number,
      args: { uri: task.scope === 'private' ? '' : uri },
    };
  });
  const head = headAt(block);
  await store.saveBlocks({
    base: shown?.head.hash ?? '0x',
    fork,
    events,
    tasks: entries.map(({ task }) => task),
    gone: [],
    head,
    kept: [head],
    keepFrom: 0n,
  });
}

async function showMarket(database: Database, entries: readonly Entry[]): Promise<void> {
  const tasks = entries.map(({ task }) => task);
  await showTasks(database, tasks, { head: headAt(9), startBlock: 3n, seenAt: 77 });
  await saveBlock(database, 10, entries);
}

const vocabulary = ['Light', 'lighthouse', 'Ünïcode', '漢字', 'paint', 'strike', '3', 'C++', "o'clock", 'x'];
const someTags = ['illustration', 'C++', 'C', 'Book Cover', 'ünïcode'];

function randomEntry(random: Random, number: number): Entry {
  const some = (values: readonly string[], most: number) =>
    Array.from({ length: random.below(most + 1) }, () => random.pick(values));
  const base = buildTask('standard', BigInt(number), 1 + random.below(3), 1_000, random.below(5) === 0);
  const state = random.pick(taskStates.filter((name) => name !== 'NONE'));
  const amount = random.pick([1n, 90n, 100n, 10n ** 18n, 25n * 10n ** 20n, 10n ** 22n + 1n]);
  const task: Task = {
    ...base,
    state: random.below(2) === 0 ? 'POSTED' : state,
    worker: random.below(2) === 0 ? null : addressOf(1 + random.below(4)),
    deadline: random.pick([1_999, 2_000, 2_500, 3_000, 3_001]),
    totalAmount: amount,
    milestones: [amount],
    funded: random.below(2) === 0 ? amount : 0n,
  };
  const words = {
    title: `A ${some(vocabulary, 3).join(' ')}`,
    description: some(vocabulary, 4).join(', '),
    criteria: 'All of it.',
    tags: [...new Set(some(someTags, 3))],
  };
  return { task, words };
}

function randomSearch(random: Random): TaskSearch {
  const maybe = <T>(make: () => T): T | undefined => (random.below(3) === 0 ? make() : undefined);
  const address = addressOf(1 + random.below(3));
  const words = ['light', 'LIGHTHOUSE', 'lig', 'li', 'unicode', '漢', '3', 'strike paint', 'x'];
  const texts = [...words, 'v2:standard:3', addressOf(2)];
  const kind = random.pick([
    { list: 'open', now } as const,
    { list: 'recent' } as const,
    { list: 'poster', address } as const,
    { list: 'worker', address } as const,
  ]);
  return {
    ...kind,
    market: 'standard',
    limit: 1 + random.below(7),
    sort: random.pick(listSorts.filter((sort) => sort !== 'mixed')),
    after: null,
    filter: {
      states: maybe(() => [random.pick(['POSTED', 'ACTIVE', 'COMPLETED'])]),
      tags: maybe(() => [tagKey(random.pick(['c++', 'C', 'book cover', 'ÜNÏCODE', 'nothing']))]),
      minAmount: maybe(() => random.pick([0n, 91n, 10n ** 18n])),
      maxAmount: maybe(() => random.pick([90n, 10n ** 22n, 10n ** 30n])),
      deadlineBefore: maybe(() => random.pick([2_000, 3_001])),
      fullyFunded: maybe(() => random.below(2) === 0),
      poster: maybe(() => addressOf(1 + random.below(4))),
      terms: maybe(() => readSearch(random.pick(texts))),
    },
  };
}

/** What a list with this filter holds, in its order. */
function filterPlainly(entries: readonly Entry[], search: TaskSearch): number[] {
  const { states, tags = [], minAmount, maxAmount, deadlineBefore, fullyFunded, terms = [] } = search.filter;
  const isListed = ({ scope, state, deadline, poster, worker }: Task) => {
    if (search.list === 'open') return scope === 'open' && state === 'POSTED' && deadline >= search.now;
    if (search.list === 'recent') return scope === 'open';
    return (search.list === 'poster' ? poster : worker) === search.address;
  };
  const fits = ({ task, words }: Entry) => {
    const shown = task.scope === 'private' ? { tags: [] } : words;
    return (
      (states?.includes(task.state) ?? true) &&
      tags.every((tag) => shown.tags.map(tagKey).includes(tag)) &&
      task.totalAmount >= (minAmount ?? 0n) &&
      task.totalAmount <= (maxAmount ?? 10n ** 40n) &&
      task.deadline < (deadlineBefore ?? 9_999) &&
      task.poster === (search.filter.poster ?? task.poster) &&
      isFullyFunded(task) === (fullyFunded ?? isFullyFunded(task)) &&
      hasWords(listTaskWords({ ...task, ...shown }), terms)
    );
  };
  const compare = (left: bigint | number, right: bigint | number) =>
    left < right ? -1 : left > right ? 1 : 0;
  const sign = ['newest', 'highest', 'funded'].includes(search.sort) ? -1 : 1;
  const keyOf = (task: Task) => {
    const { totalAmount, deadline } = task;
    if (search.sort === 'funded') return Number(isFullyFunded(task));
    return search.sort === 'highest' || search.sort === 'lowest'
      ? totalAmount
      : search.sort === 'deadline'
        ? deadline
        : 0;
  };
  return entries
    .filter((entry) => isListed(entry.task) && fits(entry))
    .map(({ task }) => task)
    .sort((left, right) => sign * (compare(keyOf(left), keyOf(right)) || compare(left.number, right.number)))
    .map(({ number }) => Number(number));
}

async function readAll(
  database: Database,
  search: TaskSearch,
  looked?: number,
): Promise<{ numbers: number[]; pages: FoundTasks[] }> {
  const pages: FoundTasks[] = [];
  let { after } = search;
  do {
    const page: FoundTasks = await findTasks(database, { ...search, after }, looked);
    pages.push(page);
    after = page.next;
    assert.ok(pages.length < 200, 'the pages end');
  } while (after !== null);
  return { numbers: pages.flatMap(({ numbers }) => numbers), pages };
}

onBothDatabases(({ create, once }) => {
  async function showRandom(seed: number, count: number) {
    const random = createRandom(seed);
    const database = await create();
    const entries = Array.from({ length: count }, (_, at) => randomEntry(random, at + 1));
    await showMarket(database, entries);
    return { database, random, entries };
  }

  test('random filters and orders find what a plain filter finds, page by page, with the right total', async () => {
    const { database, random, entries } = await showRandom(2_026, 40);
    let found = 0;
    for (let round = 0; round < 40; round++) {
      const search = randomSearch(random);
      const expected = filterPlainly(entries, search);
      const { numbers, pages } = await readAll(database, search);
      const what = JSON.stringify(search, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      assert.deepEqual(numbers, expected, what);
      assert.ok(
        pages.every(({ total }) => total === expected.length),
        what,
      );
      assert.ok(
        pages.slice(0, -1).every((page) => page.numbers.length === search.limit),
        what,
      );
      found += numbers.length;
    }
    assert.ok(found > 70, 'the searches found something');
  });

  test('in the mixed order one wallet has a fifth of a page however much it posts, and its own list has all', async () => {
    const database = await create();
    const words = { title: 'A sign', description: '', criteria: 'All.', tags: ['paint'] };
    const posterOf = (number: number) => (number > 12 ? 1 : 2 + (number % 6));
    const entries = Array.from({ length: 70 }, (_, at) => ({
      task: buildTask('standard', BigInt(at + 1), posterOf(at + 1), 1_000),
      words,
    }));
    await showMarket(database, entries);
    const search = { list: 'recent', market: 'standard', limit: 10, sort: 'mixed', after: null } as const;
    for (const filter of [{}, { tags: ['paint'] }, { terms: readSearch('sign') }]) {
      const { numbers, next, total } = await findTasks(database, { ...search, filter });
      assert.deepEqual(numbers, [70, 69, 12, 11, 10, 9, 8, 7, 6, 5]);
      assert.equal(total, 70);
      const rest = await readAll(database, { ...search, filter, after: next });
      assert.deepEqual(rest.numbers, [4, 3, 2, 1]);
    }
    // Who posts more than a request looks at hides nobody either: the pages go on.
    const { pages } = await readAll(database, { ...search, filter: {} }, 8);
    assert.ok(pages.every(({ numbers }) => numbers.filter((number) => posterOf(number) === 1).length <= 2));
    assert.ok(pages.some(({ numbers }) => numbers.includes(1)));
    const own = { ...search, sort: 'newest', filter: { poster: addressOf(1) } } as const;
    assert.equal((await readAll(database, own)).numbers.length, 58);
  });

  test('a request looks at a limited number of tasks, and its pages still lead to every match', async () => {
    const { database, random, entries } = await showRandom(7, 40);
    for (let round = 0; round < 12; round++) {
      const search = randomSearch(random);
      const isByWords = search.filter.terms !== undefined || search.filter.tags !== undefined;
      // By words, other orders sort the newest matches only.
      if (isByWords && search.sort !== 'newest') continue;
      const { numbers } = await readAll(database, search, 8);
      assert.deepEqual(numbers, filterPlainly(entries, search));
    }
    const all = { ...recent, limit: 5, sort: 'newest', filter: {} } as const;
    assert.equal((await findTasks(database, all, 8)).total, null);
  });

  once('pages stay right while tasks change: what stays is shown once', async () => {
    const { database, random, entries } = await showRandom(11, 30);
    const search = { ...recent, limit: 4, sort: 'highest', filter: {} } as const;
    const before = filterPlainly(entries, search);
    const first = await findTasks(database, search);
    // One that was shown goes down, one that was not shown goes up, and a new one comes.
    const change = (number: number | undefined, task: Partial<Task>): Entry => {
      const entry = entries[Number(number) - 1] as Entry;
      return { ...entry, task: { ...entry.task, ...task } };
    };
    const moved = change(before[0], { totalAmount: 0n, milestones: [0n] });
    const rising = change(before.at(-1), { totalAmount: 10n ** 30n });
    const changed = [moved, rising, randomEntry(random, 31)];
    await saveBlock(database, 11, changed);
    const rest = await readAll(database, { ...search, after: first.next });
    const numbers = [...first.numbers, ...rest.numbers];
    const touched = new Set(changed.map(({ task }) => Number(task.number)));
    const still = (list: readonly number[]) => list.filter((number) => !touched.has(number));
    assert.deepEqual(still(numbers), still(before));
  });

  test('since finds what changed after a block, and everything where changes are not kept', async () => {
    const random = createRandom(5);
    const database = await create();
    const entries = Array.from({ length: 12 }, (_, at) => ({
      ...randomEntry(random, at + 1),
      task: buildTask('standard', BigInt(at + 1), 1, 1_000),
    }));
    await showMarket(database, entries);
    await saveBlock(database, 11, entries.slice(2, 4));
    await saveBlock(database, 12, entries.slice(3, 5));
    const search = { list: 'recent', market: 'standard', limit: 100, sort: 'newest', after: null } as const;
    const since = async (block: number) =>
      (await findTasks(database, { ...search, filter: { since: block } })).numbers;
    assert.deepEqual(await since(12), []);
    assert.deepEqual(await since(11), [5, 4]);
    assert.deepEqual(await since(10), [5, 4, 3]);
    assert.equal((await since(2)).length, 12);
    // A row that was wrong is corrected at the same block.
    await saveBlock(database, 12, entries.slice(0, 1), 11n);
    assert.deepEqual(await since(12), [1]);
    assert.deepEqual(await since(11), [5, 4, 1]);
  });

  test('since finds what was replaced below the block of a client', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    const post = { kind: 'post', market: 'standard', poster: 1 } as const;
    const on = (kind: 'claim' | 'deliver', task: number) => ({ kind, market: 'standard', task }) as const;
    const search = { ...recent, limit: 100, sort: 'newest' } as const;
    const since = async (block: number) =>
      (await findTasks(database, { ...search, filter: { since: block } })).numbers;
    await chain.next([post, post, post]);
    await chain.next([on('claim', 1)]);
    await chain.next([on('claim', 2)]);
    assert.deepEqual(await since(3), []);
    chain.revert(1);
    await chain.next([on('claim', 3)]);
    assert.deepEqual(await since(3), [3, 2], 'another block at the same height');
    await chain.next();
    await chain.next();
    assert.deepEqual(await since(5), [], 'a client of the branch that stays');
    // The new branch is shorter, and goes on later.
    chain.revert(2);
    await chain.next();
    assert.deepEqual(await since(5), []);
    await chain.next([on('deliver', 1)]);
    assert.deepEqual(await since(5), [1]);
    chain.revert(4);
    await chain.next([post]);
    await chain.next([on('claim', 4)]);
    chain.revert(2);
    await chain.next();
    await chain.next();
    assert.deepEqual(await since(3), [3, 2, 1], 'a task is gone: everything');
    const store = createForwardStore(database, () => 77);
    const reading = await store.loadReading();
    assert.ok(reading);
    await store.returnToReading(reading);
    await store.saveFirstTasks(reading, chain.tasks(), 1, () => undefined);
    const { number, hash, time } = chain.head();
    await store.finishReading(reading, { number, hash, time }, { standard: 4n, micro: 0n });
    assert.deepEqual(await since(3), [3, 2, 1], 'all rows are others');
  });

  once('a task whose words are withheld is not found by them', async () => {
    const database = await create();
    const words = { title: 'A lighthouse', description: '', criteria: 'All.', tags: ['paint'] };
    const { hash } = buildTaskDocument(words);
    const task = { ...buildTask('standard', 1n, 1, 1_000), criteriaHash: hash };
    await showMarket(database, [{ task, words }]);
    const tasks = hideWithheld(createTaskStore(database), async () => new Set([hash]));
    const search = { list: 'recent', market: 'standard', limit: 9, sort: 'newest', after: null } as const;
    for (const [filter, count] of [
      [{ terms: readSearch('lighthouse') }, 0],
      [{ tags: ['paint'] }, 0],
      [{}, 1],
    ] as const)
      assert.equal((await tasks.find({ ...search, filter })).tasks.length, count);
  });
});
