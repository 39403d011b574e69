// Serves until the process is told to stop, and ends so that no request fails: readiness first, connections after it.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadSide } from './readSide.ts';

export type Serving = {
  readonly readSide: Pick<ReadSide, 'drain'>;
  readonly drainSeconds: number;
  /** Finishes what is under way and closes everything. */
  readonly close: () => Promise<void>;
};

/** Connections are cut off after ten seconds; a database that never answers must not hold up the end for longer. */
const longestEndMs = 20_000;

/**
 * After SIGTERM, by which service managers end a process, it goes on answering for a while, so that whoever shares out
 * requests notices. Who presses Ctrl-C wants it to end.
 */
export async function serveUntil(
  stop: AbortSignal,
  { readSide, drainSeconds, close }: Serving,
): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort');
  readSide.drain();
  if (stop.reason === 'SIGTERM' && drainSeconds > 0) await pause(drainSeconds * 1_000);
  const impatience = setTimeout(() => process.exit(1), longestEndMs);
  await close();
  clearTimeout(impatience);
}
