// What was asked and answered in a run, and when what was broken: all that the checks look at afterwards.

export type Answer = {
  /** Milliseconds from the start: when it was sent, and when it was answered. */
  readonly from: number;
  readonly to: number;
  /** Of whom it was asked. */
  readonly server: string;
  readonly what: string;
  /** 0 where no answer came. */
  readonly status: number;
  readonly detail: string;
};

/** From the fault to the moment at which everything is well again. */
export type Window = {
  readonly kind: string;
  detail: string;
  from: number;
  mendedAt: number;
  /** Endless while it lasts. */
  to: number;
  /** Whose failures it explains; null explains those of all. */
  servers: readonly string[] | null;
  /** Whether it explains failures at all: a flood of bad input explains none. */
  isExcuse: boolean;
  recovered: boolean;
};

export type MoveResult = {
  readonly at: number;
  readonly to: number;
  readonly who: string;
  readonly move: string;
  readonly outcome: 'done' | 'nothing to do' | 'refused' | 'failed';
  readonly detail: string;
};

/** Posts that nobody will ever mine, told by a fresh wallet between two moments: how many were taken on one day. */
export type Records = {
  readonly address: string;
  readonly from: number;
  readonly to: number;
  readonly taken: number;
  /** How many are counted afterwards; null where something was broken meanwhile. */
  readonly shown: number | null;
};

export type Journal = {
  readonly now: () => number;
  readonly answers: Answer[];
  readonly windows: Window[];
  readonly moves: MoveResult[];
  /** How often each was of use; a name stands for one receipt, payment or purchase. */
  readonly uses: {
    readonly receipt: Map<string, number>;
    readonly payment: Map<string, number>;
    readonly purchase: Map<string, number>;
  };
  readonly records: Records[];
  /** Wallet requests that were taken in. */
  readonly requests: string[];
  /** Hashes of envelopes whose sender was told that they are sent. */
  readonly envelopes: string[];
  /** Hostile requests; only those without a good answer are among the answers. */
  hostile: number;
  /** Raised by each fork: what happened before it may be asked for again. */
  forks: number;
};

export function createJournal(): Journal {
  const start = performance.now();
  return {
    now: () => performance.now() - start,
    answers: [],
    windows: [],
    moves: [],
    uses: { receipt: new Map(), payment: new Map(), purchase: new Map() },
    records: [],
    requests: [],
    envelopes: [],
    hostile: 0,
    forks: 0,
  };
}

export function countUse(uses: Map<string, number>, name: string, times: number): void {
  uses.set(name, (uses.get(name) ?? 0) + times);
}

/** Whether something was broken, or not yet well again, at any moment between these two. */
export function isExcused(
  { windows }: Pick<Journal, 'windows'>,
  from: number,
  to: number,
  server: string,
): boolean {
  return windows.some(
    (window) =>
      window.isExcuse &&
      from <= window.to &&
      to >= window.from &&
      (window.servers === null || window.servers.includes(server)),
  );
}
