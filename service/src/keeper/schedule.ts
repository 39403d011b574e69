// When the keeper reads a task, and when it tries an exit.
import type { Task } from '@svc/sdk/domain';
import { backoffMs } from '@svc/sdk/internal/domain/backoff';

/** After this time no fork is expected to undo the end of a task. */
const finalSeconds = 3_600;

/** For one market: which tasks are open, and when each must be read again. */
export function createReadSchedule() {
  const open = new Map<bigint, number>();
  let known = 0n;
  return {
    /** The tasks to read in a market with this many: new ones, those whose time has come, or all open ones. */
    listDue: (count: bigint, time: number, isSweep: boolean): bigint[] => {
      // A fork may have removed tasks; others will get their numbers.
      for (const number of open.keys()) if (number > count) open.delete(number);
      if (known > count) known = count;
      const due = [...open].filter(([, from]) => isSweep || from <= time).map(([number]) => number);
      for (let number = known + 1n; number <= count; number++) due.push(number);
      return due;
    },
    /** `from` is when the exit opens; null for a task that has ended. */
    note: ({ number, updatedAt }: Task, from: number | null, time: number): void => {
      if (number > known) known = number;
      if (from === null && time - updatedAt > finalSeconds) open.delete(number);
      else open.set(number, from ?? Number.POSITIVE_INFINITY);
    },
  };
}

const afterFailure = { firstMs: 2_000, longestMs: 300_000 };

type NextTry = { readonly failures: number; readonly notBefore: number };

/**
 * Spreads the first tries of several keepers, and waits longer after each failure. `delayMs` is the longest random delay
 * before the first try.
 */
export function createTrySchedule(delayMs: number, now = () => performance.now(), random = Math.random) {
  let tries = new Map<string, NextTry>();
  const begin = (): NextTry => ({ failures: 0, notBefore: now() + delayMs * random() });
  return {
    /** The open phases to try now. Phases that are gone are forgotten. */
    choose: <Entry extends { readonly phase: string }>(open: readonly Entry[]): Entry[] => {
      tries = new Map(open.map(({ phase }) => [phase, tries.get(phase) ?? begin()]));
      return open.filter(({ phase }) => (tries.get(phase) as NextTry).notBefore <= now());
    },
    noteFailure: (phase: string): void => {
      const failures = tries.get(phase)?.failures ?? 0;
      const notBefore = now() + backoffMs(failures, { ...afterFailure, random });
      tries.set(phase, { failures: failures + 1, notBefore });
    },
  };
}
