// Work that follows the notices of a database, such as a look at the rows after each write of the indexer.

/** Calls back after every write, in whichever process it runs. Returns the function that stops it. */
export type Listen = (onNotice: () => void) => Promise<() => Promise<void>>;

/**
 * Runs the work at each notice, once at a time. A notice while it runs makes it run once more, for all notices together. A
 * failure is made up for by the next notice, which comes with every block.
 */
export async function followNotices(listen: Listen, work: () => Promise<void>) {
  let running: Promise<void> | null = null;
  let isDue = false;
  let isClosed = false;
  function run(): void {
    isDue = true;
    if (running !== null || isClosed) return;
    isDue = false;
    running = work()
      .catch(() => undefined)
      .finally(() => {
        running = null;
        if (isDue) run();
      });
  }
  const stop = await listen(run);
  return {
    run,
    close: async (): Promise<void> => {
      isClosed = true;
      await stop();
      await running;
    },
  };
}
