// The number of blocks per eth_getLogs request: halved after a refusal, larger after each success.
import { SvcError } from '#domain/errors.ts';

export type Range<T = unknown> = {
  /**
   * Calls `request` with the current size, and again with half of it while the chain refuses. Any other error is thrown
   * and also halves the next size, since the range may have been the reason.
   */
  readonly use: <Answer extends T>(request: (size: number) => Promise<Answer>) => Promise<Answer>;
};

export type RangeOptions<T = unknown> = {
  readonly first: number;
  readonly largest: number;
  /** The work that an answer causes, and the most that one answer should cause: other work waits for it. */
  readonly work?: { readonly of: (answer: T) => number; readonly most: number };
};

const growth = 2;

export function createRange<T = unknown>({ first, largest, work }: RangeOptions<T>): Range<T> {
  let size = first;

  /** Grows while twice the work would be allowed, and shrinks in proportion to the excess. */
  function adapt(answer: T): void {
    const share = work === undefined ? 0 : work.of(answer) / work.most;
    const factor = share > 1 ? 1 / share : share > 1 / growth ? 1 : growth;
    size = Math.min(largest, Math.max(1, Math.floor(size * factor)));
  }

  return {
    use: async (request) => {
      for (;;) {
        try {
          const answer = await request(size);
          adapt(answer);
          return answer;
        } catch (error) {
          const isLast = size === 1;
          size = Math.max(1, Math.floor(size / 2));
          if (isLast || !isRefusal(error)) throw error;
        }
      }
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'CHAIN_REFUSED';
}
