// The deviations: who does what from which state, what the honest way is from there, and what happens if somebody sleeps.
import { day, type Market } from './gasMarket.ts';

/** Returns what the author has got for nothing or did not get, beside what its wallets show. */
export type Step = (market: Market, taskId: bigint) => Promise<bigint | undefined>;

export type Deviation = {
  readonly author: keyof typeof owners;
  readonly phase: keyof typeof starts;
  readonly move: string;
  /** Where it begins before its task. */
  readonly start?: (market: Market) => Promise<bigint>;
  readonly honest: readonly Step[];
  /** Everybody else answers as well as they can, and judges rule as the work deserves. */
  readonly awake: readonly Step[];
  /** The same move, and this one sleeps. */
  readonly sleeper?: 'worker' | 'poster' | 'fallback';
  readonly asleep?: readonly Step[];
  /** Why a deviation that pays somewhere is accepted. */
  readonly reason?: string;
};

/** The wallets that an author owns. */
export const owners = {
  poster: (m: Market) => [m.poster],
  worker: (m: Market) => [m.worker],
  'worker and sponsor': (m: Market) => [m.worker, m.staker],
  arbitrator: (m: Market) => [m.arbitrator],
  'arbitrator and poster': (m: Market) => [m.arbitrator, m.poster],
  'fallback and worker': (m: Market) => [m.worker, m.fallback],
  'fallback and poster': (m: Market) => [m.poster, m.fallback],
};
/** How a task comes to the phase in which a deviation begins. */
export const starts = {
  POSTED: (m: Market) => m.posted(),
  CLAIMED: (m: Market) => m.claimed(),
  ACTIVE: (m: Market) => m.active(),
  DELIVERED: (m: Market) => m.delivered(),
  ASSIGNED: (m: Market) => m.assigned(),
};

const phases = { answering: 1, proposing: 2, assigned: 3, escalated: 4 };
const all = 10_000;
const aWeek = 7 * day;

/** A step that leaves nothing beside what wallets show. */
function step(run: (market: Market, taskId: bigint) => Promise<unknown>): Step {
  return async (market, taskId) => {
    await run(market, taskId);
    return undefined;
  };
}

const accept = step((m, id) => m.accept(id));
const claim = step((m, id) => m.claim(id));
const cancel = step((m, id) => m.cancel(id));
const deliver = step((m, id) => m.deliver(id));
const dispute = step((m, id) => m.dispute(id));
const disputeWithoutBond = step((m, id) => m.dispute(id, undefined, false));
const answer = step((m, id) => m.answer(id));
const answerBySponsor = step((m, id) => m.answer(id, m.staker));
const answerWithoutBond = step((m, id) => m.answer(id, m.worker, false));
const escalate = step((m, id) => m.escalate(id));
const giveNotice = step((m, id) => m.giveNotice(id));
const leave = step((m, id) => m.leave(id));
const posterConcedes = (phase: keyof typeof phases) =>
  step((m, id) => m.concede(id, m.poster, phases[phase]));
const workerConcedes = (phase: keyof typeof phases) =>
  step((m, id) => m.concede(id, m.worker, phases[phase]));
const rule = (workerBps: number) => step((m, id) => m.resolve(id, workerBps));
const fallbackRules = (workerBps: number) => step((m, id) => m.resolve(id, workerBps, m.fallback));
const courtTimesOut = (seconds: number) => step((m, id) => m.timeOut(id, seconds, m.court));
const timesOut = (seconds: number) => step((m, id) => m.timeOut(id, seconds));

const trust = 'the fallback arbitrator is trusted with the cases that reach it';
const silence = 'silence has to end every case, or nobody could ever close one';

