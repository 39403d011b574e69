// Waits for what a test expects to become so, and says what it was when it never does.
import { patienceMs } from './patience.ts';

/** Grows with the time waited so far: a question often goes to a server, whose core the awaited work may need. */
const [firstPauseMs, longestPauseMs] = [10, 250];

/** Asks again and again. The message of the failure holds the question itself, its stack the line that asked. */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs = patienceMs): Promise<void> {
  const inVain = new Error(`For ${limitMs / 1_000} s this did not become so: ${isSo}`);
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(inVain), limitMs);
  });
  try {
    // A question that is never answered ends at the deadline as well.
    while (!(await Promise.race([isSo(), deadline]))) {
      const grown = (performance.now() - startedAt) / 20;
      const pauseMs = Math.min(Math.max(grown, firstPauseMs), longestPauseMs);
      await Promise.race([new Promise((resolve) => setTimeout(resolve, pauseMs)), deadline]);
    }
  } finally {
    clearTimeout(timer);
  }
}
