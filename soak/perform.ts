// Carries out a plan: moves at their times, faults one after the other, memory samples.

import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../test/support/replay/random.ts';
import { createMinutely } from './checks/minutely.ts';
import { inflict } from './faults/inflict.ts';
import type { Journal } from './journal.ts';
import { mail } from './moves/mailing.ts';
import { buyPlan, claimByPayment, claimByReceipt } from './moves/paying.ts';
import { read, record, request } from './moves/public.ts';
import { share } from './moves/sharing.ts';
import { talk } from './moves/talking.ts';
import { post, trade } from './moves/trading.ts';
import type { Person } from './people.ts';
import type { PersonalMove, Plan, PublicMove } from './plan.ts';
import type { Server } from './server.ts';
import type { Setup } from './setup.ts';
import type { Outcome, PersonalAct, PublicAct, World } from './world.ts';

type Note = (who: string, move: string, act: () => Promise<Outcome>) => Promise<void>;

const mostTries = 20;

/** One trader pays for a claim before any fault: a run in which nobody pays would prove nothing of payments. */
async function payFirst(world: World, seed: number, note: Note): Promise<void> {
  const [poster, payer] = world.people.traders as [Person, Person, ...Person[]];
  const random = createRandom(seed);
  const isPaid = () => world.journal.payments.some(({ isGranted }) => isGranted);
  for (let tries = 0; tries < mostTries && !isPaid(); tries++) {
    await note(poster.name, 'post', () => post(world, poster, random));
    await note(payer.name, 'claimByPayment', () => claimByPayment(world, payer, random));
  }
}

const personalActs: Readonly<Record<PersonalMove, PersonalAct>> = {
  trade,
  post,
  claimByReceipt,
  claimByPayment,
  buyPlan,
  mail,
  share,
};
const publicActs: Readonly<Record<PublicMove, PublicAct>> = { read, record, request, talk };

const sampleEveryMs = 1_000;
const collectEveryMs = 20_000;
/** A move that is later than this is skipped. */
const longestDelayMs = 5_000;

export type Progress = (seconds: number, fault: string) => void;

export async function perform(
  world: World,
  plan: Plan,
  seconds: number,
  onProgress: Progress,
): Promise<void> {
  const { journal, setup, people } = world;
  const note: Note = async (who, move, act) => {
    const at = journal.now();
    const result = await act().catch(describeFailure);
    journal.moves.push({ at, to: journal.now(), who, move, ...result });
  };
  await payFirst(world, plan.seed, note);
  const start = journal.now();
  const elapsed = () => journal.now() - start;
  const end = seconds * 1_000;
  let fault = '';
  const over = new AbortController();

  async function waitFor(at: number): Promise<void> {
    const rest = at - elapsed();
    if (rest > 0) await pause(rest, undefined, { signal: over.signal }).catch(() => undefined);
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
  const publicRun = (async () => {
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
  const minutely = createMinutely(world);
  const faultRun = (async () => {
    for (const planned of plan.faults) {
      await waitFor(planned.at);
      fault = planned.kind;
      await inflict(world, planned);
      fault = '';
      await minutely.audit();
      if (elapsed() > end && !plan.isShort) return;
    }
  })();
  const overload = watchOverload(setup, journal);
  const timer = setInterval(() => {
    for (const server of setup.servers) server.sample(journal.now());
    for (const server of [...setup.sites, ...setup.gateways, setup.small]) void askHealth(server, journal);
    onProgress(Math.min(elapsed() / 1_000, seconds), fault);
  }, sampleEveryMs);
  const collecting = setInterval(() => {
    for (const server of setup.servers) server.collect();
  }, collectEveryMs);
  try {
    await Promise.all([waitFor(end), faultRun]);
    await minutely.heal();
  } finally {
    over.abort();
    await Promise.all([...persons, publicRun]);
    clearInterval(timer);
    clearInterval(collecting);
    minutely.close();
    await overload.end();
  }
}

/** A server that does not answer has said nothing. */
async function askHealth({ name: server, url }: Server, { health, now }: Journal): Promise<void> {
  const signal = AbortSignal.timeout(5_000);
  const response = await fetch(`${url()}/health`, { signal }).catch(() => null);
  const said = (await response?.json().catch(() => null)) as { readonly ready?: boolean } | null;
  if (typeof said?.ready === 'boolean') health.push({ at: now(), server, isReady: said.ready });
}

/** The checks decide whether a fault explains it. */
function describeFailure(error: unknown): Outcome {
  const { message, stack } = error as Error;
  return { outcome: 'failed', detail: `${message} ${stack?.split('\n')[1]?.trim() ?? ''}` };
}

const probeEveryMs = 250;
/** The chain normally answers within milliseconds. */
const slowMs = 1_000;
/** Requests sent in that time may fail later; none waits longer for the chain. */
const aftermathMs = 10_000;

/** Records when the machine is too busy: a slow chain then explains failures, as a fault does. */
export function watchOverload({ client }: Setup, journal: Journal): { readonly end: () => Promise<void> } {
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const from = journal.now();
      await client.getBlockNumber().catch(() => undefined);
      const to = journal.now();
      if (to - from > slowMs) note(journal, from, to);
      await pause(probeEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    end: async () => {
      stop.abort();
      await watching;
    },
  };
}

/** A slow chain that a fault has frozen counts as that fault only. */
function note({ windows }: Journal, from: number, to: number): void {
  const isFrozen = windows.some(
    (window) => window.detail === 'chain' && window.from <= to && from <= window.to,
  );
  if (isFrozen) return;
  const last = windows.findLast(({ kind }) => kind === 'overload');
  if (last !== undefined && from <= last.to) Object.assign(last, { repairedAt: to, to: to + aftermathMs });
  else
    windows.push({
      kind: 'overload',
      detail: 'the machine is too busy',
      from,
      repairedAt: to,
      to: to + aftermathMs,
      servers: null,
      isExcuse: true,
      trouble: null,
    });
}
