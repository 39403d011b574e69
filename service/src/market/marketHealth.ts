// How a market is doing: what its events add up to week by week, and which tags its open tasks have.
//
// The sums are kept: each event is counted once, and only the newest blocks, which a fork may still replace, are counted
// again for every reply. A long history is read in parts, between which other requests are answered.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type Market, markets, nameOf, SvcError, tagKey, taskStates } from '@svc/sdk/domain';
import type { MarketHealth } from '@svc/sdk/schemas';
import type { ActivityEvent, ActivityPlace, ActivityStore } from '#store/activity.ts';
import { buildMeta } from './taskLists.ts';

/** The sums of one week. */
type Week = {
  readonly posted: number;
  readonly claimed: number;
  readonly completed: number;
  readonly resolved: number;
  readonly cancelled: number;
  readonly disputes: number;
  readonly deliveries: number;
  readonly accepted: number;
  /** From delivery to acceptance, of all that were accepted. */
  readonly waitedSeconds: number;
  readonly paidTokWei: string;
};

type Sums = Readonly<Record<Market, Readonly<Record<string, Week>>>>;

/** What is kept: the sums up to a place that no fork replaces any more. */
type Kept = { readonly place: ActivityPlace; readonly sums: Sums };

export type HealthOptions = {
  readonly store: ActivityStore;
  readonly loadKept: () => Promise<string | null>;
  readonly saveKept: (text: string) => Promise<void>;
  readonly now: () => number;
};

const weekSeconds = 7 * 86_400;
/** The first Monday after the beginning of Unix time. */
const firstMonday = 4 * 86_400;
const shownWeeks = 12;
/** As deep as the follower undoes forks. */
const forkDepth = 1_024;
const partSize = 1_000;
const longestWaitMs = 2_000;
const openLooked = 1_000;
const shownTags = 12;

const noSums: Sums = { standard: {}, micro: {} };
const nothing: Kept = { place: { block: -1, log: -1, hash: '' }, sums: noSums };
export const emptyWeek: Week = {
  posted: 0,
  claimed: 0,
  completed: 0,
  resolved: 0,
  cancelled: 0,
  disputes: 0,
  deliveries: 0,
  accepted: 0,
  waitedSeconds: 0,
  paidTokWei: '0',
};

export function createHealth({ store, loadKept, saveKept, now }: HealthOptions) {
  let kept: Kept | null = null;
  let reading: Promise<Sums> | null = null;

  /** Brings what is kept up to the newest block that stays, then adds the rest without keeping it. */
  async function readSums(): Promise<Sums> {
    const head = await store.loadHead();
    if (head === null) throw new SvcError('NOT_READY', {});
    kept ??= parseKept(await loadKept());
    const isValid = kept !== null && (await store.hasPlace(head.generation, kept.place));
    const before = kept !== null && isValid ? kept : nothing;
    const settled = await addUpTo(head.generation, before, head.block - forkDepth);
    if (settled !== before) {
      kept = settled;
      await saveKept(JSON.stringify(settled));
    }
    return (await addUpTo(head.generation, settled, head.block)).sums;
  }

  async function addUpTo(generation: number, from: Kept, lastBlock: number): Promise<Kept> {
    let reached = from;
    for (;;) {
      const { events, end } = await store.loadPart(generation, reached.place, lastBlock, partSize);
      if (end === null) return reached;
      reached = { place: end, sums: addEvents(reached.sums, events) };
      await setImmediate();
    }
  }

  /** One reading at a time. The first one of a long history goes on after the reply that asked for it. */
  function readShared(): Promise<Sums> {
    reading ??= readSums().finally(() => {
      reading = null;
    });
    return Promise.race([reading, sleep(longestWaitMs, null, { ref: false })]).then((sums) => {
      if (sums === null) throw new SvcError('NOT_READY', {});
      return sums;
    });
  }

  return async (): Promise<Record<Market, MarketHealth>> => {
    const sums = await readShared();
    const build = async (market: Market) =>
      buildHealth(market, sums[market], await store.loadOpenTags(market, now(), openLooked + 1), now());
    return { standard: await build('standard'), micro: await build('micro') };
  };
}

function parseKept(text: string | null): Kept | null {
  return text === null ? null : JSON.parse(text);
}

function addEvents(sums: Sums, events: readonly ActivityEvent[]): Sums {
  const added: Record<Market, Record<string, Week>> = {
    standard: { ...sums.standard },
    micro: { ...sums.micro },
  };
  for (const event of events) {
    const week = String(startOfWeek(event.time));
    const weeks = added[event.market];
    const before = weeks[week] ?? emptyWeek;
    const after = addEvent(before, event);
    if (after !== before) weeks[week] = after;
  }
  // What is older than any reply shows is let go.
  for (const market of markets)
    for (const week of Object.keys(added[market])
      .sort((a, b) => Number(b) - Number(a))
      .slice(shownWeeks + 1))
      delete added[market][week];
  return added;
}

function addEvent(week: Week, { name, value, time, deliveredAt }: ActivityEvent): Week {
  switch (name) {
    case 'TaskPosted':
      return { ...week, posted: week.posted + 1 };
    case 'TaskClaimed':
      return { ...week, claimed: week.claimed + 1 };
    case 'ProofSubmitted':
      return { ...week, deliveries: week.deliveries + 1 };
    case 'DisputeOpened':
      return { ...week, disputes: week.disputes + 1 };
    case 'Released':
      return { ...week, paidTokWei: String(BigInt(week.paidTokWei) + BigInt(value ?? 0)) };
    case 'MilestoneAccepted':
      return deliveredAt === null
        ? week
        : { ...week, accepted: week.accepted + 1, waitedSeconds: week.waitedSeconds + time - deliveredAt };
    case 'TaskState':
      return addEnd(week, nameOf(taskStates, Number(value)));
    default:
      return week;
  }
}

function addEnd(week: Week, state: (typeof taskStates)[number]): Week {
  if (state === 'COMPLETED') return { ...week, completed: week.completed + 1 };
  if (state === 'RESOLVED') return { ...week, resolved: week.resolved + 1 };
  if (state === 'CANCELLED') return { ...week, cancelled: week.cancelled + 1 };
  return week;
}

/** Weeks begin on Monday, UTC. */
function startOfWeek(time: number): number {
  return Math.floor((time - firstMonday) / weekSeconds) * weekSeconds + firstMonday;
}

function buildHealth(
  market: Market,
  weeks: Readonly<Record<string, Week>>,
  open: readonly (readonly string[])[],
  now: number,
): MarketHealth {
  const current = startOfWeek(now);
  const starts = Array.from({ length: shownWeeks }, (_, at) => current - (shownWeeks - 1 - at) * weekSeconds);
  const first = starts.findIndex((start) => weeks[String(start)] !== undefined);
  const shown = first === -1 ? [] : starts.slice(first);
  const counted = open.slice(0, openLooked);
  return {
    weeks: shown.map((start) => ({ start, ...(weeks[String(start)] ?? emptyWeek) })),
    open: {
      tasks: counted.length,
      isAll: open.length <= openLooked,
      tags: countTags(counted),
    },
    meta: buildMeta(market),
  };
}

/** Spellings of one tag count together; a task counts once for each of its tags. */
function countTags(open: readonly (readonly string[])[]): MarketHealth['open']['tags'] {
  const counts = new Map<string, number>();
  for (const tags of open)
    for (const tag of new Set(tags.map(tagKey))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, tasks]) => ({ tag, tasks }))
    .sort((left, right) => right.tasks - left.tasks || (left.tag < right.tag ? -1 : 1))
    .slice(0, shownTags);
}
