// A provider that answers eth_call wrongly for a while: the rows are compared again, and healed without a restart.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { ChainEvent } from '#sdk/domain/event.ts';
import { indexOf, scopes, taskStates } from '#sdk/domain/state.ts';
import type { Task } from '#sdk/domain/task.ts';
import type { ChainSource, EventRange } from '#service/chain/source.ts';
import { OperatorError } from '#service/errors/operatorError.ts';
import { type Confirmed, type ConfirmOptions, recentBlocks } from '#service/indexer/confirm.ts';
import type { BlockRef } from '#service/store/chainRow.ts';
import type { Database } from '#service/store/database.ts';
import { encodeTask } from '#service/store/taskRow.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, buildTask, createFakeChain, type FakeChain } from '../support/indexer/fakeChain.ts';
import { catchUpBackwards as catchUp, loadRows, showTasks } from '../support/indexer/rows.ts';
import {
  type BackwardFollower as RunningFollower,
  type BackwardOptions as RunningOptions,
  startBackwardFollower as startFollower,
} from '../support/indexer/runningBackwards.ts';
import { until } from '../support/until.ts';

const post = { kind: 'post', market: 'standard', poster: 1 } as const;
const posts = Array.from({ length: 20 }, () => post);
const claim = { kind: 'claim', market: 'standard', task: 3 } as const;
/** So rarely that in a test only doubt leads to a comparison. */
const periodMs = 3_600_000;

/** Twenty posts, all of them older than what counts as recent. */
function createOldChain(): FakeChain {
  const chain = createFakeChain();
  chain.mine(posts);
  chain.mine([claim]);
  for (let blocks = 0; blocks <= recentBlocks; blocks++) chain.mine();
  return chain;
}

/** Changes what tasks look like as long as `forge` is set; null denies them. */
function createForger(source: ChainSource) {
  const forger = { source, forge: (task: Task): Task | null => task };
  forger.source = {
    ...source,
    readTasks: async (...asked) =>
      (await source.readTasks(...asked)).map((task) => forger.forge(task)).filter((task) => task !== null),
  };
  return forger;
}

async function storedTasks(database: Database): Promise<string[]> {
  return (await loadRows(database))?.tasks.map(({ task }) => String(task)) ?? [];
}

const isTrue = async (database: Database, chain: FakeChain) => {
  const wanted = chain.tasks().map(encodeTask).sort();
  return JSON.stringify((await storedTasks(database)).sort()) === JSON.stringify(wanted);
};

/** Until the answer is called, nothing becomes due that is not due yet. */
function holdClock({ mock }: TestContext): () => void {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  return () => mock.timers.reset();
}

