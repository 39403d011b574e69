// The names in a concern. Apart from its rules, so that programs which only read load no more than these.

/** What a wallet is or was to a task. The place in this list is the bit in `roles` of a row. */
export const concernRoles = ['poster', 'worker', 'sponsor', 'proposedArbitrator', 'arbitrator'] as const;
export type ConcernRole = (typeof concernRoles)[number];

/** After "You are the". */
export const roleNames: Readonly<Record<ConcernRole, string>> = {
  poster: 'poster',
  worker: 'worker',
  sponsor: 'payer of a dispute bond',
  proposedArbitrator: 'proposed arbitrator',
  arbitrator: 'arbitrator',
};

/** Whose turn it is, as the wallet sees it. `anyone` can end a phase that ran out; `nobody` once it is over for the wallet. */
export const turns = ['mine', 'anyone', 'theirs', 'nobody'] as const;
export type Turn = (typeof turns)[number];

/** What a phase decides about: all that escrow holds, one milestone of it, the worker's bond, the bond of a dispute. */
export const stakeKinds = ['escrow', 'milestone', 'workBond', 'disputeBond'] as const;
export type StakeKind = (typeof stakeKinds)[number];

/** Behind an amount. */
export const stakeNames: Readonly<Record<StakeKind, string>> = {
  escrow: 'in escrow',
  milestone: 'for this milestone',
  workBond: 'bond of the worker',
  disputeBond: 'dispute bond',
};
