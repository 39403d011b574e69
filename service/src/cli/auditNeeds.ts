// Joins site and chain into what an audit needs.
import { setTimeout as pause } from 'node:timers/promises';
import type { BlockRef, Market, Task } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { createChainSource } from '#indexer/source.ts';
import type { AuditNeeds } from '#market/audit.ts';
import { createFactsReader } from './auditFacts.ts';
import type { createAuditedSite } from './auditSite.ts';

type Source = ReturnType<typeof createChainSource>;

export function buildAuditNeeds(
  site: ReturnType<typeof createAuditedSite>,
  source: Source,
  withHistory: boolean,
): AuditNeeds {
  return {
    ...site,
    readBlock: async (number) => {
      const block = await source.readBlock(number);
      if (block === null) throw new SvcError('CHAIN_CHANGED', {});
      return block;
    },
    readTaskCount: async (market, { hash }) => (await source.readTaskCounts(hash))[market],
    readTasks: (market, from, to, block) => readTasks(source, market, from, to, block),
    readFacts: withHistory ? createFactsReader(source) : null,
    pause,
  };
}

const pageSize = 150n;

async function readTasks(
  source: Source,
  market: Market,
  from: bigint,
  to: bigint,
  { hash }: BlockRef,
): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let first = from; first <= to; first += pageSize) {
    const last = first + pageSize - 1n < to ? first + pageSize - 1n : to;
    const numbers = Array.from({ length: Number(last - first) + 1 }, (_, at) => first + BigInt(at));
    tasks.push(...(await source.readTasks(market, numbers, hash)));
  }
  return tasks;
}
