// Fills a store with many tasks: the first ones through the store, the others as copies of their rows.

import { DatabaseSync } from 'node:sqlite';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { type Hex, keccak256, numberToHex } from 'viem';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { type Address, addressKey, parseAddress } from '#sdk/domain/address.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import type { ChainEvent } from '#sdk/domain/event.ts';
import { indexOf, scopes, type TaskState } from '#sdk/domain/state.ts';
import type { Task } from '#sdk/domain/task.ts';
import type { Head } from '#service/store/chainRow.ts';
import type { Database } from '#service/store/database.ts';
import { migrate } from '#service/store/migrate.ts';
import { createForwardStore } from '#service/store/reading.ts';
import { createSqliteDatabase, placeSqlite } from '#service/store/sqlite.ts';
import { type Chain, documents } from './chain.ts';

const day = 86_400;

/** Of eight tasks, two can be claimed, three are in progress and three have ended. */
const states: readonly TaskState[] = [
  'POSTED',
  'COMPLETED',
  'CLAIMED',
  'COMPLETED',
  'POSTED',
  'ACTIVE',
  'CANCELLED',
  'DELIVERED',
];

const addresses = Array.from(
  { length: 5_000 },
  (_, at): Address => parseAddress(keccak256(numberToHex(at)).slice(0, 42)),
);

/** A wallet with a tenth of all tasks, and one with a single task. */
export const wallets = {
  many: parseAddress('0x000000000000000000000000000000000000aaaa'),
  one: parseAddress('0x000000000000000000000000000000000000bbbb'),
};

function posterOf(number: number): Address {
  if (number === 7) return wallets.one;
  return number % 10 === 0 ? wallets.many : pick(addresses, number * 7);
}

function pick<Value>(values: readonly Value[], at: number): Value {
  return values[at % values.length] as Value;
}

export function buildStoredTask(deployment: Deployment, number: number, { time }: Head): Task {
  const state = pick(states, number);
  const isTaken = state !== 'POSTED' && state !== 'CANCELLED';
  const totalAmount = parseTok(String(500 + (number % 97) * 25));
  const createdAt = time - day - (number % (20 * day));
  return {
    market: 'standard',
    number: BigInt(number),
    registryAddress: deployment.markets.standard.taskRegistry,
    poster: posterOf(number),
    worker: isTaken ? pick(addresses, number * 11 + 1) : null,
    state,
    scope: 'open',
    milestones: [totalAmount],
    milestone: 0,
    round: 0,
    reviewPeriod: 3 * day,
    deadline: time + day + ((number * 61) % (60 * day)),
    createdAt,
    updatedAt: createdAt + (isTaken ? 3_600 : 0),
    dismissAt: null,
    noticeAnswered: false,
    totalAmount,
    funded: totalAmount,
    released: state === 'COMPLETED' ? totalAmount : 0n,
    refunded: state === 'CANCELLED' ? totalAmount : 0n,
    fees: 0n,
    criteriaHash: pick(documents, number).criteriaHash,
    settlementDigest: isTaken ? hashOf(number) : null,
    dispute: null,
  };
}

/** The events of the task: the post, which contains the texts, and the claim. */
export function buildStoredEvents(task: Task, { number: blockNumber, hash: blockHash }: Head): ChainEvent[] {
  const number = Number(task.number);
  const common = {
    market: task.market,
    contract: 'taskRegistry',
    address: task.registryAddress,
    taskNumber: task.number,
    blockNumber,
    blockHash,
    txHash: hashOf(number),
  } as const;
  const posted: ChainEvent = {
    ...common,
    name: 'TaskPosted',
    blockTime: task.createdAt,
    logIndex: 2 * number,
    args: {
      taskId: String(number),
      poster: task.poster,
      scope: indexOf(scopes, task.scope),
      totalAmount: String(task.totalAmount),
      deadline: String(task.deadline),
      reviewPeriod: task.reviewPeriod,
      criteriaHash: task.criteriaHash,
      milestones: [],
      uri: pick(documents, number).uri,
    },
  };
  if (task.worker === null || task.settlementDigest === null) return [posted];
  const args = {
    taskId: String(number),
    worker: task.worker,
    round: 0,
    settlementDigest: task.settlementDigest,
  };
  const claimed: ChainEvent = {
    ...common,
    name: 'TaskClaimed',
    blockTime: task.updatedAt,
    logIndex: 2 * number + 1,
    args,
  };
  return [posted, claimed];
}

/** Unique and as long as a hash. Hashing a million times takes minutes. */
function hashOf(number: number): Hex {
  return numberToHex(number, { size: 32 });
}

