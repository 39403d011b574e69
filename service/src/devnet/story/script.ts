// The vocabulary in which the seeded market is told: who did what, and how long ago.

import type { Currency, Market, Scope } from '@svc/sdk/domain';
import type { AccountName } from '../accounts.ts';
import type { TextKey } from './texts/library.ts';

/** Time before the present, such as '3d 4h'. */
export type Ago = string;
export type Side = 'poster' | 'worker';

/** Amounts are whole TOK. A deed without a named doer is the poster's or the worker's, as its meaning says. */
export type TaskDeed =
  | readonly ['post', fundNow: number]
  | readonly ['create', worker: AccountName, fundNow: number]
  | readonly ['claim', worker: AccountName]
  | readonly ['fund', amount: number]
  | readonly ['start', by?: Side]
  | readonly ['deliver']
  | readonly ['accept']
  | readonly ['complete']
  | readonly ['leave']
  | readonly ['dismiss']
  | readonly ['cancel']
  | readonly ['timeOut']
  | readonly ['dispute', by: Side]
  | readonly ['propose', by: Side, arbitrator: AccountName]
  | readonly ['rule', by: AccountName, workerBps: number]
  | readonly ['escalate']
  | readonly ['timeOutDispute']
  | readonly ['settle', workerBps: number];

/** One task from its posting to where it stands today. */
export type Tale = {
  readonly text: TextKey;
  readonly terms: TaleTerms;
  readonly steps: readonly (readonly [ago: Ago, ...deed: TaskDeed])[];
};

export type TaleTerms = {
  readonly market: Market;
  readonly poster: AccountName;
  /** What each milestone pays, in whole TOK; most tasks have one. */
  readonly pays: readonly [number, ...number[]];
  /** From posting to the deadline. */
  readonly due: Ago;
  readonly review: Ago;
  /** Private tasks are created by both signatures and carry no text on the chain. */
  readonly scope?: Scope;
};

/** What somebody does on a market apart from a task. Amounts are whole TOK, those of deposits whole USDC. */
export type MarketDeed =
  | readonly ['deposit', usdc: number]
  | readonly ['withdraw', usdc: number]
  | readonly ['stake', amount: number]
  | readonly ['unstake', amount: number]
  | readonly ['claimReward']
  | readonly ['bond', amount: number, minHeld: number]
  | readonly ['requestUnbond']
  | readonly ['buyPlan', tier: string, payWith: Currency];

export type MarketStep = readonly [ago: Ago, market: Market, who: AccountName, ...deed: MarketDeed];

export const day = 86_400;
const units: Readonly<Record<string, number>> = { d: day, h: 3_600, m: 60 };

/** '3d 4h' in seconds. */
export function parseAgo(ago: Ago): number {
  const parts = ago.split(' ').map((part) => /^(\d+)([dhm])$/.exec(part));
  return parts.reduce((sum, part) => {
    if (part === null) throw new Error(`"${ago}" is no time of the story.`);
    return sum + Number(part[1]) * (units[part[2] as string] as number);
  }, 0);
}
