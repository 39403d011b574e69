// Takes payments by x402: verified, bound to one purpose, settled once, and good until what was paid for is answered.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address, Hash, SvcError } from '@svc/sdk/domain';
import type { Payment } from '@svc/sdk/schemas';
import {
  createSettlement,
  type PaymentKey,
  type Requirement,
  type SettlementNeeds,
  type SettlementStore,
} from './settlement.ts';
import {
  buildRequirement,
  buildSettlement,
  errorReasons,
  findMistake,
  isExpired,
  type Offer,
  refusePayment,
} from './x402.ts';

type StoredPayment = {
  readonly purpose: string;
  readonly signature: Hash;
  readonly state: 'settling' | 'settled' | 'answered';
  readonly txHash: Hash | null;
  readonly sinceBlock: number;
};

export type PaymentStore = SettlementStore & {
  readonly loadPayment: (key: PaymentKey) => Promise<StoredPayment | null>;
  readonly holdPayment: (
    key: PaymentKey,
    payment: Pick<StoredPayment, 'purpose' | 'signature' | 'sinceBlock'>,
    hold: { readonly now: number; readonly until: number; readonly holder: string },
  ) => Promise<StoredPayment | null>;
  readonly saveAnswered: (key: PaymentKey, holder: string) => Promise<boolean>;
  readonly releasePayment: (key: PaymentKey, holder: string) => Promise<void>;
};

export type PaymentNeeds = SettlementNeeds & {
  readonly store: PaymentStore;
  readonly headNumber: () => Promise<number>;
  readonly now: () => number;
};

export type PaymentService = ReturnType<typeof createPaymentService>;

/**
 * Longer than a request takes, so that two requests rarely work on the same payment. If a request takes longer, because
 * a process was suspended or the chain's clock jumped, the request that held the payment last answers.
 */
const holdSeconds = 20;
/** How long to wait before retrying the database after a failure, and how often. */
const giveBackMs = 500;
const giveBackTimes = 60;

export function createPaymentService(needs: PaymentNeeds) {
  const { store, facilitator, headNumber, now } = needs;
  const settlement = createSettlement(needs);

  /**
   * Takes hold of a payment; nothing has been charged yet. Throws PAYMENT_REQUIRED where it is of no use. The holder
   * settles it, says that it answers, and gives it back where the answer did not get out.
   */
  async function hold(payment: Payment, offer: Offer, purpose: string) {
    const { authorization, signature } = payment.payload as { signature: Hash; authorization: Authorization };
    const key = { payer: authorization.from, nonce: authorization.nonce };
    const mistake = findMistake(payment, offer, now());
    if (mistake !== null) throw mistake;
    const requirement = buildRequirement(payment, offer);
    const known = await store.loadPayment(key);
    if (known === null) await verify(payment, requirement);
    else judge(known, purpose, signature);
    const sinceBlock = known?.sinceBlock ?? (await headNumber());
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
      /** Goes on trying for a while: a payer who got no answer would otherwise have paid for nothing. */
      giveBack: async () => {
        for (let times = 1; ; times++) {
          try {
            return await store.releasePayment(key, holder);
          } catch (error) {
            if (times === giveBackTimes) throw error;
            await pause(giveBackMs, undefined, { ref: false });
          }
        }
      },
    };

    async function send(): Promise<Hash> {
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
  async function explainLoss(key: PaymentKey, purpose: string, signature: Hash): Promise<SvcError> {
    const known = await store.loadPayment(key);
    if (known !== null) judge(known, purpose, signature);
    return refusePayment('this payment is being settled; try again in a moment', errorReasons.pending);
  }

  return { hold };
}

type Authorization = { readonly from: Address; readonly nonce: Hash };

function judge(known: StoredPayment, purpose: string, signature: Hash): void {
  if (known.purpose !== purpose)
    throw refusePayment('this payment was made for something else', errorReasons.used);
  if (known.signature !== signature.toLowerCase())
    throw refusePayment('the payment is not the one that was verified', errorReasons.signature);
  if (known.state === 'answered') throw refusePayment('this payment has been used', errorReasons.used);
}

function expired(): SvcError {
  return refusePayment('the payment has expired', errorReasons.validBefore);
}
