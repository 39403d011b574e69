// Work that is asked for more often than it can be done, such as a look at the rows after each notice.

export type Rerun = { readonly run: () => void; readonly close: () => Promise<void> };

/**
 * Runs the work once at a time. A call while it runs makes it run once more, for all calls together. A failure is made up
 * for by the next call, which comes with every block.
 */
export function createRerun(work: () => Promise<void>): Rerun {
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
  return {
    run,
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}
