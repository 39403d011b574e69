// Carries a plan out: everybody moves at their times, faults come one after the other, memory is sampled.
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../test/support/replay/random.ts';
import { inflict } from './faults/inflict.ts';
import type { Outcome, PersonalAct, PublicAct, World } from './moves/actor.ts';
import { claimByPayment, claimByReceipt } from './moves/claiming.ts';
import { buyPlan } from './moves/plans.ts';
import { read, record, request } from './moves/public.ts';
import { talk } from './moves/talking.ts';
import { post, trade } from './moves/trading.ts';
import { watchOverload } from './overload.ts';
import type { PersonalMove, Plan, PublicMove } from './plan.ts';

const personalActs: Readonly<Record<PersonalMove, PersonalAct>> = {
  trade,
  post,
  claimByReceipt,
  claimByPayment,
  buyPlan,
};
const publicActs: Readonly<Record<PublicMove, PublicAct>> = { read, record, request, talk };

const sampleEveryMs = 1_000;
const collectEveryMs = 20_000;
/** Who is behind by more than this leaves the move out. */
const longestDelayMs = 5_000;

export type Progress = (seconds: number, fault: string) => void;

export async function perform(
  world: World,
  plan: Plan,
  seconds: number,
  onProgress: Progress,
): Promise<void> {
  const { journal, stage, people } = world;
  const start = journal.now();
  const elapsed = () => journal.now() - start;
  const end = seconds * 1_000;
  let fault = '';
  const over = new AbortController();

  async function waitFor(at: number): Promise<void> {
    const rest = at - elapsed();
    if (rest > 0) await pause(rest, undefined, { signal: over.signal }).catch(() => undefined);
  }

  async function note(who: string, move: string, act: () => Promise<Outcome>): Promise<void> {
    const at = journal.now();
    const result = await act().catch(describeFailure);
    journal.moves.push({ at, to: journal.now(), who, move, ...result });
  }

  const persons = plan.personal.map(async (moves, index) => {
    const person = people.traders[index % people.traders.length] as (typeof people.traders)[number];
    for (const { at, kind, seed } of moves) {
      await waitFor(at);
      if (over.signal.aborted) return;
      if (elapsed() - at > longestDelayMs) continue;
      await note(person.name, kind, () => personalActs[kind](world, person, createRandom(seed)));
    }
  });
  const strangers = (async () => {
    const underway = new Set<Promise<void>>();
    for (const { at, kind, seed } of plan.public) {
      await waitFor(at);
      if (over.signal.aborted) break;
      if (elapsed() - at > longestDelayMs || underway.size >= 8) continue;
      const moving = note('anybody', kind, () => publicActs[kind](world, createRandom(seed)));
      underway.add(moving);
      void moving.finally(() => underway.delete(moving));
    }
    await Promise.all(underway);
  })();
  const misfortune = (async () => {
    for (const planned of plan.faults) {
      await waitFor(planned.at);
      fault = planned.kind;
      await inflict(world, planned);
      fault = '';
      if (elapsed() > end && !plan.isShort) return;
    }
  })();
  const overload = watchOverload(stage, journal);
  const timer = setInterval(() => {
    for (const server of stage.servers) server.sample(journal.now());
    onProgress(Math.min(elapsed() / 1_000, seconds), fault);
  }, sampleEveryMs);
  const collecting = setInterval(() => {
    for (const server of stage.servers) server.collect();
  }, collectEveryMs);
  try {
    await Promise.all([waitFor(end), misfortune]);
  } finally {
    over.abort();
    await Promise.all([...persons, strangers]);
    clearInterval(timer);
    clearInterval(collecting);
    await overload.end();
  }
}

/** Whether something was broken then is for the checks to see. */
function describeFailure(error: unknown): Outcome {
  const { message, stack } = error as Error;
  return { outcome: 'failed', detail: `${message} ${stack?.split('\n')[1]?.trim() ?? ''}` };
}
