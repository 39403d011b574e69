// The events of the past, read backwards, newest first, one stretch of blocks after the other: the newest together with the
// first reading of the tasks where that is quick, the others in the background.
import { createRange } from '@svc/sdk/chain';
import {
  type BlockRef,
  type ChainEvent,
  type Market,
  markets,
  type Shown,
  SvcError,
  sleep,
} from '@svc/sdk/domain';
import type { Past, ProjectionStore } from '#store/projection.ts';
import type { ChainSource, EventRange } from './source.ts';
import { keptBlocks } from './step.ts';

/** About a tenth of a second of work: a new block does not wait longer behind old ones. */
const eventsAtOnce = 1_000;

/** The most events that are kept in memory for the first answer. */
const pastEvents = 50_000;

/** All events of the blocks from `floor` on, in chain order. */
export type KnownPast = Pick<EventRange, 'events' | 'parentHash'> & { readonly floor: bigint };

type Stretch = KnownPast;

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
  let ahead: { readonly last: BlockRef; readonly stretch: Promise<Stretch> } | null = null;

  /** The hash ties the stretch to the rows, so events of another branch are refused. */
  function read(last: BlockRef): Promise<Stretch> {
    return range.use(async (size) => {
      const lowest = last.number + 1n - BigInt(size);
      const floor = lowest > source.startBlock ? lowest : source.startBlock;
      const { events, parentHash } = await source.readEvents(floor, last);
      return { events, parentHash, floor };
    });
  }

  function takeAhead(last: BlockRef): Promise<Stretch> {
    const isNext = ahead?.last.number === last.number && ahead.last.hash === last.hash;
    const stretch = isNext && ahead !== null ? ahead.stretch : read(last);
    ahead = null;
    return stretch;
  }

  function readAhead({ floor, parentHash }: Stretch): void {
    if (floor <= source.startBlock) return;
    const last = { number: floor - 1n, hash: parentHash };
    const stretch = read(last);
    // It may fail before it is awaited; the failure is handled then.
    stretch.catch(() => undefined);
    ahead = { last, stretch };
  }

  /** As much of the past as can be read soon. What is left, for whatever reason, is for the background. */
  async function readPast(head: BlockRef): Promise<KnownPast> {
    const reading = new AbortController();
    const timeIsOver = sleep(pastMs, reading.signal).then(() => null);
    const stretches: Stretch[] = [];
    let [floor, parentHash, count] = [head.number + 1n, head.hash, 0];
    while (pastMs > 0 && floor > source.startBlock && count < pastEvents) {
      const next = read({ number: floor - 1n, hash: parentHash }).catch(() => null);
      const stretch = await Promise.race([next, timeIsOver]);
      if (stretch === null) break;
      stretches.push(stretch);
      count += stretch.events.length;
      ({ floor, parentHash } = stretch);
    }
    reading.abort();
    return { events: stretches.reverse().flatMap(({ events }) => events), floor, parentHash };
  }

  /** Resolves to the first block of the stretch that was written; null when none is left. The next one is read meanwhile. */
  async function fill({ generation, historyFloor, historyHash, startBlock }: Shown): Promise<bigint | null> {
    if (historyFloor <= startBlock) return null;
    const last = { number: historyFloor - 1n, hash: historyHash };
    const stretch = await takeAhead(last);
    const { events, floor } = stretch;
    const isLast = floor === startBlock;
    const next = await Promise.all(markets.map((market) => store.loadFirstPosted(market, historyFloor)));
    if (!markets.every((market, at) => isGapless(events, market, next[at] as bigint, isLast))) {
      // It is unknown which of the stretches so far lacks logs.
      await store.restartHistory(generation);
      const error = new SvcError('CHAIN_LOGS_MISSING', { block: String(last.number) });
      source.blame(error);
      throw error;
    }
    readAhead(stretch);
    await letHeadPass();
    await store.saveHistory({ generation, base: historyFloor, events, ...describePast(stretch) });
    return floor;
  }

  return { fill, readPast };
}

export type History = ReturnType<typeof createHistory>;

export function describePast({ events, floor, parentHash }: KnownPast): Past {
  const before = floor > 0n ? [{ number: floor - 1n, hash: parentHash }] : [];
  return { floor, parentHash, kept: keptBlocks(events, ...before) };
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
