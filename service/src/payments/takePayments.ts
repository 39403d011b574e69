// Takes payments by x402: verified, bound to one purpose and settled once. One answer belongs to each, for as often as its payer
// asks: a reply can get lost on the wire without the server knowing.

import { randomUUID } from 'node:crypto';
import type { Address, SvcError } from '@svc/sdk/domain';
import type { Payment } from '@svc/sdk/internal/schemas/x402';
import type { Hex } from 'viem';
import type { PaymentKey, PaymentStore, StoredPayment } from '#store/payments.ts';
import { readHeadNumber } from './findTransfer.ts';
import { createSettlement, type SettlementNeeds } from './settlement.ts';
import {
  buildRequirement,
  buildSettlement,
  errorReasons,
  findMistake,
  isExpired,
  type Offer,
  type Requirement,
  refusePayment,
} from './x402.ts';

export type PaymentNeeds = SettlementNeeds & {
  readonly store: PaymentStore;
  readonly now: () => number;
};

export type PaymentService = ReturnType<typeof createPaymentService>;

/**
 * Longer than a request takes, so that two requests rarely work on the same payment. If a request takes longer, because
 * a process was suspended or the chain's clock jumped, the request that held the payment last answers.
 */
const holdSeconds = 20;

export function createPaymentService(needs: PaymentNeeds) {
  const { store, facilitator, rpc, now } = needs;
  const settlement = createSettlement(needs);

  /**
   * Takes hold of a payment; nothing has been charged yet. Throws PAYMENT_REQUIRED where it is of no use. The holder
   * settles it, and keeps its answer.
   */
  async function hold(payment: Payment, offer: Offer, purpose: string) {
    const { authorization, signature } = payment.payload as { signature: Hex; authorization: Authorization };
    const key = { payer: authorization.from, nonce: authorization.nonce };
    const mistake = findMistake(payment, offer, now());
    if (mistake !== null) throw mistake;
    const requirement = buildRequirement(payment, offer);
    const known = await store.loadPayment(key);
    if (known === null) await verify(payment, requirement);
    else judge(known, purpose, signature);
    const sinceBlock = known?.sinceBlock ?? (await readHeadNumber(rpc));
    const holder = randomUUID();
    const time = { now: now(), until: now() + holdSeconds, holder };
    const held = await store.holdPayment(key, { purpose, signature, sinceBlock }, time);
    if (held === null) throw await explainLoss(key, purpose, signature);

    const { asset, payTo, amount } = offer.price;
    const wanted = { ...key, asset, payTo, amount, sinceBlock };

    return {
      /** Throws PAYMENT_REQUIRED, and lets go, where the money did not come. */
      settle: async () => {
        try {
          const txHash = held.txHash ?? (known && (await settlement.findOwn(wanted))) ?? (await send());
          return buildSettlement(payment, offer, txHash);
        } catch (error) {
          await store.releasePayment(key, holder);
          throw error;
        }
      },
      /** To be kept before it is sent. Throws PAYMENT_REQUIRED where another request has taken the payment over. */
      answer: async (body: string) => {
        if (await store.saveAnswered(key, holder, body)) return;
        throw refusePayment('this payment was taken up by somebody else meanwhile', errorReasons.used);
      },
    };

    async function send(): Promise<Hex> {
      if (isExpired(payment, now())) throw expired();
      return settlement.send(payment, requirement, wanted);
    }
  }

  /** What was answered to exactly this payment for this purpose; null where nothing was. */
  async function findAnswer(payment: Payment, offer: Offer, purpose: string) {
    const { authorization, signature } = payment.payload as { signature: Hex; authorization: Authorization };
    const known = await store.loadPayment({ payer: authorization.from, nonce: authorization.nonce });
    const isSame = known?.purpose === purpose && known.signature === signature.toLowerCase();
    if (!isSame || known.answer === null || known.txHash === null) return null;
    return { body: known.answer, settlement: buildSettlement(payment, offer, known.txHash) };
  }

  async function verify(payment: Payment, requirement: Requirement): Promise<void> {
    if (isExpired(payment, now())) throw expired();
    const { isValid, reason } = await facilitator.verify(payment, requirement);
    if (!isValid) throw refusePayment(`the payment is not valid (${reason})`, reason);
  }

  /** Another request took this payment, or one with the same nonce, between the check and the hold. */
  async function explainLoss(key: PaymentKey, purpose: string, signature: Hex): Promise<SvcError> {
    const known = await store.loadPayment(key);
    if (known !== null) judge(known, purpose, signature);
    if (known?.answer != null) return refusePayment('this payment has been used', errorReasons.used);
    return refusePayment('this payment is being settled; try again in a moment', errorReasons.pending);
  }

  return { hold, findAnswer };
}

type Authorization = { readonly from: Address; readonly nonce: Hex };

function judge(known: StoredPayment, purpose: string, signature: Hex): void {
  if (known.purpose !== purpose)
    throw refusePayment('this payment was made for something else', errorReasons.used);
  if (known.signature !== signature.toLowerCase())
    throw refusePayment('the payment is not the one that was verified', errorReasons.signature);
}

function expired(): SvcError {
  return refusePayment('the payment has expired', errorReasons.validBefore);
}
