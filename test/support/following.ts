// Follows the stream through the client and keeps the events it receives.
import { afterEach } from 'node:test';
import type { EventsOptions, MarketEvent } from '#sdk/client/streams.ts';
import type { TestSite } from './site.ts';
import { until } from './until.ts';

export type Following = {
  readonly seen: MarketEvent[];
  /** Ids of the tasks told so far, in order. */
  readonly ids: () => string[];
  readonly until: (isThere: (seen: readonly MarketEvent[]) => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A client comes back for ever: one that a failed test left would keep the file from ending. */
const followed = new Set<Following>();
afterEach(async () => {
  await Promise.all([...followed].map(({ stop }) => stop()));
});

/** Ready when the stream has begun. Stopped after the test at the latest. */
export async function follow(
  site: TestSite,
  options: Omit<EventsOptions, 'signal'> = {},
): Promise<Following> {
  const end = new AbortController();
  const seen: MarketEvent[] = [];
  const reading = (async () => {
    for await (const event of site.client().events({ ...options, signal: end.signal })) seen.push(event);
  })();
  const following: Following = {
    seen,
    ids: () => seen.flatMap((event) => (event.type === 'task' ? [event.task.id] : [])),
    until: (isThere) => until(() => isThere(seen)),
    stop: async () => {
      followed.delete(following);
      end.abort();
      await reading;
    },
  };
  followed.add(following);
  // Without a place to go on from, a stream begins with a reset.
  if (options.after === undefined) await following.until(() => seen.length > 0);
  return following;
}
