// What the follower hands to whoever remembers: where it stands on the chain, and what one step changed.
import type { ChainEvent } from './event.ts';
import type { Hash, Task } from './task.ts';
import type { TaskKey } from './taskId.ts';

export type BlockRef = { readonly number: bigint; readonly hash: Hash };

export type Head = BlockRef & { readonly time: number };

export type Cursor = {
  readonly identity: string;
  readonly startBlock: bigint;
  /** The block whose state the first rows show; null while they are being read. */
  readonly snapshotBlock: bigint | null;
  readonly head: Head | null;
  /** Events from this block on are known; startBlock when all are. */
  readonly historyFloor: bigint | null;
};

/** Everything one step of the follower changes. It is written whole or not at all. */
export type BlockWrite = {
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

export type HistoryWrite = {
  /** The floor this step builds on, as `base` above. */
  readonly base: bigint;
  readonly events: readonly ChainEvent[];
  readonly floor: bigint;
};
