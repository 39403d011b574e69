// Applies a payment for a plan: proven by its transaction, usable once and for ever (docs/decisions.md#posting).
import type { Address, Currency, Hash, Market } from '@svc/sdk/domain';
import {
  explainPayment,
  findPaidUntil,
  isPaymentFor,
  type PaymentClaim,
  type PostingPlan,
  type Purchase,
  type Quota,
  readPurchases,
  SvcError,
  type TransactionProof,
} from '@svc/sdk/domain';
import type { LoadPurchases } from './planPurchases.ts';
import type { Posting } from './postingQuota.ts';

export type Upgrade = {
  readonly market: Market;
  readonly address: Address;
  readonly tier: string;
  readonly payWith: Currency | undefined;
  readonly txHash: Hash;
};

export type PlanUpgradeNeeds = {
  readonly plans: (market: Market) => Promise<readonly PostingPlan[]>;
  readonly loadPurchases: LoadPurchases;
  readonly loadUsed: (txHash: Hash) => Promise<Purchase[]>;
  /** Told what is used and all that its transaction pays; of those who come with one payment, ever, one hears true. */
  readonly use: (paid: readonly Purchase[], all: readonly Purchase[]) => Promise<boolean>;
  readonly readTransaction: (txHash: Hash) => Promise<TransactionProof | null>;
  readonly getQuota: Posting['getQuota'];
  readonly confirmations: number;
  readonly now: () => number;
};

export type UpgradedQuota = Quota & { readonly upgraded: boolean };

export function createPlanUpgrade(needs: PlanUpgradeNeeds): (upgrade: Upgrade) => Promise<UpgradedQuota> {
  const { plans, loadPurchases, loadUsed, use, readTransaction, getQuota, confirmations, now } = needs;

  /** All that the transaction pays, and what of it for this plan; throws where that is nothing. */
  async function prove(claim: PaymentClaim, txHash: Hash, isUsed: boolean) {
    const proof = await readTransaction(txHash);
    if (proof === null) throw new SvcError('PAYMENT_UNSEEN', {});
    const all = readPurchases(proof.events);
    const paid = all.filter((purchase) => isPaymentFor(purchase, claim));
    if (paid.length === 0) {
      if (isUsed) throw new SvcError('PAYMENT_USED', {});
      throw new SvcError('PAYMENT_MISMATCH', { reason: explainPayment(proof, claim) });
    }
    if (proof.confirmations < confirmations) {
      throw new SvcError('PAYMENT_UNCONFIRMED', {
        have: String(proof.confirmations),
        need: String(confirmations),
      });
    }
    return { paid, all };
  }

  return async ({ txHash, address, ...given }) => {
    const { market, tier } = given;
    findPlanForSale(await plans(market), tier);
    const claim = { ...given, payer: address };
    const wallet = { market, address };
    const used = await loadUsed(txHash);
    const inForce = await loadPurchases(market, address);
    const isKnown = used.some((one) => isPaymentFor(one, claim)) && inForce.some(hasHash(txHash));
    if (isKnown) return { ...(await getQuota(wallet)), upgraded: false };
    const { paid, all } = await prove(claim, txHash, used.length > 0);
    const others = inForce.filter((one) => !hasHash(txHash)(one));
    if (findPaidUntil(paid.at(-1) as Purchase, [...others, ...paid]) <= now())
      throw new SvcError('PAYMENT_ENDED', {});
    const upgraded = await use(paid, all);
    return { ...(await getQuota(wallet)), upgraded };
  };
}

/** Throws for a tier that nobody can buy; one that is no longer on sale may have been bought before. */
export function findPlanForSale(plans: readonly PostingPlan[], tier: string): PostingPlan {
  const plan = plans.find(({ id }) => id === tier);
  if (plan === undefined) throw new SvcError('TIER_UNKNOWN', {});
  if (plan.priceUsdcUnits === 0n) throw new SvcError('TIER_FREE', {});
  return plan;
}

function hasHash(txHash: Hash): (purchase: Purchase) => boolean {
  return (purchase) => purchase.txHash.toLowerCase() === txHash.toLowerCase();
}
