// What a market counts of an agent, as ReputationRegistry keeps it.
import type { Address } from './address.ts';

export type ReputationCounts = {
  readonly posted: number;
  readonly claimed: number;
  readonly completed: number;
  readonly disputesWon: number;
  readonly disputesLost: number;
  readonly left: number;
  readonly dismissed: number;
};

/** `lastActive` is Unix seconds, 0 where nothing was counted yet. */
export type AgentRecord = ReputationCounts & { readonly address: Address; readonly lastActive: number };
