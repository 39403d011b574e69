// Finds the exits that are open now, from the chain alone: after its first read a keeper knows them all.
import type { MarketContracts, Rpc } from '@svc/sdk/chain';
import { type Market, markets } from '@svc/sdk/domain';
import { readTaskCounts, readTasks } from '@svc/sdk/internal/chain/readTasks';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { type Exit, findExit } from './exit.ts';
import { createReadSchedule } from './schedule.ts';

export type View = {
  readonly block: bigint;
  readonly time: number;
  /** How many tasks of both markets were read. */
  readonly read: number;
  readonly exits: readonly Exit[];
};

type WatchOptions = {
  readonly rpc: Rpc;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  /** How often all open tasks are read: an exit may open earlier than expected, for example after a claim. */
  readonly sweepMs: number;
};

const pageSize = 100;

/** Returns a function that reads the chain. After a failed or stopped read, the next one catches up. */
export function createWatch({
  rpc,
  contracts,
  sweepMs,
}: WatchOptions): (signal?: AbortSignal) => Promise<View> {
  const schedules = { standard: createReadSchedule(), micro: createReadSchedule() };
  const place = { marketLens: contracts.standard.marketLens, markets: contracts };
  let sweptAt = Number.NEGATIVE_INFINITY;

  return async (signal) => {
    const { hash, number, time } = await rpc.ask(latestBlock());
    const counts = await readTaskCounts(rpc, place, hash);
    const isSweep = performance.now() - sweptAt >= sweepMs;
    const exits: Exit[] = [];
    let read = 0;
    for (const market of markets) {
      const due = schedules[market].listDue(counts[market], time, isSweep);
      for (let at = 0; at < due.length; at += pageSize) {
        signal?.throwIfAborted();
        const tasks = await readTasks(rpc, place, market, due.slice(at, at + pageSize), hash);
        read += tasks.length;
        for (const task of tasks) {
          const exit = findExit(task, contracts[market]);
          schedules[market].note(task, exit?.from ?? null, time);
          if (exit !== null && exit.from <= time) exits.push(exit);
        }
      }
    }
    if (isSweep) sweptAt = performance.now();
    return { block: number, time, read, exits };
  };
}