onBothDatabases(({ create, once }) => {
  async function start(context: TestContext, more: Partial<RunningOptions>) {
    const database = await create();
    const chain = createFakeChain();
    chain.mine(posts);
    const forger = createForger(chain.source);
    const follower = startFollower({ source: forger.source, database, ...more });
    context.after(follower.stop);
    await until(() => isTrue(database, chain));
    return { database, chain, forger, follower };
  }
  const truth = (task: Task) => task;
  const lie = (task: Task): Task => ({ ...task, released: task.released + 17n });

  /** Twenty of forty rows are lies that are not compared yet. */
  async function startLying(context: TestContext) {
    const started = await start(context, { confirm: { settleMs: 300, periodMs } });
    const { database, chain, forger, follower } = started;
    const endLie = holdClock(context);
    forger.forge = lie;
    chain.mine(posts);
    follower.wake();
    await until(async () => (await storedTasks(database)).length === 40);
    return {
      ...started,
      endLie: () => {
        forger.forge = truth;
        endLie();
      },
    };
  }

  test('rows that were written while a provider lied are corrected soon after, announced as changes, and counted', async (context) => {
    const { database, chain, follower, endLie } = await startLying(context);
    endLie();
    await until(() => isTrue(database, chain));
    const corrected = () => follower.events.flatMap((event) => ('corrected' in event ? event.corrected : []));
    await until(() => corrected().length >= 20);
    const [told] = await database.query<{ count: number }>(
      "SELECT COUNT(*) AS count FROM changes WHERE market = 'standard' AND task_number = 21",
    );
    assert.ok(Number(told?.count) >= 2);
  });

  test('a provider that denies tasks takes no row away, and rows that are missing come back', async (context) => {
    const confirm = { settleMs: 300, periodMs: 1_000 };
    const { database, chain, forger, follower } = await start(context, { confirm });
    const rechecks = () => follower.events.filter(({ kind }) => kind === 'confirmed' || kind === 'corrected');
    // Nothing is compared before the head is reached.
    await until(() => rechecks().length > 0);
    forger.forge = (task) => (task.number % 2n === 0n ? null : task);
    chain.mine([{ ...claim, task: 2 }]);
    follower.wake();
    const before = rechecks().length;
    await until(() => follower.countOf('failed') > 1 && rechecks().length > before + 2);
    assert.equal((await storedTasks(database)).length, 20);
    forger.forge = truth;
    await until(() => isTrue(database, chain));
    await database.chain.write('DELETE FROM tasks WHERE number IN (4, 20)');
    await until(() => isTrue(database, chain));
  });

  once('a first reading asks another provider where one denies a task, and goes on', async () => {
    const [database, chain] = [await create(), createFakeChain()];
    chain.mine(posts);
    const forger = createForger(chain.source);
    forger.forge = (task) => (task.number === 7n ? null : task);
    const blamed: Error[] = [];
    const blame = (error: Error) => {
      blamed.push(error);
      forger.forge = truth;
    };
    await catchUp({ ...forger.source, blame }, database);
    assert.ok(await isTrue(database, chain));
    assert.equal(blamed.length, 1);
  });

  once('a row that was missing before a long step stops no step, and comes back', async () => {
    const database = await create();
    const chain = createFakeChain({ provenBlocks: 0 });
    chain.mine(posts);
    await catchUp(chain.source, database);
    await database.chain.write('DELETE FROM tasks WHERE number = 20');
    chain.mine([claim]);
    await catchUp(chain.source, database);
    assert.ok(await isTrue(database, chain));
  });

  once('a row too many before a long step stops no step, and goes', async () => {
    const database = await create();
    const chain = createFakeChain({ provenBlocks: 0 });
    chain.mine(posts);
    const tasks = [...chain.tasks(), buildTask('standard', 21n, 1, 1_000)];
    await showTasks(database, tasks, {
      head: chain.head(),
      startBlock: 0n,
      seenAt: 0,
    });
    chain.mine([claim]);
    await catchUp(chain.source, database);
    assert.ok(await isTrue(database, chain));
  });

  test('a clock that was ahead for a while postpones no comparison', async (context) => {
    const { database, chain, endLie } = await startLying(context);
    let recheck: string | null | undefined;
    await until(async () => {
      const [row] = await database.query<{ recheck: string | null }>('SELECT recheck FROM chain');
      recheck = row?.recheck;
      return recheck != null;
    });
    const later = recheck?.replace(/"dueAt":(\d+)/g, (_, at) => `"dueAt":${Number(at) + 7_200_000}`) ?? '';
    await database.chain.write('UPDATE chain SET recheck = $1', [later]);
    endLie();
    await until(() => isTrue(database, chain));
  });

  once('rows that were read again while a provider lied are corrected', async (context) => {
    const confirm = { settleMs: 600, periodMs };
    const { database, chain, forger, follower } = await start(context, { confirm });
    await until(() => countOf(follower, 'isRound') > 0);
    chain.mine([claim]);
    follower.wake();
    await until(() => isTrue(database, chain));
    let goOn = holdClock(context);
    forger.forge = lie;
    // The new branch has no event of this task.
    chain.revert(1);
    chain.mine();
    chain.mine();
    follower.wake();
    const head = (await chain.source.readHead()).hash;
    await until(async () => (await loadRows(database))?.head?.headHash === head);
    forger.forge = truth;
    assert.equal(await isTrue(database, chain), false);
    goOn();
    await until(() => isTrue(database, chain));

    const other = await create();
    goOn = holdClock(context);
    forger.forge = lie;
    const fresh = startFollower({ source: forger.source, database: other, confirm });
    context.after(fresh.stop);
    await until(async () => (await storedTasks(other)).length === 20);
    forger.forge = truth;
    assert.equal(await isTrue(other, chain), false);
    goOn();
    await until(() => isTrue(other, chain));
  });

  /** Follows with events as `change` makes them. */
  async function followEvents(
    context: TestContext,
    chain: FakeChain,
    change: (read: EventRange, to: BlockRef, from: bigint) => EventRange,
    confirm: ConfirmOptions,
  ) {
    const database = await create();
    const readEvents: ChainSource['readEvents'] = async (from, to) =>
      change(await chain.source.readEvents(from, to), to, from);
    const follower = startFollower({ source: { ...chain.source, readEvents }, database, confirm });
    context.after(follower.stop);
    const read = async () => (await loadRows(database))?.events ?? [];
    return { database, follower, read, all: chain.events().length };
  }

  const delay = (read: EventRange, seconds: number): EventRange => ({
    ...read,
    events: read.events.map((event) => ({ ...event, blockTime: event.blockTime + seconds })),
  });

  once('events stay while a provider leaves out the logs of many blocks', async (context) => {
    const chain = createFakeChain();
    for (let blocks = 0; blocks < 20; blocks++) chain.mine([post]);
    let lies: number | null = null;
    const leaveOut = (read: EventRange, to: BlockRef) => {
      if (lies === null) return read;
      lies++;
      if (read.isProven) throw new OperatorError('CHAIN_LOGS_MISSING', { block: String(to.number) });
      return { ...read, events: [] };
    };
    const { read, all } = await followEvents(context, chain, leaveOut, { settleMs: 500, periodMs });
    await until(async () => (await read()).length === all);
    lies = 0;
    await until(() => (lies ?? 0) >= 4);
    assert.equal((await read()).length, all);
  });

  test('a log that a provider left out of old blocks is found within the period', async (context) => {
    const chain = createOldChain();
    let isLying = true;
    const isOther = ({ blockNumber }: ChainEvent) => blockNumber !== 2n;
    const leaveOut = (read: EventRange) =>
      isLying && !read.isProven ? { ...read, events: read.events.filter(isOther) } : read;
    const confirm = { settleMs: 100, periodMs: 1_000 };
    const { follower, read, all } = await followEvents(context, chain, leaveOut, confirm);
    await until(async () => (await read()).length === chain.events().filter(isOther).length);
    isLying = false;
    await until(async () => (await read()).length === all);
    // The rows are written before the follower says so.
    await until(() => follower.countOf('corrected') > 0);
    const corrected = follower.events.flatMap((event) => ('corrected' in event ? event.corrected : []));
    assert.deepEqual(corrected, [{ market: 'standard', number: 3n }]);
  });

  for (const isPart of [false, true]) {
    const which = isPart
      ? 'old blocks of which a liar had corrected only some are'
      : 'an old block that a liar had corrected is';
    once(`${which} compared again soon`, async (context) => {
      const chain = createOldChain();
      let isLying = false;
      let isOver = false;
      const forge = (event: ChainEvent) => ({ ...event, args: { ...event.args, uri: 'forged' } });
      const change = (read: EventRange, to: BlockRef, from: bigint) => {
        // The stretch in which that was found is not read again.
        if (isPart && isOver && from <= 2n && to.number > 10n)
          throw new OperatorError('CHAIN_LOGS_MISSING', { block: String(to.number) });
        // The second answer about the other block is true.
        const isTold = isLying && !(isPart && to.number === 2n);
        return isTold ? { ...read, events: read.events.map(forge) } : read;
      };
      const confirm = { settleMs: 1_000, periodMs };
      const { read, all } = await followEvents(context, chain, change, confirm);
      const isForged = async () => JSON.stringify(await read()).includes('forged');
      await until(async () => (await read()).length === all);
      isLying = true;
      await until(isForged);
      [isLying, isOver] = [false, true];
      await until(async () => !(await isForged()));
    });
  }

  once('wrong times are corrected while answers take long and blocks keep coming', async (context) => {
    const chain = createFakeChain({ provenBlocks: 32 });
    let lateBy = 0;
    // With each thirteenth answer there is a block more, as where 150 ms pass before an answer and 2 s before a block.
    let answers = Number.NEGATIVE_INFINITY;
    const answered = () => ++answers % 13 === 0 && chain.mine();
    const { readHead, readBlock, readTasks } = chain.source;
    Object.assign(chain.source, {
      readHead: () => readHead().finally(answered),
      readBlock: (number: bigint) => readBlock(number).finally(answered),
      readTasks: (...asked: Parameters<typeof readTasks>) => readTasks(...asked).finally(answered),
    });
    chain.mine(posts);
    const change = (read: EventRange) => delay(read, lateBy);
    const confirm = { settleMs: 1_000, periodMs };
    const { follower, read } = await followEvents(context, chain, change, confirm);
    const isWhole = async () => (await read()).length === chain.events().length;
    await until(isWhole);
    lateBy = 3_600;
    for (let blocks = 0; blocks < 60; blocks++) chain.mine([post]);
    follower.wake();
    await until(isWhole);
    lateBy = 0;
    answers = 0;
    const times = chain.events().map(({ blockTime }) => blockTime);
    await until(async () =>
      isDeepStrictEqual(
        (await read()).map(({ blockTime }) => blockTime),
        times,
      ),
    );
    await until(() => countOf(follower, 'isRecent') > 0);
  });

  once('the newest blocks are compared first, also where older ones cannot be read', async (context) => {
    const chain = createFakeChain();
    for (let blocks = 0; blocks < 2 * recentBlocks; blocks++) chain.mine();
    let lateBy = 0;
    let oldest = 0n;
    const change = (read: EventRange, _: BlockRef, from: bigint) => {
      if (from < oldest) throw new OperatorError('CHAIN_LOGS_MISSING', { block: String(from) });
      return delay(read, lateBy);
    };
    const confirm = { settleMs: 1_000, periodMs };
    const { follower, read } = await followEvents(context, chain, change, confirm);

    const isNewestRight = async () => (await read()).at(-1)?.blockTime === chain.events().at(-1)?.blockTime;
    // The first wrong block makes older ones likely, and their turn comes before the second.
    await until(() => countOf(follower, 'isRecent') > 0);
    oldest = BigInt(recentBlocks);
    for (const _ of [1, 2]) {
      lateBy = 3_600;
      chain.mine([post]);
      follower.wake();
      await until(async () => (await read()).length === chain.events().length);
      assert.equal(await isNewestRight(), false);
      lateBy = 0;
      await until(isNewestRight);
    }
  });

  once('what cannot be compared stops nothing else', async (context) => {
    const { follower, state } = await followBroken(context, { settleMs: 300, periodMs: 1_000 });
    state.isBroken = () => true;
    await until(() => state.failures > 1);
    const rounds = countOf(follower, 'isRound');
    await until(() => countOf(follower, 'isRound') > rounds + 1);
  });

  once('a doubtful block that cannot be read is left to the period after a while', async (context) => {
    const confirm = { settleMs: 1_000, periodMs };
    const { database, follower, state } = await followBroken(context, confirm);
    await until(() => countOf(follower, 'isRound') > 0);
    const recent = countOf(follower, 'isRecent');
    await until(() => countOf(follower, 'isRecent') > recent);
    state.isBroken = ({ number }) => number === 1n;
    const doubt = `"doubtful":[{"first":1,"last":1,"until":${Date.now() + periodMs}}]`;
    const [row] = await database.query<{ recheck: string }>('SELECT recheck FROM chain');
    await database.chain.write('UPDATE chain SET recheck = $1', [
      row?.recheck.replace(/"doubtful":\[.*?\]/, doubt) ?? '',
    ]);
    await until(() => state.failures > 0);
    const before = countOf(follower, 'isRecent');
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    await until(() => {
      context.mock.timers.tick(60_000);
      return countOf(follower, 'isRecent') > before;
    });
  });

  /** Follows many blocks, of which no recent one has an event, with a provider that can be broken. */
  async function followBroken(context: TestContext, confirm: ConfirmOptions) {
    const chain = createOldChain();
    const state = { failures: 0, isBroken: (_: BlockRef) => false };
    const change = (read: EventRange, to: BlockRef) => {
      if (!state.isBroken(to)) return read;
      state.failures++;
      throw new OperatorError('CHAIN_LOGS_MISSING', { block: String(to.number) });
    };
    const following = await followEvents(context, chain, change, confirm);
    await until(() => countOf(following.follower, 'isRecent') > 0);
    return { ...following, state };
  }

  const countOf = ({ events }: RunningFollower, what: 'isRound' | 'isRecent') =>
    events.filter((event) => what in event && (event as Confirmed)[what]).length;

  once('rows stay as they are while the provider contradicts itself', async (context) => {
    const { database, chain, forger, follower } = await start(context, {
      confirm: { settleMs: 3_600_000, periodMs: 1 },
    });
    let answers = 0;
    forger.forge = (task) => ({ ...task, released: task.released + BigInt(++answers) });
    await until(() => answers > 200);
    assert.equal(follower.countOf('corrected'), 0);
    assert.ok(await isTrue(database, chain));
  });

  for (const isCompared of [true, false]) {
    const what = isCompared ? 'are not asked for' : 'are all asked for where no row is compared later';
    const run = isCompared ? test : once;
    run(`many untouched posts ${what}`, async (context) => {
      const database = await create();
      // Where every state is read, logs that lie do no harm.
      const chain = createPostLogs(isCompared ? 0 : 1);
      chain.postMany(400);
      const confirm = { settleMs: 3_600_000, periodMs: isCompared ? periodMs : 0 };
      const follower = startFollower({ source: chain.source, database, confirm });
      context.after(follower.stop);
      await until(() => isTrue(database, chain));
      chain.postMany(400);
      follower.wake();
      await until(() => isTrue(database, chain));
      assert.equal(chain.tasks().length, 800);
      assert.equal(chain.asked.size, isCompared ? 60 : 800);
    });
  }
});

