// What preparing an action reads; commands join it to a chain and a site, tests to what they like.
import type { Hex } from 'viem';
import type { Call } from '#chain/calls/encode.ts';
import type { MarketContracts } from '#chain/contracts.ts';
import type { MarketFigures, PlanQuote } from '#chain/readFigures.ts';
import type { WalletState } from '#chain/readWallet.ts';
import type { Simulation } from '#chain/simulate.ts';
import type { Address } from '#domain/address.ts';
import type { Market } from '#domain/market.ts';
import type { Task } from '#domain/task.ts';

export type PrepareChain = {
  /** Unix seconds of the newest block. */
  readonly readNow: () => Promise<number>;
  /** Null where nobody has posted it. */
  readonly readTask: (market: Market, number: bigint) => Promise<Task | null>;
  readonly readWallet: (market: Market, wallet: Address) => Promise<WalletState>;
  readonly readFigures: (market: Market) => Promise<MarketFigures>;
  readonly readOpenDigest: (market: Market, number: bigint, worker: Address) => Promise<Hex>;
  readonly readQuote: (market: Market, tier: string) => Promise<PlanQuote>;
  readonly simulate: (from: Address, calls: readonly Call[]) => Promise<Simulation>;
  /** Wei for each unit of gas; null where the chain has none. */
  readonly readBaseFee: () => Promise<bigint | null>;
};

export type Quota = {
  readonly tier: string;
  readonly used: number;
  readonly limit: number;
  readonly canPost: boolean;
};

export type PrepareNeeds = {
  readonly chainId: number;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  readonly chain: PrepareChain;
  /** The day's posting quota; null where no site can be asked. */
  readonly readQuota: (market: Market, wallet: Address) => Promise<Quota | null>;
};
