// What the follower needs of the chain and of whoever remembers; chain/source.ts and store/projection.ts meet it.
import type {
  BlockRef,
  BlockWrite,
  ChainEvent,
  Cursor,
  Generation,
  Hash,
  Head,
  HistoryWrite,
  Market,
  Task,
  TaskKey,
} from '@svc/sdk/domain';

export type SourceBlock = Head & { readonly parentHash: Hash };

export type EventRange = {
  readonly events: readonly ChainEvent[];
  /** The block before the first one asked for. */
  readonly parentHash: Hash;
  /** Whether every block was checked to have told all its logs. */
  readonly isProven: boolean;
};

export type ChainSource = {
  readonly identity: string;
  readonly startBlock: bigint;
  /** How many blocks can be asked for at once with proof that all their logs were told. */
  readonly provenBlocks: bigint;
  readonly readHead: () => Promise<SourceBlock>;
  /** Null when the chain is not that long. */
  readonly readBlock: (number: bigint) => Promise<SourceBlock | null>;
  /** Throws where the chain does not lead to `to`. */
  readonly readEvents: (from: bigint, to: BlockRef) => Promise<EventRange>;
  /** Those of the tasks that exist at that block. Throws where the chain no longer has it. */
  readonly readTasks: (market: Market, numbers: readonly bigint[], blockHash: Hash) => Promise<Task[]>;
  readonly readTaskCounts: (blockHash: Hash) => Promise<Readonly<Record<Market, bigint>>>;
  /** Before more is believed, the chain has to show again which one it is. */
  readonly distrust: () => void;
  /** It has answered what cannot be true: another endpoint is asked next, if there is one. */
  readonly blame: (reason: Error) => void;
};

/** Every write throws FOLLOWER_OVERTAKEN, and changes nothing, where the rows are not those it builds on. */
export type ProjectionStore = {
  readonly loadCursor: () => Promise<Cursor | null>;
  /** A new reading of the chain. Rows of another chain are gone with it; those of this one are shown until it is complete. */
  readonly begin: (identity: string) => Promise<Generation>;
  readonly saveSnapshotPage: (generation: Generation, tasks: readonly Task[]) => Promise<void>;
  readonly finishSnapshot: (generation: Generation, head: Head, startBlock: bigint) => Promise<void>;
  readonly saveBlocks: (step: BlockWrite) => Promise<void>;
  readonly saveHistory: (step: HistoryWrite) => Promise<void>;
  /** Newest first. */
  readonly loadKept: () => Promise<BlockRef[]>;
  /** The tasks that events above this block speak of. */
  readonly loadTouchedAbove: (number: bigint) => Promise<TaskKey[]>;
  readonly loadTaskCount: (market: Market) => Promise<bigint>;
  /** The first task whose posting is known from this block on; the number of the next task where none is. */
  readonly loadFirstPosted: (market: Market, fromBlock: bigint) => Promise<bigint>;
  /** All that is before the head has to be read again. */
  readonly restartHistory: (generation: Generation) => Promise<void>;
  /** Tasks that are not at their end, by number. */
  readonly loadLive: (market: Market, after: bigint, limit: number) => Promise<Task[]>;
  /** Renders some rows again that another version rendered; says whether there may be more. */
  readonly refreshRenderings: () => Promise<boolean>;
  /** Deletes some of what earlier readings left; answers whether there is more. */
  readonly sweep: () => Promise<boolean>;
};
