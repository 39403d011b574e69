// Plays the story onto a freshly deployed chain, in the order of time.
import type { Market } from '@svc/sdk/domain';
import { buildPriceAct } from '../price.ts';
import { marketSteps } from '../story/people.ts';
import { day, parseAgo, type Tale } from '../story/script.ts';
import { storyDays, tales } from '../story/story.ts';
import { buildEntries, buildMarketAct } from './marketActs.ts';
import type { Act, Stage } from './stage.ts';
import { buildTaskAct } from './taskActs.ts';

export type SeedOptions = {
  /** Unix seconds of the moment that the story leads up to. */
  readonly present: number;
  readonly priceE8: bigint;
  readonly onPlayed?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
};

type Moment = { readonly at: number; readonly what: string; readonly build: () => Promise<Act> | Act };

export async function seedMarkets(stage: Stage, options: SeedOptions): Promise<void> {
  const moments = [
    ...listEntries(stage, options),
    ...listPrices(stage, options),
    ...listMarketSteps(stage, options),
    ...listTaskSteps(stage, options),
  ].sort((left, right) => left.at - right.at);
  for (const [index, { at, what, build }] of moments.entries()) {
    options.signal?.throwIfAborted();
    try {
      await stage.play(await build(), at);
    } catch (cause) {
      throw new Error(`The story breaks off at ${what}.`, { cause });
    }
    options.onPlayed?.(index + 1, moments.length);
  }
}

/** On the first day everybody gives allowances and collateral. */
function listEntries({ deployment }: Stage, { present }: SeedOptions): Moment[] {
  const at = present - storyDays * day + 3_600;
  return buildEntries(deployment).map((act) => ({ at, what: 'the entries', build: () => act }));
}

/** Once a day, as often as plans paid in TOK need it. */
function listPrices({ deployment }: Stage, { present, priceE8 }: SeedOptions): Moment[] {
  return Array.from({ length: storyDays - 1 }, (_, index) => ({
    at: present - (index + 1) * day,
    what: 'a price',
    build: () => buildPriceAct(deployment, priceE8),
  }));
}

function listMarketSteps({ deployment }: Stage, { present }: SeedOptions): Moment[] {
  return marketSteps.map(([ago, market, who, ...deed]) => ({
    at: present - parseAgo(ago),
    what: `${who}: ${deed.join(' ')}`,
    build: () => buildMarketAct(deployment, market, who, deed),
  }));
}

function listTaskSteps(stage: Stage, { present }: SeedOptions): Moment[] {
  const posted: Record<Market, bigint> = { standard: 0n, micro: 0n };
  const ids = new Map<Tale, bigint>();
  const idOf = (tale: Tale): bigint => {
    const known = ids.get(tale);
    if (known !== undefined) return known;
    // The first deed of every tale puts the task onto its registry, which counts from 1.
    posted[tale.terms.market] += 1n;
    ids.set(tale, posted[tale.terms.market]);
    return posted[tale.terms.market];
  };
  return tales.flatMap((tale) =>
    tale.steps.map(([ago, ...deed]) => {
      const at = present - parseAgo(ago);
      const what = `${tale.text}: ${deed.join(' ')}`;
      return { at, what, build: () => buildTaskAct({ stage, tale, taskId: idOf(tale), at }, deed) };
    }),
  );
}
