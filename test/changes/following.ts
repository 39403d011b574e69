// Follows the stream through the client and keeps what it tells.
import type { EventsOptions, MarketEvent } from '#client/createMarketClient.ts';
import { type TestSite, waitFor } from '../support/site.ts';

export type Following = {
  readonly seen: MarketEvent[];
  /** Ids of the tasks told so far, in order. */
  readonly ids: () => string[];
  readonly until: (isThere: (seen: readonly MarketEvent[]) => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Ready when the stream has begun. */
export async function follow(
  site: TestSite,
  options: Omit<EventsOptions, 'signal'> = {},
): Promise<Following> {
  const end = new AbortController();
  const seen: MarketEvent[] = [];
  const reading = (async () => {
    for await (const event of site.client().events({ ...options, signal: end.signal })) seen.push(event);
  })();
  const until: Following['until'] = (isThere) => waitFor(() => isThere(seen));
  // Without a place to go on from, a stream begins with a reset.
  if (options.after === undefined) await until(() => seen.length > 0);
  return {
    seen,
    ids: () => seen.flatMap((event) => (event.type === 'task' ? [event.task.id] : [])),
    until,
    stop: async () => {
      end.abort();
      await reading;
    },
  };
}
