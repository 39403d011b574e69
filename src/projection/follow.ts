// Follows the chain for as long as it is told to: one process at a time, by a lease, from wherever the rows stand.
import type { Cursor, Head } from '#domain/follow.ts';
import { fillHistory } from './history.ts';
import type { ChainSource, ProjectionStore } from './needs.ts';
import { createRange } from './range.ts';
import { takeSnapshot } from './snapshot.ts';
import { type StepResult, takeStep } from './step.ts';

export type FollowEvent =
  | { readonly kind: 'snapshot'; readonly done: number; readonly total: number }
  | { readonly kind: 'history'; readonly floor: bigint; readonly startBlock: bigint }
  | Exclude<StepResult, { kind: 'idle' }>
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'leading' | 'standby' };

export type FollowerOptions = {
  readonly source: ChainSource;
  readonly store: ProjectionStore;
  /** Only the holder follows; everybody serves. */
  readonly lease: { readonly hold: () => Promise<boolean>; readonly release: () => Promise<void> };
  /** Calls back when the chain may have a new block; answers the way to stop. */
  readonly onHead: (wake: () => void) => () => void;
  readonly onEvent: (event: FollowEvent) => void;
  /** How long to wait for a new head before looking without being called. */
  readonly pollMs?: number;
};

const longestPauseMs = 5_000;

/** Resolves when the signal aborts, after the step under way has been written. */
export async function follow(options: FollowerOptions, signal: AbortSignal): Promise<void> {
  const { lease, onHead, onEvent, pollMs = 1_000 } = options;
  const bell = createBell(signal);
  const stopListening = onHead(bell.ring);
  const advance = createAdvance(options);
  let leading = false;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const holds = await lease.hold();
      if (holds !== leading) onEvent({ kind: holds ? 'leading' : 'standby' });
      leading = holds;
      const more = holds && (await advance());
      failures = 0;
      if (!more) await bell.wait(pollMs);
    } catch (error) {
      onEvent({ kind: 'failed', error });
      const pause = Math.min(100 * 2 ** failures++, longestPauseMs);
      await bell.wait(pause * (0.5 + Math.random() / 2));
    }
  }
  stopListening();
  if (leading) await lease.release().catch(() => undefined);
}

/** One unit of work; answers whether there is more to do right now. */
export function createAdvance({
  source,
  store,
  onEvent,
}: Pick<FollowerOptions, 'source' | 'store' | 'onEvent'>) {
  const range = createRange();
  const historyRange = createRange();
  return async (): Promise<boolean> => {
    const cursor = await store.loadCursor();
    if (cursor === null || cursor.identity !== source.identity || !hasHead(cursor)) {
      await takeSnapshot(source, store, (done, total) => onEvent({ kind: 'snapshot', done, total }));
      return true;
    }
    const result = await takeStep(source, store, cursor, range);
    if (result.kind !== 'idle') onEvent(result);
    if (result.kind === 'lost') {
      await takeSnapshot(source, store, (done, total) => onEvent({ kind: 'snapshot', done, total }));
      return true;
    }
    if (result.kind === 'moved' && result.behind > 0n) return true;
    return advanceHistory();
  };

  /** The history waits until the head is reached: what is true now matters before what was. */
  async function advanceHistory(): Promise<boolean> {
    const cursor = await store.loadCursor();
    if (cursor === null) return false;
    const more = await fillHistory(source, store, cursor, historyRange);
    if (more && cursor.historyFloor !== null) {
      onEvent({ kind: 'history', floor: cursor.historyFloor, startBlock: cursor.startBlock });
    }
    return more;
  }
}

function hasHead(cursor: Cursor): cursor is Cursor & { readonly head: Head } {
  return cursor.head !== null && cursor.snapshotBlock !== null;
}

/** A wait that a ring, or the end, cuts short; a ring while nobody waits is not lost. */
function createBell(signal: AbortSignal) {
  let rung = false;
  let wake = () => {};
  const ring = () => {
    rung = true;
    wake();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    wait: async (milliseconds: number) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
    },
  };
}
