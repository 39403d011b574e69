// The story of the seeded market, read from the JSON files beside this one, and its vocabulary.
import type { Currency, Market, Scope } from '@svc/sdk/domain';
import type { TaskTexts } from '@svc/sdk/internal/domain/document';
import type { AccountName } from '../accounts.ts';
import accounts from './accounts.json' with { type: 'json' };
import cancelled from './cancelled.json' with { type: 'json' };
import completed from './completed.json' with { type: 'json' };
import disputed from './disputed.json' with { type: 'json' };
import inProgress from './inProgress.json' with { type: 'json' };
import open from './open.json' with { type: 'json' };
import resolved from './resolved.json' with { type: 'json' };

/** Time before the present, such as '3d 4h'. */
type Ago = string;
type Side = 'poster' | 'worker';

/** Amounts are whole TOK. A step that names no account is taken by the poster or the worker. Files are in seedFiles.ts. */
export type TaskStep =
  | readonly ['post', fundNow: number]
  | readonly ['create', worker: AccountName, fundNow: number]
  | readonly ['claim', worker: AccountName]
  | readonly ['fund', amount: number]
  | readonly ['start', by?: Side]
  | readonly ['deliver', note: string, ...files: readonly string[]]
  | readonly ['accept']
  | readonly ['complete']
  | readonly ['leave']
  | readonly ['notice']
  | readonly ['dismiss']
  | readonly ['extend', from: Ago]
  | readonly ['cancel']
  | readonly ['timeOut']
  | readonly ['dispute', evidence: string, ...files: readonly string[]]
  /** By the worker, with or without a bond, or with the bond of another account. */
  | readonly ['answer', how: 'bond' | 'noBond' | AccountName, evidence?: string, ...files: readonly string[]]
  | readonly ['evidence', by: Side, evidence: string, ...files: readonly string[]]
  | readonly ['propose', by: Side, arbitrator: AccountName]
  | readonly ['rule', by: AccountName, workerBps: number, reasons: string]
  | readonly ['concede', by: Side]
  | readonly ['escalate']
  | readonly ['timeOutDispute']
  | readonly ['settle', workerBps: number];

/** One task: its texts, its terms and its steps from the first to the present. */
export type TaskStory = Omit<TaskTexts, 'milestones'> & {
  readonly key: string;
  readonly market: Market;
  readonly poster: AccountName;
  /** Whole TOK per milestone; most tasks have one. */
  readonly pays: readonly [number, ...number[]];
  /** What each milestone is, where there are several. */
  readonly parts?: readonly string[];
  /** From the first step to the deadline. */
  readonly due: Ago;
  readonly review: Ago;
  /** Private tasks are created with both signatures and publish no text. */
  readonly scope?: Scope;
  readonly steps: readonly (readonly [ago: Ago, ...step: TaskStep])[];
};

/** What an account does apart from tasks. Amounts are whole TOK; deposits and withdrawals are whole USDC. */
export type AccountStep =
  | readonly ['deposit', usdc: number]
  | readonly ['withdraw', usdc: number]
  | readonly ['stake', amount: number]
  | readonly ['unstake', amount: number]
  | readonly ['claimReward']
  | readonly ['bond', amount: number, minHeld: number]
  | readonly ['requestUnbond']
  | readonly ['buyPlan', tier: string, payWith: Currency];

type AccountStory = {
  /** Whole TOK and USDC at the start, and the collateral of the account on each market it takes part in. */
  readonly balances: Readonly<Record<string, Balance>>;
  readonly steps: readonly (readonly [
    ago: Ago,
    market: Market,
    account: AccountName,
    ...step: AccountStep,
  ])[];
};
type Balance = {
  readonly tok: number;
  readonly usdc: number;
  readonly deposits: Readonly<Partial<Record<Market, number>>>;
};

export const day = 86_400;
/** Days between the genesis block and the present of a seeded chain. */
export const storyDays = 40;

/** The order decides between steps of the same second. */
export const taskStories = [
  ...completed,
  ...resolved,
  ...cancelled,
  ...open,
  ...inProgress,
  ...disputed,
] as unknown as readonly TaskStory[];

/** The number of each task on its registry, which counts from 1 in the order of the first steps. */
export function numberTasks(): ReadonlyMap<TaskStory, bigint> {
  const startOf = ({ steps: [first] }: TaskStory) => parseAgo(first?.[0] ?? '');
  const inOrder = taskStories.toSorted((left, right) => startOf(right) - startOf(left));
  const posted: Record<Market, bigint> = { standard: 0n, micro: 0n };
  return new Map(inOrder.map((story) => [story, ++posted[story.market]]));
}

const { balances, steps } = accounts as unknown as AccountStory;
export const startBalances = Object.entries(balances) as [AccountName, Balance][];
export const accountSteps = steps;

const units: Readonly<Record<string, number>> = { d: day, h: 3_600, m: 60 };

/** '3d 4h' in seconds. */
export function parseAgo(ago: Ago): number {
  const parts = ago.split(' ').map((part) => /^(\d+)([dhm])$/.exec(part));
  return parts.reduce((sum, part) => {
    if (part === null) throw new Error(`"${ago}" is not a duration such as "3d 4h".`);
    return sum + Number(part[1]) * (units[part[2] as string] as number);
  }, 0);
}
