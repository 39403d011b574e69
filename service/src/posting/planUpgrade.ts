// Applies a payment for a plan: proven by its transaction, usable once and for ever (docs/decisions/posting.md).

import type { Address, Currency, Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import {
  dayOf,
  explainPayment,
  findPaidUntil,
  isPaymentFor,
  type PaymentClaim,
  type PostingPlan,
  type Purchase,
  type Quota,
  readPurchases,
} from '@svc/sdk/internal/domain/posting';
import type { Hex } from 'viem';
import type { PlanPaymentStore } from '../store/planPayments.ts';
import type { Posting, PostingNeeds } from './postingQuota.ts';

export type Upgrade = {
  readonly market: Market;
  readonly address: Address;
  /** Whose recorded posts the reply counts. */
  readonly caller: string;
  readonly tier: string;
  readonly payWith: Currency | undefined;
  readonly txHash: Hex;
};

export type PlanUpgradeNeeds = Pick<PostingNeeds, 'plans' | 'loadPurchases' | 'readTransaction' | 'now'> & {
  readonly payments: Pick<PlanPaymentStore, 'loadUsed' | 'use'>;
  readonly getQuota: Posting['getQuota'];
  readonly confirmations: number;
};

export type UpgradedQuota = Quota & { readonly upgraded: boolean };

export function createPlanUpgrade(needs: PlanUpgradeNeeds): (upgrade: Upgrade) => Promise<UpgradedQuota> {
  const { plans, loadPurchases, payments, readTransaction, getQuota, confirmations, now } = needs;

  /** All payments of the transaction, and those for this plan. Throws where it pays nothing for the plan. */
  async function prove(claim: PaymentClaim, txHash: Hex, isUsed: boolean) {
    const proof = await readTransaction(txHash);
    if (proof === null) throw new SvcError('PAYMENT_UNSEEN', {});
    const all = readPurchases(proof.events);
    const paid = all.filter((purchase) => isPaymentFor(purchase, claim));
    if (paid.length === 0) {
      if (isUsed) throw new SvcError('PAYMENT_USED', {});
      throw new SvcError('PAYMENT_MISMATCH', { reason: explainPayment(proof, claim) });
    }
    const have = String(proof.confirmations);
    if (proof.confirmations < confirmations)
      throw new SvcError('PAYMENT_UNCONFIRMED', { have, need: String(confirmations) });
    return { paid, all };
  }

  return async ({ txHash, address, caller, ...given }) => {
    const { market, tier } = given;
    findPlanForSale(await plans(market), tier);
    const claim = { ...given, payer: address };
    const wallet = { market, address, caller };
    const used = await payments.loadUsed(txHash);
    const time = now();
    const { purchases: inForce } = await loadPurchases(wallet, { now: time, day: dayOf(time) });
    const isKnown = used.some((one) => isPaymentFor(one, claim)) && inForce.some(hasHash(txHash));
    if (isKnown) return { ...(await getQuota(wallet)), upgraded: false };
    const { paid, all } = await prove(claim, txHash, used.length > 0);
    const others = inForce.filter((one) => !hasHash(txHash)(one));
    if (findPaidUntil(paid.at(-1) as Purchase, [...others, ...paid]) <= now())
      throw new SvcError('PAYMENT_ENDED', {});
    // Of all callers that come with one payment, ever, one gets true.
    const upgraded = await payments.use(paid, all);
    return { ...(await getQuota(wallet)), upgraded };
  };
}

/** Throws for a tier that nobody can buy. One that is no longer on sale is found: it may have been bought before. */
export function findPlanForSale(plans: readonly PostingPlan[], tier: string): PostingPlan {
  const plan = plans.find(({ id }) => id === tier);
  if (plan === undefined) throw new SvcError('TIER_UNKNOWN', {});
  if (plan.priceUsdcUnits === 0n) throw new SvcError('TIER_FREE', {});
  return plan;
}

function hasHash(txHash: Hex): (purchase: Purchase) => boolean {
  return (purchase) => purchase.txHash.toLowerCase() === txHash.toLowerCase();
}
