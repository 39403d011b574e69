// What the follower reads of the chain: blocks, events and tasks of one deployment.
import type { ChainEvent } from '#domain/event.ts';
import type { Market } from '#domain/market.ts';
import type { Hash, Task } from '#domain/task.ts';
import { bloomMayHold } from './bloom.ts';
import { createLogDecoder, type RawLog } from './decodeLog.ts';
import { chainIdentity, type Deployment } from './deployment.ts';
import { readTaskCount, readTasks } from './readTasks.ts';
import type { Block, Rpc } from './rpc.ts';

export function createChainSource(rpc: Rpc, deployment: Deployment) {
  const decoder = createLogDecoder(deployment);

  async function readTimes(logs: readonly RawLog[]): Promise<Map<Hash, number>> {
    const times = new Map<Hash, number>();
    for (const { blockNumber, blockTimestamp } of logs) {
      if (blockTimestamp !== undefined) times.set(blockNumber, Number(blockTimestamp));
    }
    // Not every node tells the time with a log.
    const missing = [...new Set(logs.map(({ blockNumber }) => blockNumber))].filter((at) => !times.has(at));
    await Promise.all(
      missing.map(async (at) => {
        const block = await rpc.readBlock(BigInt(at));
        if (block !== null) times.set(at, block.time);
      }),
    );
    return times;
  }

  return {
    identity: chainIdentity(deployment),
    startBlock: BigInt(deployment.startBlock),
    readHead: rpc.readHead,
    readBlock: rpc.readBlock,

    /** All events of both markets in these blocks, in order. */
    async readEvents(from: bigint, to: bigint): Promise<ChainEvent[]> {
      const logs = await rpc.readLogs({ addresses: decoder.addresses, from, to });
      const times = await readTimes(logs);
      return logs
        .map((log) => decoder.decode(log, times.get(log.blockNumber) ?? 0))
        .filter((event) => event !== null)
        .sort(inChainOrder);
    },

    /** Whether the block's own summary speaks of logs of ours: then a list without any is not the whole truth. */
    mayHoldEvents(block: Block): boolean {
      return decoder.addresses.some((address) => bloomMayHold(block.logsBloom, address));
    },

    readTasks: (market: Market, numbers: readonly bigint[], blockHash: Hash): Promise<Task[]> =>
      readTasks(rpc, deployment, market, numbers, blockHash),
    readTaskCount: (market: Market, blockHash: Hash): Promise<bigint> =>
      readTaskCount(rpc, deployment, market, blockHash),
  };
}

function inChainOrder(left: ChainEvent, right: ChainEvent): number {
  return Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex;
}
