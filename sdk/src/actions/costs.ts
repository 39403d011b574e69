// What actions cost: each kind of cost with its token, its words and who takes it.
import type { WalletState } from '../chain/readAgents.ts';
import type { Address } from '../domain/address.ts';
import { formatDays, formatTok, maxOf } from '../domain/amount.ts';
import { type MarketParameters, protocolConstants } from '../domain/parameters.ts';
import type { Currency } from '../domain/state.ts';
import { disputedAmount, type Task } from '../domain/task.ts';

/** The market's figures that costs depend on: read from the chain, or those it was deployed with. */
export type Figures = Pick<MarketParameters, 'accessFeeTokWei' | 'bondUsdc' | 'entryUsdc'>;

/** What the costs and movements of an action depend on. An unknown one is left out. */
export type ActionFacts = {
  readonly figures: Figures;
  readonly task?: Task | undefined;
  /** The wallet that sends the call. */
  readonly sender?: Address | undefined;
  readonly amount?: bigint | undefined;
  readonly payWith?: Currency | undefined;
  /** Of a purchase at the pool. */
  readonly boughtTokWei?: bigint | undefined;
  readonly workerBps?: number | undefined;
  /** Index of the milestone that the call names. */
  readonly milestone?: number | undefined;
  /** The wallet that the call names: whose collateral it fills, or who gets what is taken out. */
  readonly recipient?: Address | undefined;
  /** What the task that the call enters still pays its worker. */
  readonly payTokWei?: bigint | undefined;
  /** Of a task that the call creates. */
  readonly parties?: { readonly poster: Address; readonly worker: Address } | undefined;
  /** Whether the task's deadline has passed on the chain. */
  readonly isLate?: boolean | undefined;
  /** What an arbitrator who missed its time loses. */
  readonly slashedTokWei?: bigint | undefined;
  /** Wallets whose Action Credits pay the access fee. */
  readonly freeFees?: readonly Address[] | undefined;
};

export type Token = 'TOK' | 'USDC';

export type Cost = {
  readonly kind: CostKind;
  readonly token: Token;
  readonly amount: bigint;
  readonly payer: 'sender' | 'each party';
  readonly label: string;
  /** Whether and when it comes back. */
  readonly refund: string;
};

/** Places where a wallet's money is. `bond` is the locked part of its collateral; `credits` are Action Credits. */
export type OwnedPlace =
  | 'wallet'
  | 'collateral'
  | 'bond'
  | 'stake'
  | 'rewards'
  | 'arbitratorBond'
  | 'credits';
/** Money that the contracts hold for a task, or that belongs to the market. */
export type SharedPlace = 'escrow' | 'disputeBonds' | 'fees' | 'treasury' | 'pool';
type Place = OwnedPlace | SharedPlace;

/** Contracts that may take tokens of a wallet. */
export type Spender = 'paymentGateway' | 'depositVault' | 'swapRouter';

type KindRow = readonly [token: Token, spender: Spender | null, taker: Place, label: string, refund: string];

/** The spender takes it from the wallet, and has to be approved; a bond is locked inside the deposit. The taker has it then. */
const costKinds = {
  accessFee: ['TOK', 'paymentGateway', 'fees', 'Access fee', 'not returned'],
  escrow: ['TOK', 'paymentGateway', 'escrow', 'Into escrow', 'pays the worker, or comes back'],
  disputeBond: [
    'TOK',
    'paymentGateway',
    'disputeBonds',
    'Dispute bond',
    'comes back in the share that you win; the rest pays the arbitrator',
  ],
  arbitratorBond: [
    'TOK',
    'paymentGateway',
    'arbitratorBond',
    'Arbitrator’s bond',
    'comes back after unbonding, less what missed cases cost',
  ],
  stake: ['TOK', 'paymentGateway', 'stake', 'Into the vault', 'stays yours'],
  planTok: ['TOK', 'paymentGateway', 'fees', 'Price of the plan, at most', 'not returned'],
  planUsdc: ['USDC', 'paymentGateway', 'treasury', 'Price of the plan, at most', 'not returned'],
  tokPurchase: ['USDC', 'swapRouter', 'pool', 'Price of the TOK, at most', 'not returned'],
  collateral: ['USDC', 'depositVault', 'collateral', 'Into your collateral', 'stays yours'],
  rescue: ['USDC', 'depositVault', 'collateral', 'Into the other wallet’s collateral', 'not returned'],
  collateralBond: [
    'USDC',
    null,
    'bond',
    'Bond, locked while you take part',
    'of your collateral; comes back when the task ends well',
  ],
} as const satisfies Readonly<Record<string, KindRow>>;

