// How many blocks of logs to ask for at once: half as many after a refusal, more after each success.
import { SvcError } from '#domain/errors.ts';

export type Range = {
  /**
   * Asks with the present size, and where the chain refuses asks again at once with half of it. Any other failure is
   * the caller's, and also makes the next question smaller: it may have been too much.
   */
  readonly use: <T>(question: (size: number) => Promise<T>) => Promise<T>;
};

export type RangeOptions = {
  readonly first: number;
  readonly largest: number;
  /**
   * A question should take no longer than this, so that nothing has to wait behind it. On a busy machine even the
   * smallest one would: it is never made smaller than the first for that.
   */
  readonly paceMs?: number;
};

const growth = 2;

export function createRange({ first, largest, paceMs = Number.POSITIVE_INFINITY }: RangeOptions): Range {
  let size = first;

  function adapt(milliseconds: number): void {
    const isSlow = milliseconds > paceMs;
    const wanted = isSlow ? Math.max((size * paceMs) / milliseconds, Math.min(size, first)) : size * growth;
    size = Math.min(largest, Math.floor(wanted));
  }

  return {
    use: async (question) => {
      for (;;) {
        const start = performance.now();
        try {
          const answer = await question(size);
          adapt(performance.now() - start);
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
