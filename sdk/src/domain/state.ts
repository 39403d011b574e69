// The states of a task and of a dispute, in the order of the Solidity enums.

export const taskStates = [
  'NONE',
  'POSTED',
  'CLAIMED',
  'ACTIVE',
  'DELIVERED',
  'DISPUTED',
  'COMPLETED',
  'RESOLVED',
  'CANCELLED',
] as const;
export type StoredState = (typeof taskStates)[number];
/** NONE means that the task does not exist. */
export type TaskState = Exclude<StoredState, 'NONE'>;

export const terminalStates = ['COMPLETED', 'RESOLVED', 'CANCELLED'] as const satisfies TaskState[];
export type TerminalState = (typeof terminalStates)[number];

export const disputePhases = ['NONE', 'ANSWERING', 'PROPOSING', 'ASSIGNED', 'ESCALATED', 'CLOSED'] as const;
export type DisputePhase = (typeof disputePhases)[number];

/** Who may act on a task. A sponsor puts up a bond for the worker: any wallet but the poster. The arbitrator is the judge. */
export const roles = ['poster', 'worker', 'sponsor', 'arbitrator', 'anyone'] as const;
export type Role = (typeof roles)[number];
/** As the catalog knows them. Records of the API call anyone but the poster `anyone`. */
export type Actor = Role | 'anyone but the poster';

export function toRole(actor: Actor): Role {
  return actor === 'anyone but the poster' ? 'anyone' : actor;
}

export const scopes = ['open', 'private'] as const;
export type Scope = (typeof scopes)[number];

/** Said wherever a person or an agent chooses it or meets it. */
export const privateMeans = 'Private hides words and files. Public: number, parties, amounts, times, digest.';

/** What takes the access fee. */
export const feeActions = ['post', 'claim', 'dismiss', 'leave'] as const;
export type FeeAction = (typeof feeActions)[number];

export const currencies = ['tok', 'usdc'] as const;
export type Currency = (typeof currencies)[number];

export const settlementKinds = ['mutual', 'silence', 'ruling', 'withdrawn'] as const;
export type SettlementKind = (typeof settlementKinds)[number];

/** Whether a task in this state has ended for good. */
export function isTerminal(state: StoredState): state is TerminalState {
  return terminalStates.some((terminal) => terminal === state);
}

/** The name of an enum's number; throws on an unknown number. */
export function nameOf<const Names extends readonly string[]>(names: Names, index: number): Names[number] {
  const name = names[index];
  if (name === undefined) throw new RangeError(`${index} is none of ${names.join(', ')}`);
  return name;
}

/** The number of a name in the contracts. */
export function indexOf<const Names extends readonly string[]>(names: Names, name: Names[number]): number {
  return names.indexOf(name);
}