export type CostKind = keyof typeof costKinds;

/** Where a cost of this kind goes. */
export function takerOf(kind: CostKind): Place {
  return costKinds[kind][2];
}

export function cost(kind: CostKind, amount: bigint, changed: Partial<Cost> = {}): Cost {
  const [token, , , label, refund] = costKinds[kind];
  return { kind, token, amount, payer: 'sender', label, refund, ...changed };
}

export function feeCost({ accessFeeTokWei }: Figures, changed: Partial<Cost> = {}): Cost {
  return cost('accessFee', accessFeeTokWei, changed);
}

/** Entering a task: the fee, a bond of the deposit, and what goes into escrow at once. */
export function entryCosts({ figures, amount }: ActionFacts, changed: Partial<Cost> = {}): Cost[] {
  return [
    feeCost(figures, changed),
    cost('collateralBond', figures.bondUsdc, changed),
    ...costOfAmount('escrow', amount),
  ];
}

/** Nothing where the amount is unknown or zero. */
export function costOfAmount(kind: CostKind, amount: bigint | undefined): Cost[] {
  return amount === undefined || amount === 0n ? [] : [cost(kind, amount)];
}

/** What each side puts up in a dispute of the task: the judge's fee. */
export function disputeBond(task: Task): bigint {
  return task.dispute?.bond ?? bondOf(disputedAmount(task));
}

export function disputeCosts({ task, amount = task && disputeBond(task) }: ActionFacts): Cost[] {
  return costOfAmount('disputeBond', amount);
}

function bondOf(amount: bigint): bigint {
  return (amount * BigInt(protocolConstants.disputeBps)) / 10_000n;
}

/** The TOK that a party should hold, so that it can open or answer a dispute of the largest milestone. */
export function warnOfDispute(side: 'poster' | 'worker', amounts: readonly bigint[]): string {
  const bond = `${formatTok(bondOf(maxOf(0n, ...amounts)))} TOK`;
  if (side === 'poster')
    return (
      `Keep up to ${bond} in your wallet: a dispute of a delivery takes a bond. Without it the fallback arbitrator rules, ` +
      'its fee comes out of what you get back, and its silence pays the worker.'
    );
  const window = formatDays(protocolConstants.answerWindowSeconds);
  return (
    `Keep up to ${bond} in your wallet: if the poster disputes a delivery, you answer with a bond within ${window}. ` +
    'Without an answer you lose the milestone and your collateral bond.'
  );
}

export function warnOfEscrow({ funded }: Pick<Task, 'funded'>): string[] {
  const sentence =
    'Escrow is empty. Work starts only when the poster has funded it; if that never happens, your fee is lost.';
  return funded === 0n ? [sentence] : [];
}

/** For a wallet whose credits are not known. */
export const creditsNote = 'Action Credits pay it if they cover all of it';

/** Action Credits pay an access fee where they cover all of it. */
export function paysWithCredits(
  { staking }: Pick<WalletState, 'staking'>,
  { accessFeeTokWei }: Figures,
): boolean {
  return staking.credits >= accessFeeTokWei;
}

/** What a wallet lacks to lock one more bond: the larger of what the entry threshold and a free bond ask for. */
export function missingCollateral(
  { deposit }: Pick<WalletState, 'deposit'>,
  { entryUsdc, bondUsdc }: Figures,
): bigint {
  const { balance, locked } = deposit;
  return maxOf(entryUsdc - balance, bondUsdc - (balance - locked), 0n);
}

/** What the calls take from the wallet. */
export function sumSpending(costs: readonly Cost[], hasFreeFee: boolean) {
  const sum = (token: Token, spender: Spender) =>
    costs
      .filter(({ kind }) => costKinds[kind][0] === token && costKinds[kind][1] === spender)
      .filter(({ kind }) => !(kind === 'accessFee' && hasFreeFee))
      .reduce((total, { amount }) => total + amount, 0n);
  return {
    tokWei: sum('TOK', 'paymentGateway'),
    usdcToVault: sum('USDC', 'depositVault'),
    usdcToGateway: sum('USDC', 'paymentGateway'),
    usdcToPool: sum('USDC', 'swapRouter'),
  };
}
