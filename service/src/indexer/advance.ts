// The follower's units of work: one step at the head, and one of the background work behind it.
import { setImmediate } from 'node:timers/promises';
import { createRange, type Range } from '@svc/sdk/chain';
import type { ChainEvent, Shown } from '@svc/sdk/domain';
import { markets, SvcError } from '@svc/sdk/domain';
import type { ProjectionStore } from '#store/projection.ts';
import { type Confirmed, type ConfirmOptions, createConfirmation } from './confirm.ts';
import { takeSnapshot } from './snapshot.ts';
import type { ChainSource } from './source.ts';
import { createPatience, keptBlocks, type StepResult, takeStep } from './step.ts';

export type FollowEvent =
  | { readonly kind: 'snapshot'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'history';
      readonly floor: bigint;
      readonly startBlock: bigint;
      readonly head: bigint;
    }
  | Exclude<StepResult, { kind: 'idle' }>
  | ({ readonly kind: 'confirmed' | 'corrected' } & Confirmed)
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'leading' | 'standby' };

export type Advance = {
  /** Resolves to whether there is more to do right now. */
  readonly head: () => Promise<boolean>;
  /** Background work waits until the head is reached. */
  readonly background: () => Promise<'more' | 'done' | 'waits'>;
};

export type AdvanceOptions = {
  readonly source: ChainSource;
  readonly store: ProjectionStore;
  readonly onEvent: (event: FollowEvent) => void;
  /** How long a chain that seems shorter than the rows is taken for a node that lags. */
  readonly patienceMs?: number;
  readonly confirm?: ConfirmOptions;
};

/** About a tenth of a second of work: a new block does not wait longer behind old ones. */
const historyEvents = 500;

export function createAdvance(
  { source, store, onEvent, patienceMs = 30_000, confirm = {} }: AdvanceOptions,
  signal?: AbortSignal,
): Advance {
  const patience = createPatience(patienceMs);
  const confirmNext = createConfirmation(source, store, confirm);
  const range = createRange({ first: 2_000, largest: 10_000 });
  const historyRange = createRange<Stretch>({
    first: 1,
    largest: 10_000,
    work: { of: ({ events }) => events, most: historyEvents },
  });
  let isAtHead = false;
  let stepping: Promise<unknown> = Promise.resolve();

  /** Lets a step at the head that is running or due finish first. */
  async function letHeadPass(): Promise<void> {
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
    const result = await takeStep(source, store, cursor.shown, { range, patience });
    if (result.kind === 'idle') return false;
    onEvent(result);
    return result.kind === 'lost' ? snapshot() : result.behind > 0n;
  }

  async function fill(): Promise<boolean> {
    const cursor = await store.loadCursor();
    if (cursor?.shown == null || cursor.identity !== source.identity) return false;
    const floor = await fillHistory(source, store, cursor.shown, { range: historyRange, letHeadPass });
    if (floor === null) return false;
    const { head, startBlock } = cursor.shown;
    onEvent({ kind: 'history', floor, startBlock, head: head.number });
    return true;
  }

  async function confirmRows(): Promise<boolean> {
    const cursor = await store.loadCursor();
    if (cursor?.shown == null || cursor.identity !== source.identity) return false;
    const result = await confirmNext(cursor.shown);
    if (result === null) return false;
    onEvent(
      result.corrected.length > 0 ? { kind: 'corrected', ...result } : { kind: 'confirmed', ...result },
    );
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
      await letHeadPass();
      // First, since history may not be readable for a long time.
      const isMore =
        (await store.refreshRenderings()) || (await fill()) || (await store.sweep()) || (await confirmRows());
      return isMore ? 'more' : 'done';
    },
  };
}

type Stretch = { readonly floor: bigint; readonly events: number };

/**
 * Reads one more stretch of the events before the snapshot, newest first, and resolves to its first block; null when none is
 * left. Decoding and writing a stretch can both take long, so a step at the head may run in between.
 */
async function fillHistory(
  source: ChainSource,
  store: ProjectionStore,
  shown: Shown,
  { range, letHeadPass }: { readonly range: Range<Stretch>; readonly letHeadPass: () => Promise<void> },
): Promise<bigint | null> {
  const { generation, historyFloor, historyHash, startBlock } = shown;
  if (historyFloor <= startBlock) return null;
  const { floor } = await range.use(async (size) => {
    const lowest = historyFloor - BigInt(size);
    const floor = lowest > startBlock ? lowest : startBlock;
    // The hash ties the stretch to the rows, so events of another branch are refused.
    const last = { number: historyFloor - 1n, hash: historyHash };
    const { events, parentHash } = await source.readEvents(floor, last);
    if (!(await isGapless(store, events, historyFloor, floor === startBlock))) {
      // It is unknown which of the stretches so far lacks logs.
      await store.restartHistory(generation);
      const error = new SvcError('CHAIN_LOGS_MISSING', { block: String(last.number) });
      source.blame(error);
      throw error;
    }
    await letHeadPass();
    const kept = keptBlocks(events, ...(floor > 0n ? [{ number: floor - 1n, hash: parentHash }] : []));
    await store.saveHistory({ generation, base: historyFloor, events, floor, parentHash, kept });
    return { floor, events: events.length };
  });
  return floor;
}

/** Task numbers have no gaps, so the posts of a stretch must end right below the first known one. */
async function isGapless(
  store: ProjectionStore,
  events: readonly ChainEvent[],
  knownFrom: bigint,
  isLast: boolean,
): Promise<boolean> {
  for (const market of markets) {
    const posted = events.filter((event) => event.market === market && event.name === 'TaskPosted');
    const next = await store.loadFirstPosted(market, knownFrom);
    const first = next - BigInt(posted.length);
    if (!posted.every(({ taskNumber }, at) => taskNumber === first + BigInt(at))) return false;
    if (isLast && first !== 1n) return false;
  }
  return true;
}
