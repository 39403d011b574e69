// What every fault is given, and what it answers.
import type { Random } from '../../test/support/replay/random.ts';
import type { World } from '../moves/actor.ts';

export type FaultOptions = {
  readonly ms: number;
  /** Hit none whose memory is watched from here on. */
  readonly sparesWatched: boolean;
  readonly random: Random;
};

export type Inflicted = {
  readonly detail: string;
  /** Whose failures it explains; null explains those of all. */
  readonly servers: readonly string[] | null;
  /** Whether it explains failures at all. */
  readonly isExcuse: boolean;
  /** Whether nothing is broken before it is mended: a fork is felt when blocks are taken back. */
  readonly isFeltLater?: boolean;
  readonly mend: () => Promise<void>;
};

/** Breaks something and answers how it is mended again, which is done after `ms`. */
export type Fault = (world: World, options: FaultOptions) => Promise<Inflicted>;
