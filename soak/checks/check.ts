// One named promise, and every way in which a run has broken it.

export type Check = {
  readonly name: string;
  readonly violations: readonly string[];
  /** What it is based on, so that «none» is seen to mean something. */
  readonly basis: string;
};
