// What only logs tell of each task, for an audit: read once from the first block on, and on as the chain moves on.

import type { BlockRef, ChainEvent, Task, TaskFacts } from '@svc/sdk/domain';
import { formatTaskId, readFacts, SvcError } from '@svc/sdk/domain';
import type { createChainSource } from '#indexer/source.ts';

const largestRange = 2_000n;

export function createFactsReader(source: ReturnType<typeof createChainSource>) {
  const events = new Map<string, ChainEvent[]>();
  let next = source.startBlock;
  let parent: BlockRef['hash'] | null = null;
  let size = largestRange;

  /** After a fork below what was read all of it is read again. */
  function startOver(): never {
    events.clear();
    next = source.startBlock;
    parent = null;
    throw new SvcError('CHAIN_CHANGED', {});
  }

  async function readTo(block: BlockRef): Promise<void> {
    while (next <= block.number) {
      const last = next + size - 1n;
      const to = last >= block.number ? block : await source.readBlock(last);
      if (to === null) throw new SvcError('CHAIN_CHANGED', {});
      const range = await source.readEvents(next, to).catch((error: unknown) => {
        if (!(error instanceof SvcError && error.code === 'CHAIN_REFUSED') || size === 1n) throw error;
        size = (size + 1n) / 2n;
        return null;
      });
      if (range === null) continue;
      if (parent !== null && range.parentHash !== parent) startOver();
      for (const event of range.events) {
        if (event.taskNumber === null) continue;
        const id = formatTaskId({ market: event.market, number: event.taskNumber });
        events.set(id, [...(events.get(id) ?? []), event]);
      }
      parent = to.hash;
      next = to.number + 1n;
    }
  }

  return async (block: BlockRef): Promise<(task: Task) => TaskFacts> => {
    await readTo(block);
    return (task) => {
      const own = events.get(formatTaskId(task)) ?? [];
      return readFacts(own.filter(({ blockNumber }) => blockNumber <= block.number));
    };
  };
}
