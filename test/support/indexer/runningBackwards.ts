// A follower that reads backwards, with ways to see what it does.

import type { ChainSource } from '#service/chain/source.ts';
import type { IndexerEvent } from '#service/indexer/advance.ts';
import type { ConfirmOptions } from '#service/indexer/confirm.ts';
import { runIndexer } from '#service/indexer/runIndexer.ts';
import type { Database } from '#service/store/database.ts';
import { createLease } from '#service/store/lease.ts';
import type { ProjectionStore } from '#service/store/projection.ts';
import { createProjectionStore } from '#service/store/projection.ts';

export type BackwardFollower = ReturnType<typeof startBackwardFollower>;

export type BackwardOptions = {
  readonly source: ChainSource;
  readonly database: Database;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly confirm?: ConfirmOptions;
  /** Stands between follower and rows. */
  readonly wrapStore?: (store: ProjectionStore) => ProjectionStore;
};

export function startBackwardFollower(options: BackwardOptions) {
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
