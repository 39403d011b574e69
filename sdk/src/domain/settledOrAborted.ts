// Waits for work, but not beyond an abort.

/**
 * Resolves when the work has ended, well or not, or the signal aborts. Not a race against a promise of the abort: that
 * one would keep something of every round for as long as the process lives.
 */
export function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    work.then(end, end);
    if (signal.aborted) end();
  });
}
