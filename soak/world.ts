// What moves and faults receive and return.
import type { Random } from '../test/support/replay/random.ts';
import type { Ask } from './asking.ts';
import type { Journal, MoveResult } from './journal.ts';
import type { People, Person } from './people.ts';
import type { Setup } from './setup.ts';

export type World = {
  readonly setup: Setup;
  readonly people: People;
  readonly journal: Journal;
  readonly ask: Ask;
};

export type Outcome = Pick<MoveResult, 'outcome' | 'detail' | 'task'>;

export type PersonalAct = (world: World, person: Person, random: Random) => Promise<Outcome>;
export type PublicAct = (world: World, random: Random) => Promise<Outcome>;

export const nothing: Outcome = { outcome: 'nothing to do', detail: '' };
export const done = (detail = ''): Outcome => ({ outcome: 'done', detail });
export const refused = (detail: string): Outcome => ({ outcome: 'refused', detail });
/** An unexpected status; the checks judge it by the recorded reply. */
export const unanswered = (status: number): Outcome => refused(`answered ${status}`);

export type FaultOptions = {
  readonly ms: number;
  /** Spares processes whose memory is watched. */
  readonly sparesWatched: boolean;
  readonly random: Random;
};

export type Inflicted = {
  readonly detail: string;
  /** Servers whose failures it explains; null means all. */
  readonly servers: readonly string[] | null;
  /** Whether it explains failures. */
  readonly isExcuse: boolean;
  /** True if the fault takes effect at its repair: a fork does when blocks are reverted. */
  readonly startsAtRepair?: boolean;
  readonly repair: () => Promise<void>;
};

/** Injects the fault; returns its repair, which runs after `ms`. */
export type Fault = (world: World, options: FaultOptions) => Promise<Inflicted>;
