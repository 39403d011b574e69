// The plan of a run, derived from its seed: all moves and faults with their times.
import { createRandom } from '../test/support/replay/random.ts';
import { type FaultKind, faults } from './faults/all.ts';

/** Moves of a person with a wallet, and how often each is chosen. */
const personalWeights = {
  trade: 9,
  post: 3,
  claimByReceipt: 3,
  claimByPayment: 3,
  buyPlan: 1,
  mail: 3,
  share: 3,
};
/** Moves without a wallet. */
const publicWeights = { read: 8, record: 4, request: 3, talk: 2 };

export type PersonalMove = keyof typeof personalWeights;
export type PublicMove = keyof typeof publicWeights;

export type Move<Kind> = {
  /** Milliseconds from the start. */
  readonly at: number;
  readonly kind: Kind;
  /** Seed of the random choices of this move. */
  readonly seed: number;
};

export type PlannedFault = Move<FaultKind> & {
  /** Duration until it is repaired. */
  readonly ms: number;
  /** Spares processes whose memory is watched. */
  readonly sparesWatched: boolean;
};

export type Plan = {
  readonly seed: number;
  /** A short run has a few faults, chosen by the seed, and continues until each has occurred. */
  readonly isShort: boolean;
  readonly personal: readonly (readonly Move<PersonalMove>[])[];
  readonly public: readonly Move<PublicMove>[];
  readonly faults: readonly PlannedFault[];
};

export type PlanOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly people: number;
  readonly kinds: readonly FaultKind[];
};

/** Pauses between moves, chosen for a load that two cores can serve. */
const personPause = { from: 1_500, over: 4_000 };
const publicPause = { from: 150, over: 500 };
/** The first fault comes after the first moves; then there is a pause between faults. */
const firstFaultMs = 1_000;
const peace = { from: 1_500, over: 4_500 };
const shortPeace = { from: 200, over: 300 };
/** Faults of a short run. */
const shortFaults = 7;
const faultMs = { from: 800, over: 3_200 };
const shortFaultMs = { from: 300, over: 500 };
/** Memory is watched in the second half; watched processes are spared from a little earlier. */
const sparedFrom = 0.4;
/** Shorter runs use short faults and pauses. */
const shortRunSeconds = 60;

export function buildPlan({ seed, seconds, people, kinds }: PlanOptions): Plan {
  const random = createRandom(seed);
  const end = seconds * 1_000;
  const isShort = seconds < shortRunSeconds;
  const within = ({ from, over }: { from: number; over: number }) => from + random.below(over);

  function buildMoves<Kind extends string>(
    weights: Readonly<Record<Kind, number>>,
    pause: { from: number; over: number },
  ): Move<Kind>[] {
    const deck = (Object.keys(weights) as Kind[]).flatMap((kind) => Array<Kind>(weights[kind]).fill(kind));
    const moves: Move<Kind>[] = [];
    for (let at = random.below(pause.over); at < end; at += within(pause))
      moves.push({ at, kind: random.pick(deck), seed: random.below(2 ** 31) });
    return moves;
  }

  /** Every kind in an order of chance, or a few of them. */
  function drawKinds(): FaultKind[] {
    const rest = kinds.filter((kind) => !isShort || faults[kind].lasts === undefined);
    const drawn: FaultKind[] = [];
    while (rest.length > 0 && !(isShort && drawn.length === shortFaults))
      drawn.push(...rest.splice(random.below(rest.length), 1));
    return drawn;
  }

  function buildFaults(): PlannedFault[] {
    const planned: PlannedFault[] = [];
    for (let at = firstFaultMs; at < end || isShort; ) {
      for (const kind of drawKinds()) {
        const sparesWatched = !isShort && at > end * sparedFrom;
        if (sparesWatched && faults[kind].hitsWatched) continue;
        const ms = within(faults[kind].lasts ?? (isShort ? shortFaultMs : faultMs));
        planned.push({ at, kind, seed: random.below(2 ** 31), ms, sparesWatched });
        at += ms + within(isShort ? shortPeace : peace);
      }
      if (isShort) break;
    }
    return planned.filter(({ at }) => at < end || isShort);
  }

  return {
    seed,
    isShort,
    personal: Array.from({ length: people }, () => buildMoves(personalWeights, personPause)),
    public: buildMoves(publicWeights, publicPause),
    faults: buildFaults(),
  };
}
