// The events of the past, read backwards, newest first, one stretch of blocks after the other: the newest together with the
// first reading of the tasks where that is quick, the others in the background.

import { type Market, markets } from '@svc/sdk/domain';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { Hex } from 'viem';
import { blameMissing } from '../chain/completeness.ts';
import { createRange } from '../chain/logRange.ts';
import type { ChainSource, EventRange } from '../chain/source.ts';
import type { BlockRef, Shown } from '../store/chainRow.ts';
import type { Past, ProjectionStore } from '../store/projection.ts';
import { changesTask } from './postedTasks.ts';
import { keptBlocks } from './step.ts';

/** About a tenth of a second of work: a new block does not wait longer behind old ones. */
const eventsAtOnce = 1_000;

/** The most events that are kept in memory for the first answer. */
const pastEvents = 50_000;

/**
 * The blocks from `floor` on. `events` are those that change the state of a task, in chain order; from `provenFloor` on,
 * headers prove that there are no others.
 */
export type KnownPast = Past & {
  readonly events: readonly ChainEvent[];
  readonly provenFloor: bigint;
};

type Stretch = EventRange & { readonly floor: bigint };

/** A stretch that is being read; `linked` resolves early, to the block before it. */
type Reading = {
  readonly last: BlockRef;
  readonly stretch: Promise<Stretch>;
  readonly linked: Promise<BlockRef>;
};

export type HistoryOptions = {
  /** How long the first answer waits for history. */
  readonly pastMs: number;
  /** Runs between reading and writing, which both can take long: a step at the head may come first. */
  readonly letHeadPass: () => Promise<void>;
};

export function createHistory(
  source: ChainSource,
  store: ProjectionStore,
  { pastMs, letHeadPass }: HistoryOptions,
) {
  const range = createRange<Stretch>({
    first: 1,
    largest: 10_000,
    work: { of: ({ events }) => events.length, most: eventsAtOnce },
  });
  /** What is being read while something else is written. */
  let ahead: Reading | null = null;

  /** The hash ties the stretch to the rows, so events of another branch are refused. */
  function begin(last: BlockRef): Reading {
    const { promise: linked, resolve } = Promise.withResolvers<BlockRef>();
    const stretch = range.use(async (size) => {
      const lowest = last.number + 1n - BigInt(size);
      const floor = lowest > source.startBlock ? lowest : source.startBlock;
      const onLinked = (hash: Hex) => resolve({ number: floor - 1n, hash });
      return { ...(await source.readEvents(floor, last, onLinked)), floor };
    });
    // It may fail before it is awaited; the failure is handled then.
    stretch.catch(() => undefined);
    return { last, stretch, linked };
  }

  /** The reading that ends there: the given one if it is of that block, else a new one. */
  function continueWith(reading: Reading | null | undefined, last: BlockRef): Reading {
    const isSame = reading?.last.number === last.number && reading.last.hash === last.hash;
    return isSame && reading ? reading : begin(last);
  }

  /** As much of the past as can be read and saved soon. What is left, for whatever reason, is for the background. */
  async function readPast(
    head: BlockRef,
    save: (events: readonly ChainEvent[]) => Promise<void>,
  ): Promise<KnownPast> {
    const stretches: Stretch[] = [];
    const kept: BlockRef[] = [];
    let [floor, parentHash, count] = [head.number + 1n, head.hash, 0];
    const hasMore = () => floor > source.startBlock && count < pastEvents;
    const ending = new AbortController();
    const timeIsOver = sleep(pastMs, ending.signal).then(() => undefined);
    let reading = pastMs > 0 && hasMore() ? begin(head) : null;
    while (reading !== null) {
      // The provider works on the next stretch while this one is decoded.
      const following: Reading[] = [];
      void reading.linked.then((last) => {
        if (last.number >= source.startBlock && !ending.signal.aborted) following.push(begin(last));
      });
      const stretch = await Promise.race([reading.stretch.catch(() => null), timeIsOver]);
      // Out of time: the background goes on with what is being read.
      if (stretch === undefined) break;
      if (stretch === null) {
        reading = null;
        break;
      }
      // Most events change no task: once they are saved, they need not be kept in memory.
      await save(stretch.events);
      stretches.push({ ...stretch, events: stretch.events.filter(changesTask) });
      kept.push(...listKept(stretch));
      ({ floor, parentHash } = stretch);
      count += stretch.events.length;
      reading = hasMore() ? continueWith(following[0], lastBefore(stretch)) : null;
    }
    ending.abort();
    ahead = reading;
    const unproven = stretches.findIndex(({ isProven }) => !isProven);
    const lastProven = unproven === -1 ? stretches.at(-1) : stretches[unproven - 1];
    return {
      events: stretches.reverse().flatMap(({ events }) => events),
      floor,
      parentHash,
      kept: keptBlocks([], ...kept),
      provenFloor: lastProven?.floor ?? head.number + 1n,
    };
  }

  /** Resolves to the first block of the stretch that was written; null when none is left. The next one is read meanwhile. */
  async function fill({ generation, historyFloor, historyHash, startBlock }: Shown): Promise<bigint | null> {
    if (historyFloor <= startBlock) return null;
    const last = { number: historyFloor - 1n, hash: historyHash };
    const reading = continueWith(ahead, last);
    ahead = null;
    const stretch = await reading.stretch;
    const { events, floor } = stretch;
    const isLast = floor === startBlock;
    const next = await Promise.all(markets.map((market) => store.loadFirstPosted(market, historyFloor)));
    if (!markets.every((market, at) => isGapless(events, market, next[at] as bigint, isLast))) {
      // It is unknown which of the stretches so far lacks logs.
      await store.restartHistory(generation);
      throw blameMissing(source, last.number);
    }
    if (!isLast) ahead = begin(lastBefore(stretch));
    await letHeadPass();
    const { parentHash } = stretch;
    const kept = listKept(stretch);
    await store.saveHistory({ generation, base: historyFloor, events, floor, parentHash, kept });
    return floor;
  }

  return { fill, readPast };
}

function lastBefore({ floor, parentHash }: Stretch): BlockRef {
  return { number: floor - 1n, hash: parentHash };
}

export type History = ReturnType<typeof createHistory>;

function listKept({ events, floor, parentHash }: Stretch): BlockRef[] {
  const before = floor > 0n ? [{ number: floor - 1n, hash: parentHash }] : [];
  return keptBlocks(events, ...before);
}

/** Task numbers have no gaps, so the posts of a stretch must end right below the first known one, `next`. */
export function isGapless(
  events: readonly ChainEvent[],
  market: Market,
  next: bigint,
  isLast: boolean,
): boolean {
  const posted = events.filter((event) => event.market === market && event.name === 'TaskPosted');
  const first = next - BigInt(posted.length);
  if (isLast && first !== 1n) return false;
  return posted.every(({ taskNumber }, at) => taskNumber === first + BigInt(at));
}
