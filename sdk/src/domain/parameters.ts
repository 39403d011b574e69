// The parameters of a deployment: fees, collateral, bounds, credits, posting plans and the price oracle.
import type { Market } from './market.ts';

const tok = 10n ** 18n;
const usdc = 10n ** 6n;
const hour = 3_600;
const day = 24 * hour;

const shared = {
  accessFeeTokWei: 1_000n * tok,
  // Collateral, in USDC units (6 decimals).
  entryUsdc: 25n * usdc,
  recommendedUsdc: 45n * usdc,
  pauseUsdc: 8n * usdc,
  arbitratorMinBondTokWei: 10_000n * tok,
  // The most that a task pays at first; the owner of the registry may raise it, never lower it.
  launchCapTokWei: 10_000_000n * tok,
  // What a poster has who chooses no time to look at a delivery.
  usualReviewSeconds: 3 * day,
  // Credit wei per second and staked TOK wei, times 1e18: 10,000 staked TOK earn the credits of one action (1,000) in 30 days.
  creditPerTokRate: 38_580_246_914n,
};

export const marketParameters = {
  standard: {
    ...shared,
    bondUsdc: 5n * usdc,
    minTotalTokWei: 100n * tok,
    minReviewSeconds: 12 * hour,
    maxReviewSeconds: 30 * day,
    // A judge rules no earlier, unless both parties were heard.
    hearingSeconds: day,
    creditCapWei: 1_000_000n * tok,
    // The most that the whole vault issues per second.
    creditRateWei: tok / 100n,
  },
  micro: {
    ...shared,
    bondUsdc: 1n * usdc,
    minTotalTokWei: 1n * tok,
    minReviewSeconds: 4 * hour,
    maxReviewSeconds: 7 * day,
    hearingSeconds: 4 * hour,
    creditCapWei: 250_000n * tok,
    creditRateWei: tok / 400n,
  },
} satisfies Readonly<Record<Market, object>>;

export type MarketParameters = Readonly<(typeof marketParameters)[Market]>;

/** Constants of the contracts, the same on every market and deployment. */
export const protocolConstants = {
  activationWindowSeconds: day,
  deliveryGraceSeconds: day,
  dismissNoticeSeconds: day,
  /** How long a notice that has run can be used. */
  dismissWindowSeconds: day,
  maxDurationSeconds: 365 * day,
  maxMilestones: 10,
  /** Signed terms can be used for no longer than this. */
  maxAcceptanceSeconds: 14 * day,
  /** A pause of entries ends after this time. */
  entryPauseSeconds: 14 * day,
  answerWindowSeconds: 3 * day,
  proposeWindowSeconds: 3 * day,
  resolveWindowSeconds: 5 * day,
  fallbackWindowSeconds: 7 * day,
  /** After an answer without a bond, which never makes a dispute longer. */
  unbondedWindowSeconds: 4 * day,
  unbondDelaySeconds: 14 * day,
  missSlashBps: 1_000,
  /** An accepted fallback arbitrator is in force after this time. */
  fallbackDelaySeconds: 30 * day,
  /** The judge's fee, and what each side puts up for it: a share of the disputed milestone. */
  disputeBps: 500,
  /** Shares of each fee; the rest goes to the treasury. */
  burnBps: 4_000,
  stakingBps: 4_000,
  flushIntervalSeconds: day,
  dripSeconds: 7 * day,
  minStakeTokWei: 10_000n * tok,
  minStakeSeconds: day,
  maxPlans: 16,
  maxTokDiscountBps: 5_000,
  /** After an outage of the chain clocks that have run out go on for this long. */
  sequencerGraceSeconds: hour,
  /** A feed that reports an outage for longer is ignored. */
  longestOutageSeconds: 7 * day,
} as const;

export const planPeriodDays = 30;

/** In ascending order of their limits. The first is the default plan. */
export const plans = [
  { id: 'free', label: 'Free', dailyLimit: 3, priceUsdc: 0n, tokDiscountBps: 0 },
  { id: 'basic', label: 'Basic', dailyLimit: 25, priceUsdc: 20n * usdc, tokDiscountBps: 1_000 },
  { id: 'premium', label: 'Premium', dailyLimit: 200, priceUsdc: 60n * usdc, tokDiscountBps: 1_000 },
  { id: 'enterprise', label: 'Enterprise', dailyLimit: 5_000, priceUsdc: 600n * usdc, tokDiscountBps: 1_000 },
];

export type Plan = Readonly<(typeof plans)[number]>;

export const oracleParameters = {
  maxStepBps: 2_000,
  minIntervalSeconds: 60,
  maxAgeSeconds: day,
  minPriceE8: 1n,
  maxPriceE8: 10_000n * 10n ** 8n,
};

/** One billion; the contracts keep amounts in 96 bits, which is 79 times as much. */
export const tokSupplyWei = 1_000_000_000n * tok;

/** Points that ReputationRegistry gives for each event in a wallet's record. */
export const reputationWeights = {
  completed: 10,
  disputesWon: 3,
  disputesLost: -10,
  left: -3,
  dismissed: -5,
} as const;
