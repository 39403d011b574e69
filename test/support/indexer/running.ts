// A follower that runs on its own, as in a process of the site, with ways to see what it does.
import { type FollowEvent, type FollowOptions, runFollower } from '#service/chain/follow.ts';
import type { ChainSource } from '#service/chain/source.ts';
import type { Database } from '#service/store/database.ts';
import { createLease } from '#service/store/lease.ts';
import { createForwardStore, type ForwardStore } from '#service/store/reading.ts';

export type RunningFollower = ReturnType<typeof startFollower>;

export type RunningOptions = Pick<FollowOptions, 'near' | 'mostEvents' | 'lookEveryMs'> & {
  readonly source: ChainSource;
  readonly database: Database;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  /** Stands between follower and rows. */
  readonly wrapStore?: (store: ForwardStore) => ForwardStore;
};

export function startFollower(options: RunningOptions) {
  const { source, database, leaseMs = 3_000, pollMs = 20, wrapStore = (store) => store, ...more } = options;
  const events: FollowEvent[] = [];
  const stopping = new AbortController();
  let wake = () => {};
  const following = runFollower(
    {
      ...more,
      source,
      store: wrapStore(createForwardStore(database, () => 0)),
      lease: createLease(database, { name: 'follower', milliseconds: leaseMs }),
      onHead: (onHead) => {
        wake = onHead;
        return () => {
          wake = () => {};
        };
      },
      onEvent: (event) => events.push(event),
      pollMs,
    },
    stopping.signal,
  );
  return {
    events: events as readonly FollowEvent[],
    countOf: (kind: FollowEvent['kind']) => events.filter((event) => event.kind === kind).length,
    /** Announces a new block. */
    wake: () => wake(),
    stop: () => {
      stopping.abort();
      return following;
    },
  };
}
