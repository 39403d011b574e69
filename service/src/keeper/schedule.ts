// When the keeper reads a task, and when it tries an exit.
import type { Task } from '@svc/sdk/domain';
import { backoffMs } from '@svc/sdk/internal/domain/backoff';

/** For one market: which tasks are open, and when each must be read again. */
export type ReadSchedule = {
  /** The tasks to read in a market with this many: new ones, those whose time has come, or all open ones. */
  readonly listDue: (count: bigint, time: number, isSweep: boolean) => bigint[];
  /** `from` is when the exit opens; null for a task that has ended. */
  readonly note: (task: Task, from: number | null, time: number) => void;
};

/** After this time no fork is expected to undo the end of a task. */
const finalSeconds = 3_600;

export function createReadSchedule(): ReadSchedule {
  const open = new Map<bigint, number>();
  let known = 0n;
  return {
    listDue: (count, time, isSweep) => {
      // A fork may have removed tasks; others will get their numbers.
      for (const number of open.keys()) if (number > count) open.delete(number);
      if (known > count) known = count;
      const due = [...open].filter(([, from]) => isSweep || from <= time).map(([number]) => number);
      for (let number = known + 1n; number <= count; number++) due.push(number);
      return due;
    },
    note: ({ number, updatedAt }, from, time) => {
      if (number > known) known = number;
      if (from === null && time - updatedAt > finalSeconds) open.delete(number);
      else open.set(number, from ?? Number.POSITIVE_INFINITY);
    },
  };
}

/** Spreads the first tries of several keepers, and waits longer after each failure. */
export type TrySchedule = {
  /** The open phases to try now. Phases that are gone are forgotten. */
  readonly choose: <Entry extends { readonly phase: string }>(open: readonly Entry[]) => Entry[];
  readonly noteFailure: (phase: string) => void;
};

export type TryScheduleOptions = {
  /** The longest random delay before the first try. */
  readonly delayMs: number;
  readonly now?: () => number;
  readonly random?: () => number;
};

const afterFailure = { firstMs: 2_000, longestMs: 300_000 };

type NextTry = { readonly failures: number; readonly notBefore: number };

export function createTrySchedule({
  delayMs,
  now = () => performance.now(),
  random = Math.random,
}: TryScheduleOptions): TrySchedule {
  let tries = new Map<string, NextTry>();
  const begin = (): NextTry => ({ failures: 0, notBefore: now() + delayMs * random() });
  return {
    choose: (open) => {
      tries = new Map(open.map(({ phase }) => [phase, tries.get(phase) ?? begin()]));
      return open.filter(({ phase }) => (tries.get(phase) as NextTry).notBefore <= now());
    },
    noteFailure: (phase) => {
      const failures = tries.get(phase)?.failures ?? 0;
      const notBefore = now() + backoffMs(failures, { ...afterFailure, random });
      tries.set(phase, { failures: failures + 1, notBefore });
    },
  };
}
