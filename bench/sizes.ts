// How much is measured: in full for figures, or just enough to prove that every script runs.
import type { Rounds } from './compare.ts';

export type Sizes = {
  /** Stored tasks behind the reads. */
  readonly crowd: number;
  readonly rounds: Rounds;
  /** Real tasks on the embedded chain, and how many more are posted while the site is away. */
  readonly chainTasks: number;
  readonly laterTasks: number;
  /** How many blocks are waited for. */
  readonly visible: number;
  /** Stored tasks at which the scale is measured, and how often. */
  readonly scale: readonly number[];
  readonly latencyRounds: number;
  readonly latencyRequests: number;
  readonly steadySeconds: number;
  readonly restarts: number;
};

export const fullSizes: Sizes = {
  crowd: 100_000,
  rounds: { rounds: 7, roundMs: 1_500, warmUpRequests: 20_000 },
  chainTasks: 5_000,
  laterTasks: 1_000,
  visible: 200,
  scale: [1_000, 100_000, 1_000_000],
  latencyRounds: 9,
  latencyRequests: 3_000,
  steadySeconds: 20,
  restarts: 5,
};

export const quickSizes: Sizes = {
  crowd: 300,
  rounds: { rounds: 1, roundMs: 100, warmUpRequests: 50 },
  chainTasks: 40,
  laterTasks: 10,
  visible: 3,
  scale: [100, 200, 300],
  latencyRounds: 1,
  latencyRequests: 20,
  steadySeconds: 0.2,
  restarts: 1,
};
