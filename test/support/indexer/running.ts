// A follower that runs on its own, as in a process of the site, with ways to see what it does.
import type { IndexerEvent } from '#service/indexer/advance.ts';
import type { ConfirmOptions } from '#service/indexer/confirm.ts';
import { runIndexer } from '#service/indexer/runIndexer.ts';
import type { ChainSource } from '#service/indexer/source.ts';
import type { Database } from '#service/store/database.ts';
import { createLease } from '#service/store/lease.ts';
import type { ProjectionStore } from '#service/store/projection.ts';
import { createProjectionStore } from '#service/store/projection.ts';

export type RunningFollower = ReturnType<typeof startFollower>;

export type RunningOptions = {
  readonly source: ChainSource;
  readonly database: Database;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly confirm?: ConfirmOptions;
  /** Stands between follower and rows. */
  readonly wrapStore?: (store: ProjectionStore) => ProjectionStore;
};

export function startFollower(options: RunningOptions) {
  const {
    source,
    database,
    leaseMs = 3_000,
    pollMs = 20,
    confirm = {},
    wrapStore = (store) => store,
  } = options;
  const events: IndexerEvent[] = [];
  const stopping = new AbortController();
  let wake = () => {};
  const following = runIndexer(
    {
      source,
      store: wrapStore(createProjectionStore(database, () => 0)),
      lease: createLease(database, { name: 'follower', milliseconds: leaseMs }),
      onHead: (onHead) => {
        wake = onHead;
        return () => {
          wake = () => {};
        };
      },
      onEvent: (event) => events.push(event),
      pollMs,
      confirm,
    },
    stopping.signal,
  );
  return {
    events: events as readonly IndexerEvent[],
    countOf: (kind: IndexerEvent['kind']) => events.filter((event) => event.kind === kind).length,
    /** Announces a new block. */
    wake: () => wake(),
    stop: () => {
      stopping.abort();
      return following;
    },
  };
}
