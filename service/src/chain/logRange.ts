// The number of blocks per eth_getLogs request: as many as the provider takes. A refusal shrinks it, an answer lets it grow,
// and the smallest refused number is remembered, so that the provider's limit is not exceeded again and again.

import { isTimeout } from '@svc/sdk/internal/chain/rpcEndpoint';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';

export type Range<T = unknown> = ReturnType<typeof createRange<T>>;

type RangeOptions<T = unknown> = {
  readonly first: number;
  readonly largest: number;
  /** The work that an answer causes, and the most that one answer should cause: other work waits for it. */
  readonly work?: { readonly of: (answer: T) => number; readonly most: number };
};

const growth = 2;
/** The search for the provider's limit ends when it is known to this part. */
const precision = 1 / 8;
/**
 * After so many answers a refused size is tried again, later each time that it is refused. The limit may have been raised, or for
 * a while everything was refused.
 */
const doubtAfter = { fewest: 8, most: 500 };

export function createRange<T = unknown>({ first, largest, work }: RangeOptions<T>) {
  let size = first;
  let mostTaken = 0;
  let leastRefused = Number.POSITIVE_INFINITY;
  let answers = 0;
  let patience = doubtAfter.fewest;

  function grow(taken: number): number {
    if (taken * growth < leastRefused) return taken * growth;
    return leastRefused - taken > taken * precision ? Math.floor((taken + leastRefused) / 2) : taken;
  }

  /** Grows while twice the work would be allowed, and shrinks in proportion to the excess. */
  function noteAnswer(taken: number, answer: T): void {
    if (++answers >= patience) leastRefused = Number.POSITIVE_INFINITY;
    mostTaken = Math.max(mostTaken, taken);
    const share = work === undefined ? 0 : work.of(answer) / work.most;
    if (share > 1) size = Math.max(1, Math.floor(taken / share));
    else if (share <= 1 / growth) size = Math.min(largest, grow(taken));
  }

  function noteRefusal(refused: number): void {
    answers = 0;
    if (mostTaken > 0) patience = Math.min(2 * patience, doubtAfter.most);
    // A size that was taken before: perhaps everything is refused.
    if (mostTaken >= refused) [mostTaken, patience] = [0, doubtAfter.fewest];
    // That of a single block says nothing about sizes.
    leastRefused = refused === 1 ? Number.POSITIVE_INFINITY : Math.min(leastRefused, refused);
    size = mostTaken > 0 ? mostTaken : halve(refused);
  }

  return {
    /**
     * Calls `request` with the current size, and with a smaller one while the chain refuses. Any other error is thrown; only
     * a request that got no answer in time also makes the next one smaller.
     */
    use: async <Answer extends T>(request: (size: number) => Promise<Answer>): Promise<Answer> => {
      for (;;) {
        const asked = size;
        try {
          const answer = await request(asked);
          noteAnswer(asked, answer);
          return answer;
        } catch (error) {
          if (isTimeout(error)) size = halve(asked);
          if (!isErrorOf(error, 'CHAIN_REFUSED')) throw error;
          noteRefusal(asked);
          if (asked === 1) throw error;
        }
      }
    },
  };
}

function halve(size: number): number {
  return Math.max(1, Math.floor(size / 2));
}
