// Posting: the plan in force, the quota of the day, and what proves a post or a payment for a plan.
import { type Hex, hexToString, isHash, stringToHex } from 'viem';
import { type Address, isSameAddress } from './address.ts';
import { type ChainEvent, inChainOrder } from './event.ts';
import type { Market } from './market.ts';
import { type Currency, currencies, nameOf } from './state.ts';
import type { TaskKey } from './taskId.ts';

/** A plan of the PricingPolicy contract, as it is sold now. A wallet keeps what it bought, whatever happens to the plan. */
export type PostingPlan = {
  readonly id: string;
  readonly dailyLimit: number;
  /** USDC with 6 decimals; 0 for the plan that every wallet has. */
  readonly priceUsdcUnits: bigint;
  readonly tokDiscountBps: number;
  readonly isOnSale: boolean;
};

/** One payment for a plan, by the log that proves it. */
export type Purchase = Readonly<ReturnType<typeof readPurchases>[number]>;

/** The tier of a wallet without a paid plan. */
export const freeTier = 'free';

export const daySeconds = 86_400;

export type Day = { readonly start: number; readonly end: number };

/** The UTC day of a Unix time. Unix time has no leap seconds, so all days have the same length. */
export function dayOf(time: number): Day {
  const start = Math.floor(time / daySeconds) * daySeconds;
  return { start, end: start + daySeconds };
}

export type PlanInForce = {
  readonly tier: string;
  readonly dailyLimit: number;
  /** The end of all that was paid for the tier; null for the free plan. */
  readonly expiresAt: number | null;
};

/** The unexpired plan with the highest limit; of two equal ones the one that ends later. */
export function findPlanInForce(
  plans: readonly PostingPlan[],
  purchases: readonly Purchase[],
  now: number,
): PlanInForce {
  // A market without a free plan allows no free posts.
  const { dailyLimit: freeLimit = 0 } = plans.find(({ id }) => id === freeTier) ?? {};
  let best: PlanInForce = { tier: freeTier, dailyLimit: freeLimit, expiresAt: null };
  for (const [tier, periods] of findPeriods(purchases)) {
    const current = periods.find(({ until }) => until > now);
    if (current === undefined) continue;
    const { dailyLimit } = current;
    const expiresAt = (periods.at(-1) ?? current).until;
    const gain = dailyLimit - best.dailyLimit;
    if (gain > 0 || (gain === 0 && expiresAt > (best.expiresAt ?? 0))) best = { tier, dailyLimit, expiresAt };
  }
  return best;
}

type Period = { readonly dailyLimit: number; readonly until: number };

/**
 * What was bought of each tier, in order. A payment before the end of the tier adds a period after it, with the limit that
 * this payment bought; a later payment starts a new period.
 */
export function findPeriods(purchases: readonly Purchase[]): Map<string, Period[]> {
  const found = new Map<string, Period[]>();
  for (const { tier, blockTime, dailyLimit, periodDays } of purchases.toSorted(inChainOrder)) {
    const earlier = found.get(tier) ?? [];
    const until = Math.max(blockTime, earlier.at(-1)?.until ?? 0) + periodDays * daySeconds;
    found.set(tier, [...earlier, { dailyLimit, until }]);
  }
  return found;
}

/** The end of the period that this payment added, after all earlier payments for the tier. */
export function findPaidUntil(payment: Purchase, purchases: readonly Purchase[]): number {
  const before = purchases.filter((one) => inChainOrder(one, payment) <= 0);
  return findPeriods(before).get(payment.tier)?.at(-1)?.until as number;
}

/** The posts of one wallet on one market today. */
export type PostingCounts = {
  /** Tasks on the chain. */
  readonly confirmed: number;
  /** Recorded posts whose transaction is not on the chain yet. */
  readonly pending: number;
  /** Recorded posts that are on the chain but not indexed yet. */
  readonly arriving: number;
  /** When the first recorded post expires; null without recorded posts. */
  readonly nextDropAt: number | null;
};

type QuotaFigures = {
  readonly market: Market;
  readonly address: Address;
  readonly inForce: PlanInForce;
  readonly counts: PostingCounts;
  readonly now: number;
};

export function buildQuota({ market, address, inForce, counts, now }: QuotaFigures) {
  const limit = inForce.dailyLimit;
  const used = usedOf(counts);
  return {
    tier: inForce.tier,
    used,
    limit,
    canPost: used < limit,
    market,
    address,
    pending: counts.pending,
    remaining: Math.max(0, limit - used),
    resetsAt: dayOf(now).end,
    tierExpiresAt: inForce.expiresAt,
  };
}

