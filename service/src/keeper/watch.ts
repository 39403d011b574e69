// Finds the exits that are open now, from the chain alone: a keeper that starts knows all after its first look.
import type { MarketContracts, Rpc } from '@svc/sdk/chain';
import { latestBlock, readTaskCounts, readTasks } from '@svc/sdk/chain';
import { type Market, markets } from '@svc/sdk/domain';
import { createAgenda } from './agenda.ts';
import { type Exit, findExit } from './exit.ts';

export type View = {
  readonly block: bigint;
  readonly time: number;
  /** How many tasks of both markets were read for it. */
  readonly read: number;
  readonly exits: readonly Exit[];
};

export type WatchOptions = {
  readonly rpc: Rpc;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  /** All open tasks are read again this often: an exit may open earlier than it was to, as after a claim. */
  readonly sweepMs: number;
};

const pageSize = 100;

/**
 * Answers a function that looks. One that fails half-way, or is stopped, has only looked in vain: the next look makes up
 * for it.
 */
export function createWatch({
  rpc,
  contracts,
  sweepMs,
}: WatchOptions): (signal?: AbortSignal) => Promise<View> {
  const agendas = { standard: createAgenda(), micro: createAgenda() };
  const place = { marketLens: contracts.standard.marketLens, markets: contracts };
  let sweptAt = Number.NEGATIVE_INFINITY;

  return async (signal) => {
    const { hash, number, time } = await rpc.ask(latestBlock());
    const counts = await readTaskCounts(rpc, place, hash);
    const isSweep = performance.now() - sweptAt >= sweepMs;
    const exits: Exit[] = [];
    let read = 0;
    for (const market of markets) {
      const wanted = agendas[market].listWanted(counts[market], time, isSweep);
      for (let at = 0; at < wanted.length; at += pageSize) {
        signal?.throwIfAborted();
        const tasks = await readTasks(rpc, place, market, wanted.slice(at, at + pageSize), hash);
        read += tasks.length;
        for (const task of tasks) {
          const exit = findExit(task, contracts[market]);
          agendas[market].note(task, exit?.from ?? null, time);
          if (exit !== null && exit.from <= time) exits.push(exit);
        }
      }
    }
    if (isSweep) sweptAt = performance.now();
    return { block: number, time, read, exits };
  };
}
