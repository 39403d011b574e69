// How fast to ask an endpoint: without limit until it says "too many requests", then a little slower than it took.
import { sleep } from '../domain/backoff.ts';

/** Most providers count per second. */
const windowMs = 1_000;
/** Of what was sent within the second before a call that was refused. */
const slower = 0.75;
/** How fast the rate grows each second: slowly near a rate that was refused recently, fast otherwise. */
const slowly = 1.05;
const fast = 1.5;
const latelyMs = 10_000;
/** An endpoint that refuses everything for a while is asked this often. */
const slowest = 2;
/** A refusal of fewer calls than this is not about ours: others share the limit, or the endpoint refuses everything. */
const fewest = 5;
/** A rate above this needs no limit. */
const unlimited = 10_000;
/** How many of the newest requests are remembered, at least. */
const remembered = 1_000;

export function createPace(now: () => number = () => performance.now()) {
  let perSecond = Number.POSITIVE_INFINITY;
  let refused = Number.POSITIVE_INFINITY;
  let nextAt = 0;
  /** Until when the endpoint asked us to wait. */
  let restsUntil = 0;
  let changedAt = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let sent: { readonly at: number; readonly calls: number }[] = [];

  /** Not within the last second: on a busy machine an answer takes longer than that. */
  function countSentUntil(end: number): number {
    const inWindow = sent.filter(({ at }) => at > end - windowMs && at <= end);
    return inWindow.reduce((sum, { calls }) => sum + calls, 0);
  }

  function noteSent(at: number, calls: number): void {
    sent.push({ at, calls });
    if (sent.length > 2 * remembered) sent = sent.slice(-remembered);
  }

  /** Raises the rate by one step for each second that has passed, even if nothing was sent. Waiting calls then wait less. */
  function grow(): void {
    while (perSecond !== Number.POSITIVE_INFINITY && now() - changedAt >= windowMs) {
      changedAt += windowMs;
      const isClose = refused >= fewest && perSecond * fast > refused && changedAt - refusedAt < latelyMs;
      const factor = isClose ? slowly : fast;
      perSecond *= factor;
      if (nextAt > changedAt) nextAt = Math.max(restsUntil, changedAt + (nextAt - changedAt) / factor);
      if (perSecond > unlimited) perSecond = Number.POSITIVE_INFINITY;
    }
  }

  return {
    /** How long a call would wait now, in milliseconds. */
    waitMs: (): number => {
      grow();
      return Math.max(0, nextAt - now());
    },
    /** Waits until this many calls may be sent; resolves to the time of that moment. */
    take: async (calls: number, signal: AbortSignal): Promise<number> => {
      for (;;) {
        grow();
        const knownRefusal = refusedAt;
        const at = Math.max(now(), nextAt);
        nextAt = at + (calls * windowMs) / perSecond;
        if (at > now()) await sleep(at - now(), signal);
        // After a refusal in the meantime a call that waited waits again, at the new rate.
        if (refusedAt !== knownRefusal && !signal.aborted) continue;
        const sentAt = now();
        noteSent(sentAt, calls);
        return sentAt;
      }
    },
    /** The endpoint refused calls for their number, which were sent at `sentAt`, and may have said how long to wait. */
    slowDown: (sentAt: number, retryAfterMs: number): void => {
      // Sent before an earlier refusal was known: the rate has been lowered since.
      if (sentAt <= refusedAt) {
        restsUntil = Math.max(restsUntil, sentAt + retryAfterMs);
        nextAt = Math.max(nextAt, restsUntil);
        return;
      }
      refusedAt = now();
      changedAt = refusedAt;
      restsUntil = refusedAt + Math.max(retryAfterMs, windowMs);
      nextAt = restsUntil;
      refused = Math.max(
        slowest,
        perSecond === Number.POSITIVE_INFINITY ? countSentUntil(sentAt) : perSecond,
      );
      perSecond = Math.max(slowest, slower * refused);
    },
  };
}
