// What the follower needs of the chain and of whoever remembers; chain/source.ts and store/projection.ts meet it.
import type { ChainEvent } from '#domain/event.ts';
import type { BlockRef, BlockWrite, Cursor, Head, HistoryWrite } from '#domain/follow.ts';
import type { Market } from '#domain/market.ts';
import type { Hash, Task } from '#domain/task.ts';
import type { TaskKey } from '#domain/taskId.ts';

export type SourceBlock = Head & { readonly parentHash: Hash; readonly logsBloom: Hash };

export type ChainSource = {
  readonly identity: string;
  readonly startBlock: bigint;
  readonly readHead: () => Promise<SourceBlock>;
  readonly readBlock: (number: bigint) => Promise<SourceBlock | null>;
  readonly readEvents: (from: bigint, to: bigint) => Promise<ChainEvent[]>;
  readonly mayHoldEvents: (block: SourceBlock) => boolean;
  readonly readTasks: (market: Market, numbers: readonly bigint[], blockHash: Hash) => Promise<Task[]>;
  readonly readTaskCount: (market: Market, blockHash: Hash) => Promise<bigint>;
};

export type ProjectionStore = {
  readonly loadCursor: () => Promise<Cursor | null>;
  readonly begin: (identity: string, startBlock: bigint) => Promise<void>;
  readonly saveSnapshotPage: (tasks: readonly Task[]) => Promise<void>;
  readonly finishSnapshot: (head: Head) => Promise<void>;
  readonly saveBlocks: (step: BlockWrite) => Promise<void>;
  readonly saveHistory: (step: HistoryWrite) => Promise<void>;
  readonly loadKept: () => Promise<BlockRef[]>;
  readonly loadTouchedAbove: (number: bigint) => Promise<TaskKey[]>;
  readonly loadTaskCount: (market: Market) => Promise<bigint>;
};
