// How fast to ask an endpoint: without limit until it says "too many requests", then a little slower than it took.
import { sleep } from '#domain/backoff.ts';

export type Pace = {
  /** How long a call would wait now, in milliseconds. */
  readonly waitMs: () => number;
  /** Waits until this many calls may be sent. */
  readonly take: (calls: number, signal: AbortSignal) => Promise<void>;
  /** The endpoint refused calls for their number, and may have said how long to wait. */
  readonly slowDown: (retryAfterMs: number) => void;
};

/** Most providers count per second. */
const windowMs = 1_000;
/** Of what was sent within the last second before a refusal. */
const slower = 0.75;
/** Close to a rate that was refused lately it grows slowly each second, otherwise fast. */
const slowly = 1.05;
const fast = 1.5;
const latelyMs = 10_000;
/** An endpoint that refuses everything for a while is asked this often. */
const slowest = 2;
/** A rate above this needs no limit. */
const unlimited = 10_000;

export function createPace(now: () => number = () => performance.now()): Pace {
  let perSecond = Number.POSITIVE_INFINITY;
  let refused = Number.POSITIVE_INFINITY;
  let nextAt = 0;
  let changedAt = 0;
  let refusedAt = 0;
  let sent: { readonly at: number; readonly calls: number }[] = [];

  function countSent(): number {
    const since = now() - windowMs;
    sent = sent.filter(({ at }) => at > since);
    return sent.reduce((sum, { calls }) => sum + calls, 0);
  }

  /** By one step for each second that has passed, also while nothing was asked. */
  function grow(): void {
    while (perSecond !== Number.POSITIVE_INFINITY && now() - changedAt >= windowMs) {
      changedAt += windowMs;
      const isClose = perSecond * fast > refused && changedAt - refusedAt < latelyMs;
      perSecond *= isClose ? slowly : fast;
      if (perSecond > unlimited) perSecond = Number.POSITIVE_INFINITY;
    }
  }

  return {
    waitMs: () => Math.max(0, nextAt - now()),
    take: async (calls, signal) => {
      grow();
      const at = Math.max(now(), nextAt);
      nextAt = at + (calls * windowMs) / perSecond;
      if (at > now()) await sleep(at - now(), signal);
      if (sent.length > 1_000) countSent();
      sent.push({ at: now(), calls });
    },
    slowDown: (retryAfterMs) => {
      const time = now();
      nextAt = Math.max(nextAt, time + Math.max(retryAfterMs, windowMs));
      // Calls that were refused together count once.
      if (perSecond !== Number.POSITIVE_INFINITY && time - refusedAt < windowMs) return;
      changedAt = time;
      refusedAt = time;
      refused = Math.max(slowest, Math.min(perSecond, countSent()));
      perSecond = Math.max(slowest, slower * refused);
    },
  };
}
