// Whatever a chain does, forks of any depth included, and whenever the follower looks: in the end its rows are those
// of a fresh read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SvcError } from '#sdk/domain/errors.ts';
import { markets } from '#sdk/domain/market.ts';
import type { Task } from '#sdk/domain/task.ts';
import { formatTaskId } from '#sdk/domain/taskId.ts';
import { createAdvance } from '#service/indexer/advance.ts';
import type { ChainSource } from '#service/indexer/source.ts';
import { loadShown } from '#service/store/chainRow.ts';
import type { Database } from '#service/store/database.ts';
import { createProjectionStore } from '#service/store/projection.ts';
import { createTaskStore } from '#service/store/tasks.ts';
import { onSqlite } from '../support/databases.ts';
import { type ChainStep, createFakeChain, type FakeChain } from '../support/indexer/fakeChain.ts';
import { catchUp, loadRows, readFresh } from '../support/indexer/rows.ts';

/** What the chain, or the follower, does next. */
type Move =
  | { readonly kind: 'mine'; readonly blocks: readonly (readonly ChainStep[])[] }
  | { readonly kind: 'fork'; readonly depth: number; readonly blocks: readonly (readonly ChainStep[])[] }
  | { readonly kind: 'head' | 'background' };

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
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('head' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('background' as const) }) },
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
/** Where no block can be proven, the follower compares the state that logs do not contain. */
const proven = fc.integer({ min: 0, max: 2 });
/** Everything is always due to be compared again. */
const confirm = { settleMs: 0, periodMs: 1 };

test('after random blocks and forks the rows are those of a fresh read', async () => {
  await fc.assert(
    fc.asyncProperty(moves, range, proven, async (made: Move[], maxRange: number, provenBlocks: number) => {
      await openBoth();
      const chain = createFakeChain({ maxRange, provenBlocks });
      const store = createProjectionStore(followed, () => 0);
      const advance = createAdvance({
        source: chain.source,
        store,
        patienceMs: 0,
        pastMs: 0,
        onEvent: () => {},
        confirm,
      });
      const client = createClient();
      for (const move of made) {
        play(chain, move);
        if (move.kind === 'head') await advance.head();
        if (move.kind === 'head') await client.poll();
        // It may come before the head has heard of a fork.
        if (move.kind !== 'background') continue;
        await advance.background().catch(expectChange);
        await advance.recheck().catch(expectChange);
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
      const store = createProjectionStore(followed, () => 0);
      const advance = createAdvance({
        source: restless,
        store,
        patienceMs: 0,
        onEvent: () => {},
        confirm,
      });
      for (let turn = 0; turn < made.length && pending.length > 0; turn++) {
        await advance.head().catch(expectChange);
        await advance.background().catch(expectChange);
        await advance.recheck().catch(expectChange);
      }
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
    readEvents: first(source.readEvents),
    readTasks: first(source.readTasks),
    readTaskCounts: first(source.readTaskCounts),
  };
}
