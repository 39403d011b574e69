// Takes payments by x402: verified, bound to one purpose, settled once, and good until what was paid for is answered.

import { randomUUID } from 'node:crypto';
import type { Address, SvcError } from '@svc/sdk/domain';
import { retry } from '@svc/sdk/internal/domain/backoff';
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
/** For half a minute of a database that fails. */
const giveBackRetries = { attempts: 80, firstMs: 500, longestMs: 500 };

export function createPaymentService(needs: PaymentNeeds) {
  const { store, facilitator, rpc, now } = needs;
  const settlement = createSettlement(needs);

  /**
   * Takes hold of a payment; nothing has been charged yet. Throws PAYMENT_REQUIRED where it is of no use. The holder
   * settles it, says that it answers, and gives it back where the answer did not get out.
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
      /**
       * To be said before the answer is sent: what was sent cannot be taken back, what was said can. Throws
       * PAYMENT_REQUIRED where another request has taken the payment over.
       */
      answer: async () => {
        if (await store.saveAnswered(key, holder)) return;
        throw refusePayment('this payment was taken up by somebody else meanwhile', errorReasons.used);
      },
      /** Retries for a while: a payer who got no answer would otherwise have paid for nothing. */
      giveBack: () => retry(() => store.releasePayment(key, holder), giveBackRetries),
    };

    async function send(): Promise<Hex> {
      if (isExpired(payment, now())) throw expired();
      return settlement.send(payment, requirement, wanted);
    }
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
    return refusePayment('this payment is being settled; try again in a moment', errorReasons.pending);
  }

  return { hold };
}

type Authorization = { readonly from: Address; readonly nonce: Hex };

function judge(known: StoredPayment, purpose: string, signature: Hex): void {
  if (known.purpose !== purpose)
    throw refusePayment('this payment was made for something else', errorReasons.used);
  if (known.signature !== signature.toLowerCase())
    throw refusePayment('the payment is not the one that was verified', errorReasons.signature);
  if (known.state === 'answered') throw refusePayment('this payment has been used', errorReasons.used);
}

function expired(): SvcError {
  return refusePayment('the payment has expired', errorReasons.validBefore);
}
