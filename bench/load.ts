// The load generator as the measurements see it: a process that is told what to ask for.
import type { LoadOrder, LoadResult } from './loadProcess.ts';
import { nextMessage, startNode, stopProcess } from './processes.ts';

export type { Target } from './loadProcess.ts';

export type Load = {
  /** Throws where an answer was not what it should be: then the figures would mean nothing. */
  readonly run: (order: LoadOrder) => Promise<LoadResult>;
  readonly close: () => Promise<void>;
};

export function createLoad(): Load {
  const child = startNode('bench/loadProcess.ts', { place: 'load' });
  return {
    run: async (order) => {
      const answer = nextMessage<LoadResult>(child);
      child.send(order);
      const result = await answer;
      if (result.error !== undefined) throw new Error(`${order.path}: ${result.error}`);
      return result;
    },
    close: () => stopProcess(child),
  };
}
