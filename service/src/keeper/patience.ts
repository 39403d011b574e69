// When an exit is tried: after a while that chance decides, so that of several keepers one is first, and after a failure
// each time later.

export type Patience = {
  /** Of the phases that are open now, those whose turn it is; phases that are gone are forgotten. */
  readonly choose: <Entry extends { readonly phase: string }>(open: readonly Entry[]) => Entry[];
  readonly noteFailure: (phase: string) => void;
};

export type PatienceOptions = {
  /** The longest while. */
  readonly delayMs: number;
  readonly now?: () => number;
  readonly random?: () => number;
};

const firstPauseMs = 2_000;
const longestPauseMs = 300_000;

type Turn = { readonly failures: number; readonly notBefore: number };

export function createPatience({
  delayMs,
  now = () => performance.now(),
  random = Math.random,
}: PatienceOptions): Patience {
  let turns = new Map<string, Turn>();
  const begin = (): Turn => ({ failures: 0, notBefore: now() + delayMs * random() });
  return {
    choose: (open) => {
      turns = new Map(open.map(({ phase }) => [phase, turns.get(phase) ?? begin()]));
      return open.filter(({ phase }) => (turns.get(phase) as Turn).notBefore <= now());
    },
    noteFailure: (phase) => {
      const failures = (turns.get(phase)?.failures ?? 0) + 1;
      const pause = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
      turns.set(phase, { failures, notBefore: now() + pause * (0.5 + random() / 2) });
    },
  };
}
