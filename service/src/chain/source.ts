// What the indexer reads from the chain: blocks, events and tasks of one deployment.

import { setImmediate } from 'node:timers/promises';
import type { Deployment, Rpc } from '@svc/sdk/chain';
import type { Market, Task } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { readTaskCounts, readTasks } from '@svc/sdk/internal/chain/readTasks';
import {
  type Block,
  blockAt,
  finalBlock,
  latestBlock,
  logsBetween,
  type RawLog,
} from '@svc/sdk/internal/chain/rpcRequests';
import { retry } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { type ChainEvent, inChainOrder } from '@svc/sdk/internal/domain/event';
import { type Hex, numberToHex } from 'viem';
import type { BlockRef, Head } from '../store/chainRow.ts';
import { createTimeCheck } from './blockTimes.ts';
import { createLogCheck, createTailCheck, readWholeList } from './completeness.ts';
import { createLogDecoder } from './decodeLog.ts';

/** Up to this many blocks, each header proves whether the list of logs is complete. */
const provenBlocks = 32n;

/** A few milliseconds of work; other requests of this process run in between. */
const decodedAtOnce = 200;

/**
 * Nodes behind one address differ in their newest block. A block that one of them does not have yet is asked for again, for
 * about a second at most.
 */
const lag = {
  attempts: 7,
  firstMs: 50,
  longestMs: 400,
  shouldRetry: (error: unknown) => isErrorOf(error, 'CHAIN_CHANGED') && error.cause !== fork,
};
const fork = new Error('another block at the same height');

/** How often one reading of the head asks, where the answers are older than a block that was seen. */
const headAttempts = 4;

export type SourceBlock = Head & { readonly parentHash: Hex };

export type EventRange = {
  /** In chain order. */
  readonly events: readonly ChainEvent[];
  /** The hash of the block before the first one of the range. */
  readonly parentHash: Hex;
  /** Whether the header of every block proves that its logs are complete. */
  readonly isProven: boolean;
};

export type BlockRange = Pick<EventRange, 'events' | 'parentHash'> & {
  /** Every block, oldest first. */
  readonly blocks: readonly BlockRef[];
  readonly end: Head;
};

