// Remembers, for one market, which tasks have not ended and when each has to be looked at again.
import type { Task } from '@svc/sdk/domain';

export type Agenda = {
  /** What has to be read of a market with this many tasks: the new ones, those whose time has come, or all open ones. */
  readonly listWanted: (count: bigint, time: number, isSweep: boolean) => bigint[];
  /** `from` is when the exit opens; null for a task that has ended. */
  readonly note: (task: Task, from: number | null, time: number) => void;
};

/** A task that ended this long ago stays ended: no chain that is worth money goes back so far. */
const finalSeconds = 3_600;

export function createAgenda(): Agenda {
  const open = new Map<bigint, number>();
  let known = 0n;
  return {
    listWanted: (count, time, isSweep) => {
      // A fork may have taken tasks away, and others will get their numbers.
      for (const number of open.keys()) if (number > count) open.delete(number);
      if (known > count) known = count;
      const wanted = [...open].filter(([, from]) => isSweep || from <= time).map(([number]) => number);
      for (let number = known + 1n; number <= count; number++) wanted.push(number);
      return wanted;
    },
    note: ({ number, updatedAt }, from, time) => {
      if (number > known) known = number;
      if (from === null && time - updatedAt > finalSeconds) open.delete(number);
      else open.set(number, from ?? Number.POSITIVE_INFINITY);
    },
  };
}
