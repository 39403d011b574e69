// What the indexer stores: its position on the chain, and the changes of one step.
import type { ChainEvent } from './event.ts';
import type { Hash, Task } from './task.ts';
import type { TaskKey } from './taskId.ts';

export type BlockRef = { readonly number: bigint; readonly hash: Hash };

export type Head = BlockRef & { readonly time: number };

/**
 * The number of one complete read of a chain: a snapshot and everything after it. The next one is written beside it and
 * becomes visible once it is complete. A process that still writes into an earlier one must start over.
 */
export type Generation = number;

export type Cursor = {
  readonly identity: string;
  /** Null until the first snapshot of this chain is complete. */
  readonly shown: Shown | null;
};

/** The rows that are visible to readers. */
export type Shown = {
  readonly generation: Generation;
  readonly head: Head;
  readonly startBlock: bigint;
  /** Events from this block on are known; startBlock when all are. */
  readonly historyFloor: bigint;
  /** The hash of the block below the floor, which older blocks must lead to. */
  readonly historyHash: Hash;
};

/** All changes of one indexer step, written in one transaction. */
export type BlockWrite = {
  readonly generation: Generation;
  /** The head this step builds on. If the stored head differs, another indexer has written and nothing is changed. */
  readonly base: Hash;
  /** The fork: everything above this block is undone first. */
  readonly fork: bigint | null;
  readonly events: readonly ChainEvent[];
  readonly tasks: readonly Task[];
  /** Tasks that a fork has removed. */
  readonly gone: readonly TaskKey[];
  readonly head: Head;
  /** Hashes to keep, for finding the next fork. */
  readonly kept: readonly BlockRef[];
};

/** Older events. They change no current state and complete the history. */
export type HistoryWrite = {
  readonly generation: Generation;
  /** The floor this step builds on, as `base` above. */
  readonly base: bigint;
  readonly events: readonly ChainEvent[];
  readonly floor: bigint;
  /** The block below the new floor. */
  readonly parentHash: Hash;
  readonly kept: readonly BlockRef[];
};
