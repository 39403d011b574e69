// Chance that repeats itself: the same seed gives the same requests, so that a finding can be found again.

export type Random = {
  /** A whole number from 0 up to, and without, the limit. */
  readonly below: (limit: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(values: readonly T[]) => T;
  readonly shuffle: <T>(values: readonly T[]) => T[];
};

/** Mulberry32: small, fast, and good enough to wander through a few thousand cases. */
export function createRandom(seed: number): Random {
  let state = seed;
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(fraction() * limit);
  return {
    below,
    chance: (share) => fraction() < share,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    shuffle: (values) => {
      const mixed = [...values];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [mixed[last], mixed[other]] = [mixed[other] as never, mixed[last] as never];
      }
      return mixed;
    },
  };
}
