// What the follower hands to whoever remembers: where it stands on the chain, and what one step changed.
import type { ChainEvent } from './event.ts';
import type { Hash, Task } from './task.ts';
import type { TaskKey } from './taskId.ts';

export type BlockRef = { readonly number: bigint; readonly hash: Hash };

export type Head = BlockRef & { readonly time: number };

/**
 * One complete reading of a chain, by its number: a snapshot and all that followed. The next one is written beside it
 * and shown once it is complete; whoever still writes into an earlier one has been overtaken.
 */
export type Generation = number;

export type Cursor = {
  readonly identity: string;
  /** Null until the first snapshot of this chain is complete. */
  readonly shown: Shown | null;
};

/** The rows that readers get. */
export type Shown = {
  readonly generation: Generation;
  readonly head: Head;
  readonly startBlock: bigint;
  /** Events from this block on are known; startBlock when all are. */
  readonly historyFloor: bigint;
  /** The hash of the block below the floor, to which older events must lead. */
  readonly historyHash: Hash;
};

/** Everything one step of the follower changes. It is written whole or not at all. */
export type BlockWrite = {
  readonly generation: Generation;
  /** The head this step builds on. Where the stored one is another, another follower has been here: nothing is written. */
  readonly base: Hash;
  /** Undo everything above this block first: the chain has forked there. */
  readonly fork: bigint | null;
  readonly events: readonly ChainEvent[];
  readonly tasks: readonly Task[];
  /** Tasks that a fork has taken away. */
  readonly gone: readonly TaskKey[];
  readonly head: Head;
  /** Hashes to keep, for finding the next fork. */
  readonly kept: readonly BlockRef[];
};

/** Older events. Nothing has changed on the chain; answers become more complete. */
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
