// The one clock that chain and server share: wall time plus an offset that only grows.

export type Clock = {
  /** Unix seconds: the time of a block mined now. */
  readonly now: () => number;
  readonly offsetSeconds: () => number;
  /** Moves everything that lives by this clock ahead, the chain first. */
  readonly advance: (seconds: number) => Promise<void>;
};

export function createClock(offsetSeconds: number, moveChain: (seconds: number) => Promise<void>): Clock {
  let offset = offsetSeconds;
  return {
    now: () => Math.floor(Date.now() / 1_000) + offset,
    offsetSeconds: () => offset,
    advance: async (seconds) => {
      if (!Number.isSafeInteger(seconds) || seconds < 0)
        throw new RangeError(`A clock can be moved ahead by whole seconds only, not by ${seconds}.`);
      await moveChain(seconds);
      offset += seconds;
    },
  };
}