/** Tasks written one by one. Encoding a million would take longer than all measurements. */
const written = 10_000;
/** Batch size. SQLite calls are synchronous, so the process handles signals only between two batches. */
const tasksAtOnce = 1_000;

/**
 * Stores tasks `from` to `to`, which do not exist on the chain. The rows carry the newest block of the
 * chain, so a site serves them and follows the chain from there. The chain must not mine meanwhile.
 */
export async function fillStore(
  chain: Chain,
  dataDir: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  if (to > written && to % written !== 0) throw new RangeError(`${to} is not a multiple of ${written}`);
  const database = createSqliteDatabase(dataDir);
  try {
    await migrate(database);
    const head = await chain.readHead();
    await writeTasks(chain, database, head, { from, to: Math.min(to, written) });
  } finally {
    await database.close();
  }
  if (to > written) await copyTasks(placeSqlite(dataDir).chain, { from: Math.max(written, from - 1), to });
}

async function writeTasks(
  { deployment }: Chain,
  database: Database,
  head: Head,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const store = createForwardStore(database, () => head.time);
  if ((await store.loadShown()) === null) {
    await store.beginReading(BigInt(deployment.startBlock));
    const reading = await store.loadReading();
    if (reading === null) throw new Error('the store has not begun');
    const range = { fork: null, events: [], kept: [], keepFrom: 0n, target: head.number };
    await store.saveRange({ reading, end: head, ...range });
    await store.finishReading({ ...reading, end: head }, head, { standard: 0n, micro: 0n });
  }
  const shown = await store.loadShown();
  if (shown === null) throw new Error('the store shows nothing');
  for (let first = from; first <= to; first += tasksAtOnce) {
    await yieldToEvents();
    const length = Math.min(tasksAtOnce, to - first + 1);
    const tasks = Array.from({ length }, (_, at) => buildStoredTask(deployment, first + at, head));
    await store.saveBlocks({
      base: head.hash,
      fork: null,
      events: tasks.flatMap((task) => buildStoredEvents(task, head)),
      tasks,
      gone: [],
      head,
      kept: [],
      keepFrom: 0n,
    });
  }
}

/** Numbers are bound to SQLite as floats, which would show in the texts. */
const shift = 'CAST($1 AS INTEGER)';

const copyRows = `INSERT INTO tasks (market, number, state, scope, poster, worker, deadline, created_at,
    total_key, fully_funded, task, facts)
  SELECT market, number + ${shift}, state, scope, poster, worker, deadline, created_at, total_key,
    fully_funded, replace(task, '"number":"' || number || '"', '"number":"' || (number + ${shift}) || '"'), facts
  FROM tasks WHERE market = 'standard' AND number BETWEEN 1 AND $2`;

/** Each task has two logs. */
const copyEvents = `INSERT INTO events (block_number, log_index, block_hash, block_time, tx_hash, market,
    contract, address, name, task_number, args)
  SELECT block_number, log_index + 2 * ${shift}, block_hash, block_time, tx_hash, market,
    contract, address, name, task_number + ${shift},
    replace(args, '"taskId":"' || task_number || '"', '"taskId":"' || (task_number + ${shift}) || '"')
  FROM events WHERE market = 'standard' AND task_number BETWEEN 1 AND $2`;

const copyConcerns = `INSERT INTO concerns (market, number, wallet, starts, ends, part, due, roles)
  SELECT market, number + ${shift}, wallet, starts, ends, part, due, roles
  FROM concerns WHERE market = 'standard' AND number BETWEEN 1 AND $2 AND wallet <> '${addressKey(wallets.one)}'`;

/**
 * Copies the first tasks until there are `to`. Without the indexes meanwhile, and without waiting for the disk: a million rows
 * that are sorted into a dozen indexes one by one take most of an hour.
 */
async function copyTasks(path: string, { from, to }: { from: number; to: number }): Promise<void> {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
    const indexes = database
      .prepare(
        `SELECT name, sql FROM sqlite_master
         WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('tasks', 'events', 'concerns')`,
      )
      .all() as { name: string; sql: string }[];
    for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
    for (const copy of [copyRows, copyEvents, copyConcerns]) {
      const statement = database.prepare(copy.replace(/\$(\d)/g, '?$1'));
      for (let offset = from; offset < to; offset += written) {
        await yieldToEvents();
        statement.run(offset, written);
      }
    }
    for (const { sql } of indexes) {
      await yieldToEvents();
      database.exec(sql);
    }
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}
