// Joins site and chain into what an audit needs.
import { setTimeout as pause } from 'node:timers/promises';
import type { createChainSource } from '#chain/source.ts';
import { SvcError } from '#domain/errors.ts';
import type { BlockRef } from '#domain/follow.ts';
import type { Market } from '#domain/market.ts';
import type { Task } from '#domain/task.ts';
import type { AuditNeeds } from '#service/audit.ts';
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
