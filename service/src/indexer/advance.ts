// The units of work of a follower: one step at the head, and one of what can wait.
import { setImmediate } from 'node:timers/promises';
import { createRange } from '@svc/sdk/chain';
import { fillHistory, type Stretch } from './history.ts';
import type { ChainSource, ProjectionStore } from './needs.ts';
import { takeSnapshot } from './snapshot.ts';
import { type StepResult, takeStep } from './step.ts';

export type FollowEvent =
  | { readonly kind: 'snapshot'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'history';
      readonly floor: bigint;
      readonly startBlock: bigint;
      readonly head: bigint;
    }
  | Exclude<StepResult, { kind: 'idle' }>
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'leading' | 'standby' };

export type Advance = {
  /** Answers whether there is more to do right now. */
  readonly head: () => Promise<boolean>;
  /** What is behind the head waits until the head is reached. */
  readonly background: () => Promise<'more' | 'done' | 'waits'>;
};

export type AdvanceOptions = {
  readonly source: ChainSource;
  readonly store: ProjectionStore;
  readonly onEvent: (event: FollowEvent) => void;
};

/** Some tenth of a second of work: a new block must not wait longer behind old ones. */
const historyEvents = 500;

export function createAdvance({ source, store, onEvent }: AdvanceOptions, signal?: AbortSignal): Advance {
  const range = createRange({ first: 2_000, largest: 10_000 });
  const historyRange = createRange<Stretch>({
    first: 1,
    largest: 10_000,
    work: { of: ({ events }) => events, most: historyEvents },
  });
  let isAtHead = false;
  let stepping: Promise<unknown> = Promise.resolve();

  /** A step at the head that has begun, or is called for just now, ends first. */
  async function giveWay(): Promise<void> {
    await setImmediate();
    await stepping.catch(() => undefined);
  }

  async function snapshot(): Promise<boolean> {
    await takeSnapshot(source, store, (done, total) => onEvent({ kind: 'snapshot', done, total }), signal);
    return true;
  }

  async function head(): Promise<boolean> {
    const cursor = await store.loadCursor();
    if (cursor === null || cursor.identity !== source.identity || cursor.shown === null) return snapshot();
    const result = await takeStep(source, store, cursor.shown, range);
    if (result.kind === 'idle') return false;
    onEvent(result);
    return result.kind === 'lost' ? snapshot() : result.behind > 0n;
  }

  async function fill(): Promise<boolean> {
    const cursor = await store.loadCursor();
    if (cursor?.shown == null || cursor.identity !== source.identity) return false;
    const floor = await fillHistory(source, store, cursor.shown, { range: historyRange, giveWay });
    if (floor === null) return false;
    const { head, startBlock } = cursor.shown;
    onEvent({ kind: 'history', floor, startBlock, head: head.number });
    return true;
  }

  return {
    head: async () => {
      const step = head();
      stepping = step;
      const isMore = await step;
      isAtHead = !isMore;
      return isMore;
    },
    background: async () => {
      if (!isAtHead) return 'waits';
      await giveWay();
      const isMore = (await fill()) || (await store.refreshRenderings()) || (await store.sweep());
      return isMore ? 'more' : 'done';
    },
  };
}