export type Quota = Readonly<ReturnType<typeof buildQuota>>;

export function usedOf({ confirmed, pending, arriving }: PostingCounts): number {
  return confirmed + pending + arriving;
}

/** Seconds until the quota may have room again: at midnight, or when a recorded post expires. */
export function retryAfter(now: number, { nextDropAt }: PostingCounts): number {
  return Math.max(1, Math.min(dayOf(now).end, nextDropAt ?? Number.POSITIVE_INFINITY) - now);
}

/** A mined transaction, with the events of the markets' contracts in it. */
export type TransactionProof = {
  readonly isSuccess: boolean;
  readonly blockNumber: bigint;
  /** Blocks from its own to the newest, both included. */
  readonly confirmations: number;
  readonly events: readonly ChainEvent[];
};

export type PostClaim = TaskKey & {
  readonly poster: Address;
  /** Null when the amount was not given in TOK. */
  readonly amountTokWei: bigint | null;
};

/** Why the transaction is not this post, as the end of a sentence; null when it is. */
export function findPostMismatch(
  proof: Pick<TransactionProof, 'isSuccess' | 'events'>,
  claim: PostClaim,
): string | null {
  if (!proof.isSuccess) return 'it was reverted';
  const posted = proof.events.filter(
    ({ market, contract, name }) =>
      market === claim.market && contract === 'taskRegistry' && name === 'TaskPosted',
  );
  if (posted.length === 0) return `it posts no task on the market "${claim.market}"`;
  const post = posted.find(({ taskNumber }) => taskNumber === claim.number);
  if (post === undefined) return 'it posts another task';
  if (!isSameAddress(post.args.poster as Address, claim.poster)) return 'another wallet posts in it';
  const isSameAmount = claim.amountTokWei === null || String(claim.amountTokWei) === post.args.totalAmount;
  return isSameAmount ? null : 'the task in it pays another amount';
}

/** Every payment for a plan in these events. */
export function readPurchases(events: readonly ChainEvent[]) {
  return events
    .filter(({ contract, name }) => contract === 'paymentGateway' && name === 'PlanPurchased')
    .map((event) => ({
      txHash: event.txHash,
      logIndex: event.logIndex,
      market: event.market,
      payer: event.args.payer as Address,
      tier: decodeTier(event.args.tier as Hex),
      payWith: nameOf(currencies, Number(event.args.payWith)),
      /** Posts a day, and for how many days, as the plan was when it was bought. */
      dailyLimit: Number(event.args.dailyLimit),
      periodDays: Number(event.args.periodDays),
      blockNumber: event.blockNumber,
      blockTime: event.blockTime,
    }));
}

/** The contracts store a plan's id as 32 bytes, padded with zeros. An id that is no text, or that no row can hold, stays as it is. */
export function decodeTier(bytes: Hex): string {
  const text = hexToString(bytes, { size: 32 });
  return /[\0\ufffd]/.test(text) ? bytes : text;
}

export function encodeTier(tier: string): Hex {
  return isHash(tier) ? tier : stringToHex(tier, { size: 32 });
}

export type PaymentClaim = {
  readonly market: Market;
  readonly payer: Address;
  readonly tier: string;
  /** Undefined accepts both currencies. */
  readonly payWith: Currency | undefined;
};

export function isPaymentFor(purchase: Purchase, claim: PaymentClaim): boolean {
  return (
    purchase.market === claim.market &&
    isSameAddress(purchase.payer, claim.payer) &&
    purchase.tier === claim.tier &&
    (claim.payWith === undefined || purchase.payWith === claim.payWith)
  );
}

/** Why the transaction does not pay for this plan, as the end of a sentence. */
export function explainPayment(proof: TransactionProof, claim: PaymentClaim): string {
  if (!proof.isSuccess) return 'it was reverted';
  const purchases = readPurchases(proof.events).filter(({ market }) => market === claim.market);
  if (purchases.length === 0) return `it buys no plan on the market "${claim.market}"`;
  const own = purchases.filter(({ payer }) => isSameAddress(payer, claim.payer));
  if (own.length === 0) return 'another wallet pays in it';
  return own.some(({ tier }) => tier === claim.tier) ? 'it pays in another currency' : 'it buys another plan';
}
