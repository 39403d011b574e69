// Background work that runs repeatedly, one round after the other.
import { setTimeout as pause } from 'node:timers/promises';
import { settledOrAborted } from '@svc/sdk/internal/domain/backoff';
import type { AppLog } from '../http/requestLog.ts';

export type RoundsNeeds = {
  /** Asks nothing more once the signal is aborted. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Between the end of a round and the next. */
  readonly pauseMs: number;
};

/** Rounds whose failures are logged as those of `what`. */
export function repeat(
  log: Pick<AppLog, 'error'>,
  what: string,
  pauseMs: number,
  round: RoundsNeeds['round'],
): ReturnType<typeof createRounds> {
  return createRounds({ round, pauseMs, onError: (error) => log.error({ error }, `${what} failed`) });
}

export function createRounds({ round, onError, pauseMs }: RoundsNeeds): {
  readonly close: () => Promise<void>;
} {
  const stop = new AbortController();
  const { signal } = stop;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      // A read from an unresponsive chain may take half a minute to time out; a stop does not wait for it.
      await settledOrAborted(round(signal).catch(onError), signal);
    }
  }

  const running = run();
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
}
