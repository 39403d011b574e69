// How a market is doing: what its events add up to week by week, and which tags its open tasks have.
//
// The sums are kept: each event is counted once, and only the newest blocks, which a fork may still replace, are counted
// again for every reply. A long history is read in parts, between which other requests are answered.
import { setImmediate } from 'node:timers/promises';
import type { MarketHealth } from '@svc/sdk';
import { type Market, SvcError, taskStates } from '@svc/sdk/domain';
import { within } from '@svc/sdk/internal/domain/backoff';
import { tagKey } from '@svc/sdk/internal/domain/searchWords';
import { nameOf } from '@svc/sdk/internal/domain/state';
import type { ActivityEvent, ActivityPlace, ActivityStore } from '../store/activity.ts';
import { shareRun } from '../store/keepFor.ts';
import type { TaskStore } from '../store/tasks.ts';
import { buildMeta } from './taskLists.ts';

/** The sums of one week. `waitedSeconds` is from delivery to acceptance, of all that were accepted. */
type Week = Omit<MarketHealth['weeks'][number], 'start'>;

/** By market, then by the start of the week. */
type Sums = Readonly<Record<Market, Readonly<Record<string, Week>>>>;

/** What escrow holds and has paid to workers, over all time. */
type Totals = MarketHealth['totals'];

type Counted = { readonly sums: Sums; readonly totals: Readonly<Record<Market, Totals>> };

/** What is kept: the sums up to a place that no fork replaces any more. */
type Kept = Counted & { readonly place: ActivityPlace };

export type HealthOptions = {
  readonly store: ActivityStore;
  /** Without the words that the operator withholds. */
  readonly tasks: Pick<TaskStore, 'loadPage'>;
  readonly loadKept: () => Promise<string | null>;
  readonly saveKept: (text: string) => Promise<void>;
  readonly now: () => number;
};

const weekSeconds = 7 * 86_400;
/** The first Monday after the beginning of Unix time. */
const firstMonday = 4 * 86_400;
const shownWeeks = 12;
/** As deep as the indexer undoes forks. */
const forkDepth = 1_024;
const partSize = 1_000;
const longestWaitMs = 2_000;
const openLooked = 1_000;
const shownTags = 12;

const noTotals: Totals = { escrowTokWei: '0', paidTokWei: '0' };
const nothing: Kept = {
  place: { block: -1, log: -1, hash: '' },
  sums: { standard: {}, micro: {} },
  totals: { standard: noTotals, micro: noTotals },
};
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

export function createHealth({ store, tasks, loadKept, saveKept, now }: HealthOptions) {
  let kept: Kept | null = null;

  /** Brings what is kept up to the newest block that stays, then adds the rest without keeping it. */
  async function readSums(): Promise<Counted> {
    const head = await store.loadHead();
    if (head === null) throw new SvcError('NOT_READY', {});
    const text = kept === null ? await loadKept() : null;
    if (text !== null) kept = JSON.parse(text) as Kept;
    const before = kept !== null && (await store.hasPlace(kept.place)) ? kept : nothing;
    const settled = await addUpTo(before, head.block - forkDepth);
    if (settled !== before) {
      kept = settled;
      await saveKept(JSON.stringify(settled));
    }
    return addUpTo(settled, head.block);
  }

  async function addUpTo(from: Kept, lastBlock: number): Promise<Kept> {
    let reached = from;
    for (;;) {
      const { events, end } = await store.loadPart(reached.place, lastBlock, partSize);
      if (end === null) return reached;
      reached = {
        ...reached,
        place: end,
        sums: addEvents(reached.sums, events),
        totals: addMoney(reached.totals, events),
      };
      await setImmediate();
    }
  }

  /** One reading at a time. The first one of a long history goes on after the reply that asked for it. */
  const readShared = shareRun(readSums);

  return async (): Promise<Record<Market, MarketHealth>> => {
    const { sums, totals } = await within(longestWaitMs, readShared(), () => new SvcError('NOT_READY', {}));
    const build = async (market: Market) => {
      const open = await tasks.loadPage({ list: 'open', market, now: now(), limit: openLooked + 1 });
      const tags = open.map(({ words }) => words?.tags ?? []);
      return buildHealth(market, sums[market], totals[market], tags, now());
    };
    return { standard: await build('standard'), micro: await build('micro') };
  };
}

