// The kinds of TOK payments that a wallet's earnings list.

/** What each kind does to the wallet's TOK: 1 comes in, -1 goes out. */
export const moveSigns = {
  earned: 1,
  refunded: 1,
  fromDispute: 1,
  funded: -1,
  accessFee: -1,
  disputeBond: -1,
} as const;

export type MoveKind = keyof typeof moveSigns;
export const moveKinds = Object.keys(moveSigns) as [MoveKind, ...MoveKind[]];
