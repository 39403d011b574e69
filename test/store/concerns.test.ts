// The index of what concerns a wallet: filled with tasks, rewound with forks, read a page at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, addressKey } from '#sdk/domain/address.ts';
import { type ConcernRequest, createConcernLists } from '#service/market/concernLists.ts';
import { createAcquaintances } from '#service/relay/acquaintances.ts';
import { createChangeStore } from '#service/store/changes.ts';
import { createConcernStore } from '#service/store/concerns.ts';
import { consumePage, createCursorStore } from '#service/store/consume.ts';
import { createConversationListStore } from '#service/store/conversationList.ts';
import { createConversationStore } from '#service/store/conversations.ts';
import type { Database } from '#service/store/database.ts';
import { createMoveStore } from '#service/store/moves.ts';
import { createStandingStore } from '#service/store/standing.ts';
import { createTaskStore } from '#service/store/tasks.ts';
import { hashOf, saveMessage } from '../support/conversations.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, type FakeChain, fakeFallback, fakeJudge } from '../support/indexer/fakeChain.ts';
import { createFollowedChain } from '../support/indexer/rows.ts';

type Asked = Partial<ConcernRequest>;

function reader(database: Database, chain: FakeChain, clock: { now: number }) {
  const needs = {
    concerns: createConcernStore(database),
    moves: createMoveStore(database),
    loadWithheld: async () => new Set<string>(),
    now: () => clock.now || chain.head().time,
  };
  return (address = fakeJudge, asked: Asked = {}) =>
    createConcernLists(needs).list({ market: 'standard', address, limit: 50, ...asked });
}

const post = { kind: 'post', market: 'standard', poster: 1, isPrivate: true, title: 'A secret' } as const;
type Kind = Exclude<Parameters<FakeChain['mine']>[0], undefined>[number]['kind'];
const move = (kind: Exclude<Kind, 'post'>, task = 1) => ({ kind, market: 'standard', task }) as const;