function addEvents(sums: Sums, events: readonly ActivityEvent[]): Sums {
  const added = { standard: { ...sums.standard }, micro: { ...sums.micro } };
  for (const event of events) {
    const weeks = added[event.market];
    const week = String(startOfWeek(event.time));
    weeks[week] = addEvent(weeks[week] ?? emptyWeek, event);
  }
  // Weeks older than any reply shows are dropped.
  for (const weeks of Object.values(added))
    for (const week of Object.keys(weeks)
      .sort((left, right) => Number(right) - Number(left))
      .slice(shownWeeks + 1))
      delete weeks[week];
  return added;
}

/** What an event of the escrow does to what it holds. */
const escrowMoves: Readonly<Record<string, bigint>> = {
  Funded: 1n,
  Released: -1n,
  Refunded: -1n,
  FeePaid: -1n,
};

function addMoney(totals: Counted['totals'], events: readonly ActivityEvent[]): Counted['totals'] {
  const added = { ...totals };
  for (const { market, name, value } of events) {
    const sign = escrowMoves[name];
    if (sign === undefined || value === null) continue;
    const { escrowTokWei, paidTokWei } = added[market];
    added[market] = {
      escrowTokWei: String(BigInt(escrowTokWei) + sign * BigInt(value)),
      paidTokWei: name === 'Released' ? String(BigInt(paidTokWei) + BigInt(value)) : paidTokWei,
    };
  }
  return added;
}

type Count = 'posted' | 'claimed' | 'deliveries' | 'disputes' | 'completed' | 'resolved' | 'cancelled';

const counted: Readonly<Record<string, Count>> = {
  TaskPosted: 'posted',
  TaskClaimed: 'claimed',
  ProofSubmitted: 'deliveries',
  DisputeOpened: 'disputes',
};
const ends: Readonly<Record<string, Count>> = {
  COMPLETED: 'completed',
  RESOLVED: 'resolved',
  CANCELLED: 'cancelled',
};

function addEvent(week: Week, { name, value, time, deliveredAt }: ActivityEvent): Week {
  if (name === 'Released')
    return { ...week, paidTokWei: String(BigInt(week.paidTokWei) + BigInt(value ?? 0)) };
  if (name === 'MilestoneAccepted' && deliveredAt !== null)
    return { ...week, accepted: week.accepted + 1, waitedSeconds: week.waitedSeconds + time - deliveredAt };
  const count = name === 'TaskState' ? ends[nameOf(taskStates, Number(value))] : counted[name];
  return count === undefined ? week : { ...week, [count]: week[count] + 1 };
}

/** Weeks begin on Monday, UTC. */
function startOfWeek(time: number): number {
  return Math.floor((time - firstMonday) / weekSeconds) * weekSeconds + firstMonday;
}

function buildHealth(
  market: Market,
  weeks: Readonly<Record<string, Week>>,
  totals: Totals,
  open: readonly (readonly string[])[],
  now: number,
): MarketHealth {
  const current = startOfWeek(now);
  const starts = Array.from({ length: shownWeeks }, (_, at) => current - (shownWeeks - 1 - at) * weekSeconds);
  const first = starts.findIndex((start) => weeks[String(start)] !== undefined);
  const shown = first === -1 ? [] : starts.slice(first);
  const looked = open.slice(0, openLooked);
  return {
    weeks: shown.map((start) => ({ start, ...(weeks[String(start)] ?? emptyWeek) })),
    totals,
    open: { tasks: looked.length, isAll: open.length <= openLooked, tags: countTags(looked) },
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
