// The words in which nodes refuse a transaction: there are no codes for it that all of them share.
import { BaseError } from 'viem';

/** A fee that is too low, or not enough above that of what waits under the same nonce. */
export function isUnderpriced(error: unknown): boolean {
  return says(error, /underpriced|replacement ?not ?allowed/i);
}

/** Another transaction has this nonce, mined or waiting; the node did not take ours. */
export function isNonceTaken(error: unknown): boolean {
  return says(
    error,
    /nonce (is )?too low|old ?nonce|same nonce|replacement (transaction )?underpriced|replacement ?not ?allowed/i,
  );
}

/** This very transaction is there, by its hash. */
export function isTakenAlready(error: unknown): boolean {
  return says(error, /already ?known|known transaction|already imported|already in mempool/i);
}

function says(error: unknown, words: RegExp): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof BaseError && words.test(at.details)) return true;
  return false;
}