onBothDatabases(({ create }) => {
  async function begin() {
    const [database, clock] = [await create(), { now: 0 }];
    const chain = createFollowedChain(database);
    return { ...chain, database, chain, clock, read: reader(database, chain, clock) };
  }

  test('the judge of one private task is listed with its block, and no longer after a fork without it', async () => {
    const { chain, clock, read, next, fork } = await begin();
    chain.mine([post, ...Array.from({ length: 30 }, () => ({ ...post, isPrivate: false }))]);
    chain.mine([move('claim'), move('claim', 2)]);
    await next([move('deliver')]);
    assert.deepEqual((await read()).concerns, []);
    await next([move('dispute')]);
    const [heard] = (await read()).concerns;
    assert.deepEqual([heard?.turn, heard?.phase], ['mine', 'read the evidence']);
    clock.now = chain.head().time + 86_401;
    const { concerns, counts } = await read();
    const titles = (await read(addressOf(1))).concerns.map((one) => `${one.isPrivate} ${one.title}`);
    assert.deepEqual(new Set(titles), new Set(['true null', 'false A secret']));
    assert.deepEqual(counts, { mine: 1, anyone: 0, theirs: 0, nobody: 0 });
    const [found] = concerns;
    assert.deepEqual(
      [found?.taskId, found?.title, found?.roles, found?.turn, found?.actions[0], found?.phase],
      ['v2:standard:1', null, ['arbitrator'], 'mine', 'resolve-dispute', 'rule on the dispute'],
    );
    assert.deepEqual(found?.atStake, [
      { kind: 'milestone', token: 'TOK', amount: '2' },
      { kind: 'disputeBond', token: 'TOK', amount: '0.1' },
      { kind: 'workBond', token: 'USDC', amount: '5' },
    ]);
    await fork();
    assert.deepEqual((await read()).concerns, []);
  });

  test('what a ruling paid is with the finished case of its arbitrator, and goes with a fork', async () => {
    const { chain, read, next, fork, follow } = await begin();
    chain.mine([post, post]);
    for (const kind of ['claim', 'deliver', 'dispute'] as const) chain.mine([move(kind), move(kind, 2)]);
    await follow();
    assert.deepEqual(new Set((await read()).concerns.flatMap(({ moved }) => moved)), new Set());
    await next([move('rule', 2)]);
    const { concerns } = await read();
    assert.deepEqual(
      concerns.map(({ taskId, turn, roles, moved }) => [taskId, turn, roles, moved]),
      [
        ['v2:standard:1', 'mine', ['arbitrator'], []],
        ['v2:standard:2', 'nobody', ['arbitrator'], [{ kind: 'fromDispute', amount: '0.15' }]],
      ],
    );
    assert.deepEqual((await read(addressOf(1))).concerns.at(-1)?.moved, [], 'what others got is not listed');
    await fork();
    assert.deepEqual(
      (await read()).concerns.map(({ turn, moved }) => [turn, moved]),
      [
        ['mine', []],
        ['mine', []],
      ],
    );
  });

  test('an escalated case that the parties settle is finished for the fallback arbitrator with its fee, and goes with a fork', async () => {
    const { chain, read, next, fork, follow } = await begin();
    chain.mine([post]);
    for (const kind of ['claim', 'deliver', 'dispute', 'escalate'] as const) chain.mine([move(kind)]);
    await follow();
    const show = async (wallet: Address) =>
      (await read(wallet)).concerns.map(({ turn, roles, moved }) => [turn, roles, moved]);
    assert.deepEqual(await show(fakeFallback), [['mine', ['arbitrator'], []]]);
    await next([move('settle')]);
    const fee = [{ kind: 'fromDispute', amount: '0.1' }];
    assert.deepEqual(await show(fakeFallback), [['nobody', ['arbitrator'], fee]]);
    assert.deepEqual((await read(fakeFallback)).counts.nobody, 1);
    for (const { poster, worker } of chain.tasks())
      for (const [party, role] of [
        [poster, 'poster'],
        [worker, 'worker'],
      ] as const)
        assert.deepEqual((await show(party ?? addressOf(0)))[0]?.slice(0, 2), ['nobody', [role]]);
    await fork();
    assert.deepEqual(await show(fakeFallback), [['mine', ['arbitrator'], []]]);
  });

  test('pages go on at the second of the first one: own turns first, finished tasks last, none twice', async () => {
    const { chain, clock, read, next } = await begin();
    chain.mine(Array.from({ length: 9 }, () => ({ ...post, isPrivate: false })));
    chain.mine([1, 2, 3, 4, 5].map((task) => move('claim', task)));
    chain.mine([1, 2, 3].map((task) => move('deliver', task)));
    await next([move('complete', 1), move('relist', 4)]);
    clock.now = chain.head().time + 3_500;
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(addressOf(1), {
        limit: 2,
        cursor: cursor ?? undefined,
      });
      seen.push(...page.concerns.map(({ taskId, turn }) => `${turn} ${taskId.split(':')[2]}`));
      cursor = page.nextCursor;
      // The review ends meanwhile; the list does not move under the reader.
      clock.now += 149;
    } while (cursor !== null && seen.length < 20);
    const shown = seen.map((text) => text.split(' ')[0]);
    assert.deepEqual(shown, ['mine', 'mine', ...Array(6).fill('theirs'), 'nobody']);
    assert.equal(new Set(seen).size, 9);
    clock.now = chain.head().time;
    const worker = chain.tasks().find(({ number }) => number === 5n)?.worker ?? addressOf(0);
    assert.deepEqual((await read(worker, { role: 'worker' })).counts, {
      mine: 1,
      anyone: 0,
      theirs: 2,
      nobody: 2,
    });
    assert.deepEqual((await read(addressOf(1), { role: 'arbitrator' })).concerns, []);
  });

  test('who opened a conversation before the two shared a task is known with its change; a dispute is of its parties and judge', async () => {
    const { database, chain, follow, next } = await begin();
    const list = createConversationListStore(database);
    const countedAs = async (wallet: Address) => {
      const rows = await list.load(wallet, { senders: 'unknown', isUnread: false, limit: 9 });
      assert.equal(rows.length, (await list.countUnread(wallet)).unknown);
      return new Set(rows.map(({ opener }) => opener.toLowerCase()));
    };
    let opened = 0;
    const open = (sender: Address, recipient: Address) =>
      saveMessage(database, {
        root: hashOf(++opened),
        sender,
        recipient,
        isAnswer: true,
      });
    const standing = createStandingStore(database, [], () => chain.head().hash);
    const acquaintances = createAcquaintances({
      store: createConversationStore(database),
      loadShared: standing.loadShared,
      tasks: createTaskStore(database),
    });
    const needs = { cursors: createCursorStore(database), changes: createChangeStore(database) };
    const know = async () => {
      while (await consumePage(needs, acquaintances));
    };
    await next([post, { ...post, poster: 2 }]);
    const [poster, other, bystander] = [addressOf(1), addressOf(2), addressOf(77)];
    chain.mine([move('claim')]);
    const worker = addressKey(chain.tasks().find(({ number }) => number === 1n)?.worker as Address);
    for (const sender of [worker, fakeJudge, bystander]) await open(sender, poster);
    await open(worker, other);
    assert.deepEqual(await countedAs(poster), new Set([bystander, fakeJudge, worker]));
    await know();
    assert.deepEqual(await countedAs(poster), new Set([bystander, fakeJudge, worker]), 'of no block yet');
    await follow();
    await know();
    assert.deepEqual(await countedAs(poster), new Set([bystander, fakeJudge]));
    const wallets = [poster, worker, fakeJudge, other, bystander];
    const disputing = async () => {
      const pairs = wallets.flatMap((left, at) =>
        wallets.slice(at + 1).map((right) => [left, right] as const),
      );
      const found = await Promise.all(pairs.map(([left, right]) => standing.isInDispute(right, left)));
      return pairs.filter((_, at) => found[at]);
    };
    await next([move('deliver')]);
    assert.deepEqual(await disputing(), []);
    await next([move('dispute')]);
    assert.deepEqual(await disputing(), [
      [poster, worker],
      [poster, fakeJudge],
      [worker, fakeJudge],
    ]);
    await know();
    assert.deepEqual(await countedAs(poster), new Set([bystander]), 'the judge is known, a bystander is not');
    assert.deepEqual(
      await countedAs(other),
      new Set([worker]),
      'nobody is known to a wallet of another task',
    );
  });
});
