// All that readers can get of the rows, in one value, to be compared with what it should be.

import assert from 'node:assert/strict';
import type { Hex } from 'viem';
import { type Market, markets } from '#sdk/domain/market.ts';
import type { Task } from '#sdk/domain/task.ts';
import { createFollower, type FollowOptions } from '#service/chain/follow.ts';
import type { ChainSource } from '#service/chain/source.ts';
import type { Head } from '#service/store/chainRow.ts';
import type { Database, Row } from '#service/store/database.ts';
import { createForwardStore } from '#service/store/reading.ts';
import { encodeTask } from '#service/store/taskRow.ts';
import { createFakeChain, type FakeChainOptions } from './fakeChain.ts';

export type Rows = {
  readonly head: Row | undefined;
  readonly tasks: readonly Row[];
  readonly events: readonly Row[];
  readonly moves: readonly Row[];
  readonly concerns: readonly Row[];
  readonly collateral: readonly Row[];
  readonly purchases: readonly Row[];
};

/** Null while nothing is shown. Rows of one moment, although a follower may be writing meanwhile. */
export async function loadRows(database: Database): Promise<Rows | null> {
  for (;;) {
    const before = await loadHead(database);
    if (before === null) return null;
    const rows = await loadTables(database);
    const after = await loadHead(database);
    if (JSON.stringify(after) === JSON.stringify(before)) return { head: before, ...rows };
  }
}

async function loadHead(database: Database): Promise<Row | null> {
  const [row] = await database.query<Row>(
    'SELECT head_number, head_hash, head_time FROM chain WHERE is_whole = 1',
  );
  return row === undefined ? null : { ...row };
}

async function loadTables(database: Database): Promise<Omit<Rows, 'head'>> {
  const rowsOf = async (columns: string, table: string, order: string) =>
    (await database.query(`SELECT ${columns} FROM ${table} ORDER BY ${order}`)).map((row) => ({ ...row }));
  return {
    tasks: await rowsOf(
      'market, number, state, scope, poster, worker, deadline, task, facts',
      'tasks',
      'market, number',
    ),
    events: await rowsOf(
      'block_number, log_index, block_hash, block_time, tx_hash, market, contract, name, task_number, args',
      'events',
      'block_number, log_index',
    ),
    moves: await rowsOf(
      'block_number, task_number, market, account, kind, units, rest',
      'moves',
      'block_number, log_index',
    ),
    concerns: await rowsOf(
      'market, number, wallet, starts, ends, part, due, roles',
      'concerns',
      'market, number, wallet, starts',
    ),
    collateral: await rowsOf(
      'place, market, wallet, block_time, balance, held, since, began, follows, free',
      'collateral',
      'place',
    ),
    purchases: await rowsOf(
      'block_number, log_index, block_time, tx_hash, market, payer, tier, pay_with, daily_limit, period_days',
      'purchases',
      'block_number, log_index',
    ),
  };
}

/** Everything that is shown must be what the chain has at the block that is shown. */
export async function assertShown(rows: Rows | null, truth: ChainSource): Promise<void> {
  if (rows === null) return;
  for (const market of markets) {
    const shown: readonly Row[] = rows.tasks.filter((row) => row.market === market);
    const hash = rows.head?.headHash as Hex;
    assert.equal(BigInt(shown.length), (await truth.readTaskCounts(hash))[market]);
    const numbers = shown.map((row) => BigInt(row.number as number));
    const tasks: readonly Task[] = await truth.readTasks(market, numbers, hash);
    assert.deepEqual(
      shown.map((row) => row.task),
      tasks.map(encodeTask),
    );
  }
}

/** Follows until the head is reached. */
export async function catchUp(
  source: ChainSource,
  database: Database,
  options: Partial<FollowOptions> = {},
): Promise<void> {
  const store = createForwardStore(database, () => 0);
  const follower = createFollower({ source, store, patienceMs: 0, onEvent: () => undefined, ...options });
  while (await follower.step()) {
    // There is more.
  }
}

/** These tasks and no others, as a first start reads them. */
export async function showTasks(
  database: Database,
  tasks: readonly Task[],
  { head, startBlock, seenAt }: { head: Head; startBlock: bigint; seenAt: number },
): Promise<void> {
  const store = createForwardStore(database, () => seenAt);
  const before = await store.loadReading();
  if (before !== null) {
    const rows = await database.query<{ market: Market; number: number }>('SELECT market, number FROM tasks');
    const gone = rows
      .map(({ market, number }) => ({ market, number: BigInt(number) }))
      .filter((key) => !tasks.some(({ market, number }) => key.market === market && key.number === number));
    const { end } = before;
    const step = { base: end.hash ?? '0x', fork: null, events: [], kept: [], keepFrom: 0n };
    await store.saveBlocks({ ...step, tasks, gone, head });
    return;
  }
  await store.beginReading(startBlock);
  const begun = await store.loadReading();
  assert.ok(begun);
  const range = { fork: null, events: [], kept: [], keepFrom: 0n, target: head.number };
  await store.saveRange({ reading: begun, end: head, ...range });
  const reading = { ...begun, end: head };
  await store.saveFirstTasks(reading, tasks, 1, () => undefined);
  const highest = (market: Market) =>
    tasks.reduce((most, task) => (task.market === market && task.number > most ? task.number : most), 0n);
  await store.finishReading(reading, head, { standard: highest('standard'), micro: highest('micro') });
}

/** A chain in memory, and ways to read it into these rows. */
export function createFollowedChain(database: Database, options?: FakeChainOptions) {
  const chain = createFakeChain(options);
  const follow = () => catchUp(chain.source, database);
  const next = async (...steps: Parameters<typeof chain.mine>) => {
    chain.mine(...steps);
    await follow();
  };
  /** Others without an event come in place of the newest block. */
  const fork = async () => {
    chain.revert(1);
    chain.mine();
    await next();
  };
  return { ...chain, follow, next, fork };
}

/** The rows of a first start on this chain, in a separate database. */
export async function readFresh(source: ChainSource, empty: Database): Promise<Rows | null> {
  await catchUp(source, empty);
  return loadRows(empty);
}