export const deviations: readonly Deviation[] = [
  {
    author: 'poster',
    phase: 'POSTED',
    move: 'baits a worker with a task that it never funds, instead of posting nothing',
    start: async () => 0n,
    honest: [],
    awake: [
      step(async (m) => {
        const taskId = await m.posted({});
        await m.claim(taskId);
        await m.timeOut(taskId, day + 1);
      }),
    ],
  },
  {
    author: 'poster',
    phase: 'POSTED',
    move: 'baits a worker with a funded task that it never starts, instead of cancelling it; the work is worth its price',
    honest: [cancel],
    awake: [
      claim,
      step(async (m) => m.skip(day)),
      step((m, id) => m.start(id, m.worker)),
      deliver,
      accept,
      async (m) => m.total,
    ],
    sleeper: 'worker',
    asleep: [claim, timesOut(2 * day), cancel],
    reason:
      'stakers get 40 % of every fee. To refund the worker would make squatting free, and to leave the poster out is avoided by a second wallet',
  },
  {
    author: 'worker',
    phase: 'POSTED',
    move: 'squats a funded task and lets the claim lapse, instead of doing nothing',
    honest: [],
    awake: [claim, timesOut(2 * day)],
  },
  {
    author: 'poster',
    phase: 'ACTIVE',
    move: 'gives notice at once and takes the bond of a worker that does not answer; the work is worth its price',
    honest: [deliver, accept, async (m) => m.total],
    awake: [giveNotice, step((m, id) => m.answerNotice(id)), deliver, accept, async (m) => m.total],
    sleeper: 'worker',
    asleep: [giveNotice, step(async (m) => m.skip(day)), step((m, id) => m.dismiss(id, 0n)), cancel],
    reason: 'B for A: a worker that does not answer a notice within a day is absent',
  },
  {
    author: 'poster',
    phase: 'DELIVERED',
    move: 'disputes good work, and concedes when the worker answers',
    honest: [accept],
    awake: [dispute, answer, posterConcedes('proposing')],
    sleeper: 'worker',
    asleep: [dispute, courtTimesOut(4 * day)],
    reason: silence,
  },
  {
    author: 'poster',
    phase: 'DELIVERED',
    move: 'disputes good work, and concedes in front of the answer',
    honest: [accept],
    awake: [dispute, posterConcedes('answering')],
    sleeper: 'worker',
    asleep: [dispute, courtTimesOut(4 * day)],
    reason: silence,
  },
  {
    author: 'poster',
    phase: 'DELIVERED',
    move: 'disputes good work of a worker with a bond, up to the fallback',
    honest: [accept],
    awake: [dispute, answer, escalate, fallbackRules(all)],
    sleeper: 'fallback',
    asleep: [dispute, answer, escalate, courtTimesOut(aWeek)],
    reason: trust,
  },
  {
    author: 'poster',
    phase: 'DELIVERED',
    move: 'disputes good work of a worker without a bond, up to the fallback',
    honest: [accept],
    awake: [dispute, answerWithoutBond, fallbackRules(all)],
    sleeper: 'fallback',
    asleep: [dispute, answerWithoutBond, courtTimesOut(aWeek)],
    reason: trust,
  },
  {
    author: 'poster',
    phase: 'DELIVERED',
    move: 'disputes good work without a bond',
    honest: [accept],
    awake: [disputeWithoutBond, fallbackRules(all)],
    sleeper: 'fallback',
    asleep: [disputeWithoutBond, courtTimesOut(aWeek)],
  },
  {
    author: 'worker',
    phase: 'CLAIMED',
    move: 'lets the claim lapse instead of leaving',
    honest: [leave],
    awake: [timesOut(2 * day)],
    reason: 'leaving costs A at once and no mark; a lapse costs a mark in the record, which no wallet shows',
  },
  {
    author: 'worker',
    phase: 'ACTIVE',
    move: 'stays silent instead of leaving',
    honest: [leave],
    awake: [timesOut(12 * day)],
    reason: 'leaving costs A + B/2 and silence B: the specification asks for A. Silence also costs a mark',
  },
  {
    author: 'worker',
    phase: 'ACTIVE',
    move: 'delivers junk instead of leaving, and concedes when it is disputed',
    honest: [leave],
    awake: [deliver, dispute, workerConcedes('answering')],
    sleeper: 'poster',
    asleep: [deliver, timesOut(4 * day)],
    reason: 'as silence; and silence of the poster has to pay honest workers',
  },
  {
    author: 'worker',
    phase: 'ACTIVE',
    move: 'delivers junk and answers with a bond, up to the fallback',
    honest: [leave],
    awake: [deliver, dispute, answer, escalate, fallbackRules(0)],
    sleeper: 'fallback',
    asleep: [deliver, dispute, answer, escalate, courtTimesOut(aWeek)],
    reason: `as silence, where F is small beside A; and ${trust}`,
  },
  {
    author: 'worker',
    phase: 'ACTIVE',
    move: 'delivers junk and answers without a bond',
    honest: [leave],
    awake: [deliver, dispute, answerWithoutBond, fallbackRules(0)],
    sleeper: 'fallback',
    asleep: [deliver, dispute, answerWithoutBond, courtTimesOut(aWeek)],
    reason: 'as silence: it costs B, leaving A + B/2',
  },
  {
    author: 'worker and sponsor',
    phase: 'ACTIVE',
    move: 'deliver junk, and the sponsor puts up the bond',
    honest: [leave],
    awake: [deliver, dispute, answerBySponsor, escalate, fallbackRules(0)],
    sleeper: 'fallback',
    asleep: [deliver, dispute, answerBySponsor, escalate, courtTimesOut(aWeek)],
    reason: `as silence, where F is small beside A; and ${trust}`,
  },
  {
    author: 'arbitrator',
    phase: 'ASSIGNED',
    move: 'does not rule',
    honest: [rule(all)],
    awake: [escalate, fallbackRules(all)],
  },
  {
    author: 'arbitrator and poster',
    phase: 'ASSIGNED',
    move: 'rule against good work',
    honest: [rule(all)],
    awake: [rule(0)],
    reason: 'both parties named this arbitrator; its record counts different pairs of parties',
  },
  {
    author: 'fallback and worker',
    phase: 'ACTIVE',
    move: 'deliver junk, and rule for it',
    honest: [leave],
    awake: [deliver, dispute, answer, escalate, fallbackRules(all)],
    reason: `${trust}; powers.md says what one key can take`,
  },
  {
    author: 'fallback and poster',
    phase: 'DELIVERED',
    move: 'dispute good work, and rule against it',
    honest: [accept],
    awake: [dispute, answer, escalate, fallbackRules(0)],
    reason: `${trust}; powers.md says what one key can take`,
  },
];
