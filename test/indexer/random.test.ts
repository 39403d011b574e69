// Whatever a chain does, forks of any depth included, and whenever the follower looks: in the end its rows are those
// of a fresh read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SvcError } from '#sdk/domain/errors.ts';
import { markets } from '#sdk/domain/market.ts';
import type { Task } from '#sdk/domain/task.ts';
import { formatTaskId } from '#sdk/domain/taskId.ts';
import { createFollower, type FollowOptions } from '#service/chain/follow.ts';
import type { ChainSource } from '#service/chain/source.ts';
import { loadShown } from '#service/store/chainRow.ts';
import type { Database } from '#service/store/database.ts';
import { createForwardStore } from '#service/store/reading.ts';
import { createTaskStore } from '#service/store/tasks.ts';
import { onSqlite } from '../support/databases.ts';
import { type ChainStep, createFakeChain, type FakeChain } from '../support/indexer/fakeChain.ts';
import { catchUp, loadRows, readFresh } from '../support/indexer/rows.ts';

/** What the chain, or the follower, does next. */
type Move =
  | { readonly kind: 'mine'; readonly blocks: readonly (readonly ChainStep[])[] }
  | { readonly kind: 'fork'; readonly depth: number; readonly blocks: readonly (readonly ChainStep[])[] }
  | { readonly kind: 'follow' }
  /** No task can be read: a first reading ends before it is whole. */
  | { readonly kind: 'break'; readonly isBroken: boolean };

const market = fc.constantFrom(...markets);

const step: fc.Arbitrary<ChainStep> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      market,
      poster: fc.integer({ min: 1, max: 4 }),
      isPrivate: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('claim', 'deliver', 'complete', 'relist', 'dispute'),
      market,
      task: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

const blocks = fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 6 });

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('fork' as const),
        depth: fc.integer({ min: 1, max: 12 }),
        blocks,
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('follow' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('break' as const), isBroken: fc.boolean() }) },
  ),
  { minLength: 1, maxLength: 30 },
);

/** Only what the chain does; the follower's moves are left to the caller. */
function play(chain: FakeChain, move: Move): void {
  if (move.kind !== 'mine' && move.kind !== 'fork') return;
  if (move.kind === 'fork') chain.revert(move.depth);
  for (const steps of move.blocks) chain.mine(steps);
}

const { create } = onSqlite();
let followed: Database;
let fresh: Database;
/** Each run has a chain of its own, and so databases of its own. */
async function openBoth(): Promise<void> {
  [followed, fresh] = [await create(), await create()];
}

async function assertSameInTheEnd(chain: FakeChain): Promise<void> {
  await catchUp(chain.source, followed);
  const rows = await loadRows(followed);
  assert.deepEqual(rows, await readFresh(chain.source, fresh));
  assert.equal(rows?.tasks.length, chain.tasks().length);
  assert.equal(rows?.events.length, chain.events().length);
}

/** SVC_LONG_TESTS=1 tries more chains. */
const numRuns = process.env.SVC_LONG_TESTS ? 200 : 30;
const range = fc.integer({ min: 1, max: 5 });
/** How many blocks one range of the newest ones has. */
const proven = fc.integer({ min: 1, max: 3 });

const createFollowing = (source: ChainSource, options: Partial<FollowOptions> = {}) =>
  createFollower({
    source,
    store: createForwardStore(followed, () => 0),
    patienceMs: 0,
    onEvent: () => {},
    ...options,
  });

test('after random blocks and forks the rows are those of a fresh read', async () => {
  await fc.assert(
    fc.asyncProperty(moves, range, proven, async (made: Move[], maxRange: number, provenBlocks: number) => {
      await openBoth();
      const chain = createFakeChain({ maxRange, provenBlocks });
      let isBroken = false;
      const readTasks: ChainSource['readTasks'] = async (...asked) => {
        if (isBroken) throw new SvcError('CHAIN_CHANGED', {});
        return chain.source.readTasks(...asked);
      };
      const follower = createFollowing({ ...chain.source, readTasks });
      const client = createClient();
      for (const move of made) {
        play(chain, move);
        if (move.kind === 'break') isBroken = move.isBroken;
        if (move.kind !== 'follow') continue;
        await follower.step().catch(expectChange);
        await client.poll();
      }
      await assertSameInTheEnd(chain);
      await client.poll();
      for (const task of chain.tasks())
        if (task.scope === 'open')
          assert.deepEqual(client.tasks.get(formatTaskId(task)), task, 'a client that asks since its block');
    }),
    { numRuns },
  );
});

test('a chain whose old blocks stay is read in long ranges, and after an absence too', async () => {
  const mined = fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(mined, { maxLength: 12 }),
      range,
      proven,
      async (parts, maxRange, provenBlocks) => {
        await openBoth();
        const chain = createFakeChain({ maxRange, provenBlocks });
        const follower = createFollowing(chain.source, { near: 3n, mostEvents: 12 });
        for (const part of parts) {
          for (const steps of part) chain.mine(steps);
          chain.revert(1);
          chain.mine([]);
          await follower.step();
        }
        await assertSameInTheEnd(chain);
      },
    ),
    { numRuns },
  );
});

/** Has what changed since the block of its last answer. */
function createClient() {
  const store = createTaskStore(followed);
  const tasks = new Map<string, Task>();
  let since: number | undefined;
  async function poll(): Promise<void> {
    const shown = await loadShown(followed);
    if (shown === null) return;
    for (const market of markets) {
      const search = { list: 'recent', market, limit: 100, sort: 'newest', after: null } as const;
      const found = await store.find({ ...search, filter: { since } });
      for (const { task } of found.tasks) tasks.set(formatTaskId(task), task);
    }
    since = Number(shown.head.number);
  }
  return { tasks, poll };
}

test('a chain that moves between any two reads of one step is an error or right, never a mixture', async () => {
  await fc.assert(
    fc.asyncProperty(moves, proven, async (made: Move[], provenBlocks: number) => {
      await openBoth();
      const chain = createFakeChain({ maxRange: 4, provenBlocks });
      const pending = made.filter(({ kind }) => kind === 'mine' || kind === 'fork');
      const restless = movesBeforeEachCall(chain, () => {
        const move = pending.shift();
        if (move !== undefined) play(chain, move);
      });
      const follower = createFollowing(restless);
      for (let turn = 0; turn < made.length && pending.length > 0; turn++)
        await follower.step().catch(expectChange);
      await assertSameInTheEnd(chain);
    }),
    { numRuns },
  );
});

function expectChange(error: unknown): void {
  assert.ok(error instanceof SvcError && error.code === 'CHAIN_CHANGED', String(error));
}

function movesBeforeEachCall({ source }: FakeChain, move: () => void): ChainSource {
  const first = <Params extends unknown[], Result>(read: (...params: Params) => Result) => {
    return (...params: Params): Result => {
      move();
      return read(...params);
    };
  };
  return {
    ...source,
    readHead: first(source.readHead),
    readBlock: first(source.readBlock),
    readBlocks: first(source.readBlocks),
    readRange: first(source.readRange),
    readTasks: first(source.readTasks),
    readTaskCounts: first(source.readTaskCounts),
  };
}