/** As the contracts do, logs say all there is to know of a task when it is posted; here with deadlines that are too late. */
function createPostLogs(secondsTooLate: number) {
  const chain = createFakeChain();
  const asked = new Set<bigint>();
  const registryAddress = addressOf(1);
  const asPosted = (task: Task): Task => ({ ...task, funded: 0n, registryAddress });
  const tasks = () => chain.tasks().map(asPosted);

  function listLogs(posted: ChainEvent): ChainEvent[] {
    const task = tasks().find(({ number }) => number === posted.taskNumber) as Task;
    const { poster, reviewPeriod, criteriaHash, totalAmount, deadline } = task;
    const args = {
      ...posted.args,
      poster,
      reviewPeriod,
      criteriaHash,
      totalAmount: String(totalAmount),
      milestones: [],
      scope: indexOf(scopes, task.scope),
      deadline: String(deadline + secondsTooLate),
    };
    const state = { taskId: String(task.number), state: indexOf(taskStates, 'POSTED') };
    const at = 2 * posted.logIndex;
    return [
      { ...posted, args, logIndex: at },
      { ...posted, name: 'TaskState', args: state, logIndex: at + 1 },
    ];
  }

  const source: ChainSource = {
    ...chain.source,
    readTasks: async (market, numbers, blockHash) => {
      for (const number of numbers) asked.add(number);
      return (await chain.source.readTasks(market, numbers, blockHash)).map(asPosted);
    },
    readEvents: async (from, to) => {
      const range = await chain.source.readEvents(from, to);
      return { ...range, events: range.events.flatMap(listLogs) };
    },
  };
  const postMany = (count: number) => chain.mine(Array.from({ length: count }, () => post));
  return { ...chain, source, tasks, asked, postMany };
}
