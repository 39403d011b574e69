// Mines the story onto a new chain, in the order of time.
import { buildPriceTransaction } from '../price.ts';
import type { DevTransaction, Miner } from '../transactions.ts';
import { buildAccountStep, buildEntries } from './accountSteps.ts';
import { accountSteps, day, numberTasks, parseAgo, storyDays, taskStories } from './story.ts';
import { buildTaskStep } from './taskSteps.ts';

type SeedOptions = {
  /** Unix seconds of the moment at which the story ends. */
  readonly present: number;
  readonly priceE8: bigint;
  readonly onMined?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
};

type TimedStep = {
  readonly at: number;
  readonly label: string;
  readonly build: () => Promise<DevTransaction> | DevTransaction;
};

export async function seedMarkets(miner: Miner, options: SeedOptions): Promise<void> {
  const steps = [
    ...listEntries(miner, options),
    ...listPrices(miner, options),
    ...listAccountSteps(miner, options),
    ...listTaskSteps(miner, options),
  ].sort((left, right) => left.at - right.at);
  for (const [index, { at, label, build }] of steps.entries()) {
    options.signal?.throwIfAborted();
    try {
      await miner.mine(await build(), at);
    } catch (cause) {
      throw new Error(`The seed failed at ${label}.`, { cause });
    }
    options.onMined?.(index + 1, steps.length);
  }
}

/** On the first day every participant sets allowances and collateral. */
function listEntries({ deployment }: Miner, { present }: SeedOptions): TimedStep[] {
  const at = present - storyDays * day + 3_600;
  return buildEntries(deployment).map((entry) => ({ at, label: 'the entries', build: () => entry }));
}

/** Once a day: plans paid in TOK are sold at a fresh price only. */
function listPrices({ deployment }: Miner, { present, priceE8 }: SeedOptions): TimedStep[] {
  return Array.from({ length: storyDays - 1 }, (_, index) => ({
    at: present - (index + 1) * day,
    label: 'a price',
    build: () => buildPriceTransaction(deployment, priceE8),
  }));
}

function listAccountSteps({ deployment }: Miner, { present }: SeedOptions): TimedStep[] {
  return accountSteps.map(([ago, market, account, ...step]) => ({
    at: present - parseAgo(ago),
    label: `${account}: ${step.join(' ')}`,
    build: () => buildAccountStep(deployment, market, account, step),
  }));
}

function listTaskSteps({ deployment, publicClient }: Miner, { present }: SeedOptions): TimedStep[] {
  const numbers = numberTasks();
  return taskStories.flatMap((story) => {
    const taskId = numbers.get(story) as bigint;
    return story.steps.map(([ago, ...step]) => {
      const at = present - parseAgo(ago);
      const build = () => buildTaskStep({ deployment, publicClient, story, taskId, at }, step);
      return { at, label: `${story.key}: ${step.join(' ')}`, build };
    });
  });
}