/** `clock` says how far ahead its blocks may be. */
export function createChainSource(rpc: Rpc, deployment: Deployment, clock?: () => number) {
  const decoder = createLogDecoder(deployment);
  const checkLogs = createLogCheck(rpc, decoder.addresses);
  const checkTail = createTailCheck(rpc, decoder.addresses);
  const times = createTimeCheck(rpc, clock);

  let highest = 0n;
  const seen = (block: Block): Block => {
    if (block.number > highest) highest = block.number;
    return block;
  };

  /**
   * The newest block. An older one than was seen is asked for again at once: a node that lags may answer the first question
   * of every poll, and another node the second one.
   */
  async function readHead(): Promise<Block> {
    let head = await rpc.ask(latestBlock());
    for (let attempt = 1; head.number < highest && attempt < headAttempts; attempt++) {
      const other = await rpc.ask(latestBlock());
      if (other.number > head.number) head = other;
    }
    return seen(head);
  }

  /** Null when the chain is not that long. A block below the highest one that was seen may be missing at one node only. */
  async function readBlock(number: bigint): Promise<Block | null> {
    const read = async () => {
      const block = await rpc.ask(blockAt(number));
      if (block !== null) return seen(block);
      if (number <= highest) throw missing();
      return null;
    };
    return await retry(read, lag).catch((error: unknown) => {
      if (lag.shouldRetry(error)) return null;
      throw error;
    });
  }

  /** Headers by number: of all blocks where they are few, else of the first and the last one. */
  async function readRange(from: bigint, to: { readonly number: bigint; readonly hash: Hex | null }) {
    const isShort = to.number - from < provenBlocks;
    const numbers = isShort ? numbersBetween(from, to.number) : [from, to.number];
    const [logs, ...blocks] = await rpc.askAll([
      logsBetween(decoder.addresses, from, to.number),
      ...numbers.map(blockAt),
    ]);
    const headers = indexBlocks(blocks);
    const [first, end] = [headers.get(from), headers.get(to.number)];
    const isEnd = to.hash === null || end?.hash === to.hash;
    const isChain = isEnd && (!isShort || isLinked(headers, from, to.number));
    if (first === undefined || end === undefined || !isChain) throw forked();
    return { logs, headers, isShort, ends: { first, end } };
  }

  /** The time of each block that has logs; throws where a log is of another block with that number. */
  async function readTimes(
    logs: readonly RawLog[],
    headers: Map<bigint, Block>,
  ): Promise<Map<bigint, number>> {
    const times = new Map<bigint, number>();
    const unknown = new Set<bigint>();
    for (const { blockNumber, blockTime } of logs) {
      if (blockTime !== null) times.set(blockNumber, blockTime);
      else if (!headers.has(blockNumber)) unknown.add(blockNumber);
    }
    const more = await retry(async () => indexBlocks(await rpc.askAll([...unknown].map(blockAt))), lag);
    for (const block of [...headers.values(), ...more.values()]) {
      headers.set(block.number, block);
      times.set(block.number, block.time);
    }
    for (const { blockNumber, blockHash } of logs) {
      const header = headers.get(blockNumber);
      if (header !== undefined && header.hash !== blockHash) throw forked();
    }
    return times;
  }

  function decode(log: RawLog, time: number): ChainEvent | null {
    try {
      return decoder.decode(log, time);
    } catch (error) {
      rpc.blame(error as Error);
      throw error;
    }
  }

  /** In chain order, each once. */
  async function decodeAll(
    logs: readonly RawLog[],
    known: ReadonlyMap<bigint, number>,
  ): Promise<ChainEvent[]> {
    const events = new Map<string, ChainEvent>();
    for (const [at, log] of logs.entries()) {
      if (at % decodedAtOnce === decodedAtOnce - 1) await setImmediate();
      const event = decode(log, timeOf(log, known));
      if (event !== null) events.set(`${log.blockNumber}:${log.logIndex}`, event);
    }
    return [...events.values()].sort(inChainOrder);
  }

  async function proveComplete(logs: readonly RawLog[], headers: Map<bigint, Block>): Promise<void> {
    const byBlock = Map.groupBy(logs, ({ blockNumber }) => blockNumber);
    for (const block of headers.values())
      await retry(() => checkLogs(block, byBlock.get(block.number) ?? []), lag);
  }

  return {
    startBlock: BigInt(deployment.startBlock),
    /** How many blocks can be read at once with proof that their logs are complete. */
    provenBlocks,
    readHead: readHead as () => Promise<SourceBlock>,
    readBlock: readBlock as (number: bigint) => Promise<SourceBlock | null>,

    /**
     * After a fork: the chain may end at `tip` now, or anywhere where none is given. Its identity is checked again before the
     * next answer counts.
     */
    distrust: (tip?: BlockRef): void => {
      highest = tip?.number ?? 0n;
      rpc.distrust();
    },
    /** Reports an answer that cannot be true: the next question goes to another endpoint, if there is one. */
    blame: rpc.blame,

    /**
     * All events of both markets in these blocks. Throws CHAIN_CHANGED where the chain does not lead to `to`. `onLinked`
     * receives the hash of the block before them, long before they are checked and decoded.
     */
    async readEvents(
      from: bigint,
      to: BlockRef & Partial<Head>,
      onLinked?: (parentHash: Hex) => void,
    ): Promise<EventRange> {
      const { logs, headers, isShort, ends } = await retry(() => readRange(from, to), lag);
      const { parentHash } = ends.first;
      onLinked?.(parentHash);
      const known = await readTimes(logs, headers);
      await times.checkClock(ends.end);
      times.checkOrder(known, logs, { ...ends, earlierTime: to.time });
      await proveComplete(logs, headers);
      if (!isShort) await retry(() => checkTail(logs, to.number), lag);
      return {
        events: await decodeAll(logs, known),
        parentHash,
        isProven: isShort,
      };
    },

    /** All events of a short range of blocks, each of which is linked to the one before and proves that no log is missing. */
    async readBlocks(from: bigint, to: bigint): Promise<BlockRange> {
      const { logs, headers, ends } = await retry(() => readRange(from, { number: to, hash: null }), lag);
      const known = await readTimes(logs, headers);
      await times.checkClock(ends.end);
      times.checkOrder(known, logs, ends);
      await proveComplete(logs, headers);
      const blocks = numbersBetween(from, to).map((number) => headers.get(number) as Block);
      return {
        events: await decodeAll(logs, known),
        parentHash: ends.first.parentHash,
        blocks: blocks.map(({ number, hash }) => ({ number, hash })),
        end: { number: to, hash: ends.end.hash, time: ends.end.time },
      };
    },

    /**
     * All events of both markets in these blocks. Nothing proves that none is missing. A `hash` is that of the last block, which
     * the node must have.
     */
    async readRange(from: bigint, to: bigint, hash?: Hex): Promise<ChainEvent[]> {
      const logs = await retry(() => readWholeList(rpc, decoder.addresses, { from, to, hash }), lag);
      const known = await readTimes(logs, new Map());
      times.checkLogs(known, logs);
      return decodeAll(logs, known);
    },

    /** The events of one task in these blocks, found by its number: a second answer to the same question. */
    async readTaskEvents(market: Market, number: bigint, from: bigint, to: bigint): Promise<ChainEvent[]> {
      const topics = [null, numberToHex(number, { size: 32 })];
      const logs = await rpc.ask(logsBetween(decoder.addresses, from, to, topics));
      const events = await decodeAll(logs, await readTimes(logs, new Map()));
      return events.filter((event) => event.market === market && event.taskNumber === number);
    },

    /** The newest block that the chain calls final; null where it names none. */
    async readFinal(): Promise<bigint | null> {
      const found = await rpc.ask(finalBlock()).catch(() => null);
      return found?.number ?? null;
    },

    /** The tasks that exist at that block, in the order of `numbers`. Throws where the chain no longer has the block. */
    readTasks: (market: Market, numbers: readonly bigint[], blockHash: Hex): Promise<Task[]> =>
      retry(() => readTasks(rpc, deployment, market, numbers, blockHash), lag),

    readTaskCounts: (blockHash: Hex): Promise<Record<Market, bigint>> =>
      retry(() => readTaskCounts(rpc, deployment, blockHash), lag),
  };
}

export type ChainSource = ReturnType<typeof createChainSource>;

function numbersBetween(from: bigint, to: bigint): bigint[] {
  return Array.from({ length: Number(to - from) + 1 }, (_, offset) => from + BigInt(offset));
}

function indexBlocks(blocks: readonly (Block | null)[]): Map<bigint, Block> {
  return new Map(
    blocks.map((block) => {
      if (block === null) throw missing();
      return [block.number, block];
    }),
  );
}

function isLinked(headers: ReadonlyMap<bigint, Block>, from: bigint, to: bigint): boolean {
  return numbersBetween(from + 1n, to).every(
    (number) => headers.get(number)?.parentHash === headers.get(number - 1n)?.hash,
  );
}

function timeOf({ blockNumber }: RawLog, times: ReadonlyMap<bigint, number>): number {
  const time = times.get(blockNumber);
  if (time === undefined) throw forked();
  return time;
}

/** A node does not have a block: it lags, or the block is gone. */
function missing(): SvcError {
  return new SvcError('CHAIN_CHANGED', {});
}

function forked(): SvcError {
  return new SvcError('CHAIN_CHANGED', {}, fork);
}
