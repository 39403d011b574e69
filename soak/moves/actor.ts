// What every move is given, and what it answers.
import type { Random } from '../../test/support/replay/random.ts';
import type { Ask } from '../asking.ts';
import type { Journal, MoveResult } from '../journal.ts';
import type { People, Person } from '../people.ts';
import type { Stage } from '../stage.ts';

export type World = {
  readonly stage: Stage;
  readonly people: People;
  readonly journal: Journal;
  readonly ask: Ask;
};

export type Outcome = Pick<MoveResult, 'outcome' | 'detail'>;

export type PersonalAct = (world: World, person: Person, random: Random) => Promise<Outcome>;
export type PublicAct = (world: World, random: Random) => Promise<Outcome>;

export const nothing: Outcome = { outcome: 'nothing to do', detail: '' };
export const done = (detail = ''): Outcome => ({ outcome: 'done', detail });
export const refused = (detail: string): Outcome => ({ outcome: 'refused', detail });
/** A server did not answer as it should; the checks judge that by its answer, and not here. */
export const unanswered = (status: number): Outcome => refused(`answered ${status}`);
