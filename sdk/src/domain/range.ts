// How many blocks of logs to ask for at once: half as many after a refusal, more after each success.
import { SvcError } from './errors.ts';

/** For answers of the kind `T`. */
export type Range<T = unknown> = {
  /**
   * Asks with the present size, and where the chain refuses asks again at once with half of it. Any other failure is
   * the caller's, and also makes the next question smaller: it may have been too much.
   */
  readonly use: <Answer extends T>(question: (size: number) => Promise<Answer>) => Promise<Answer>;
};

export type RangeOptions<T = unknown> = {
  readonly first: number;
  readonly largest: number;
  /** How much work an answer was, of which one should not be more than `most`: others have to wait behind it. */
  readonly work?: { readonly of: (answer: T) => number; readonly most: number };
};

const growth = 2;

export function createRange<T = unknown>({ first, largest, work }: RangeOptions<T>): Range<T> {
  let size = first;

  /** Grows while twice the work is still not too much, and shrinks by as much as it was. */
  function adapt(answer: T): void {
    const share = work === undefined ? 0 : work.of(answer) / work.most;
    const factor = share > 1 ? 1 / share : share > 1 / growth ? 1 : growth;
    size = Math.min(largest, Math.max(1, Math.floor(size * factor)));
  }

  return {
    use: async (question) => {
      for (;;) {
        try {
          const answer = await question(size);
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
