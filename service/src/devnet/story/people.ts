// What the accounts own and what they do apart from tasks: collateral, stakes, bonds and plans.
import type { Market } from '@svc/sdk/domain';
import type { AccountName } from '../accounts.ts';
import type { MarketStep } from './script.ts';

/** Whole TOK and USDC; `deposits` is collateral on the markets that the account takes part in. */
export type Purse = {
  readonly tok: number;
  readonly usdc: number;
  readonly deposits: Readonly<Partial<Record<Market, number>>>;
};

export const purses: Readonly<Partial<Record<AccountName, Purse>>> = {
  press: { tok: 900_000, usdc: 5_000, deposits: { standard: 120, micro: 50 } },
  lab: { tok: 800_000, usdc: 5_000, deposits: { standard: 110, micro: 50 } },
  studio: { tok: 800_000, usdc: 5_000, deposits: { standard: 120, micro: 45 } },
  shop: { tok: 700_000, usdc: 5_000, deposits: { standard: 100, micro: 60 } },
  archive: { tok: 600_000, usdc: 3_000, deposits: { standard: 90, micro: 45 } },
  linguist: { tok: 150_000, usdc: 800, deposits: { standard: 80, micro: 45 } },
  coder: { tok: 250_000, usdc: 1_200, deposits: { standard: 90, micro: 45 } },
  analyst: { tok: 90_000, usdc: 500, deposits: { standard: 60, micro: 30 } },
  painter: { tok: 80_000, usdc: 400, deposits: { standard: 75, micro: 30 } },
  scribe: { tok: 60_000, usdc: 250, deposits: { standard: 40, micro: 30 } },
  // Exactly the entry sum: five engagements lock all of it, and each one left behind takes a fifth away.
  drifter: { tok: 40_000, usdc: 60, deposits: { standard: 25, micro: 30 } },
  umpire: { tok: 150_000, usdc: 300, deposits: {} },
  referee: { tok: 80_000, usdc: 300, deposits: {} },
  assessor: { tok: 60_000, usdc: 300, deposits: {} },
  newcomer: { tok: 250_000, usdc: 10_000, deposits: {} },
  visitor: { tok: 250_000, usdc: 10_000, deposits: {} },
};

export const marketSteps: readonly MarketStep[] = [
  ['39d 12h', 'standard', 'umpire', 'bond', 40_000, 5_000],
  ['39d 11h', 'standard', 'referee', 'bond', 25_000, 0],
  ['39d 10h', 'standard', 'assessor', 'bond', 12_000, 0],
  ['39d 9h', 'micro', 'assessor', 'bond', 15_000, 0],
  ['38d 21h', 'micro', 'referee', 'bond', 11_000, 500],

  ['39d 6h', 'standard', 'coder', 'stake', 120_000],
  ['38d 9h', 'standard', 'press', 'stake', 80_000],
  ['38d 7h', 'micro', 'shop', 'stake', 40_000],
  ['36d 5h', 'micro', 'scribe', 'stake', 15_000],
  ['35d 3h', 'standard', 'linguist', 'stake', 60_000],
  ['30d 2h', 'standard', 'umpire', 'stake', 30_000],
  ['29d 22h', 'micro', 'lab', 'stake', 20_000],
  ['12d 5h', 'standard', 'coder', 'claimReward'],
  ['10d 4h', 'standard', 'linguist', 'unstake', 20_000],
  ['8d 1h', 'micro', 'shop', 'claimReward'],

  ['38d 10h', 'standard', 'archive', 'buyPlan', 'basic', 'tok'],
  ['26d 9h', 'standard', 'press', 'buyPlan', 'premium', 'tok'],
  ['20d 9h', 'standard', 'shop', 'buyPlan', 'basic', 'usdc'],
  ['15d 7h', 'micro', 'lab', 'buyPlan', 'basic', 'tok'],
  ['9d 3h', 'standard', 'studio', 'buyPlan', 'basic', 'tok'],

  ['14d 3h', 'standard', 'analyst', 'deposit', 20],
  ['6d 11h', 'micro', 'linguist', 'withdraw', 10],
  ['5d 2h', 'micro', 'referee', 'requestUnbond'],
];
