// Takes payments by x402: verified, bound to one purpose, settled once, and good until what was paid for is answered.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address, Hash } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { Payment } from '@svc/sdk/schemas';
import { buildRequirement, buildSettlement, findMistake, isExpired, type Offer } from './x402.ts';

type PaymentKey = { readonly payer: Address; readonly nonce: Hash };

type StoredPayment = {
  readonly purpose: string;
  readonly signature: Hash;
  readonly state: 'settling' | 'settled' | 'answered';
  readonly txHash: Hash | null;
  readonly sinceBlock: number;
};

export type PaymentStore = {
  readonly loadPayment: (key: PaymentKey) => Promise<StoredPayment | null>;
  readonly holdPayment: (
    key: PaymentKey,
    payment: Pick<StoredPayment, 'purpose' | 'signature' | 'sinceBlock'>,
    hold: { readonly now: number; readonly until: number; readonly holder: string },
  ) => Promise<StoredPayment | null>;
  readonly saveSettled: (key: PaymentKey, txHash: Hash) => Promise<void>;
  readonly saveAnswered: (key: PaymentKey, holder: string) => Promise<boolean>;
  readonly releasePayment: (key: PaymentKey, holder: string) => Promise<void>;
};

export type Requirement = ReturnType<typeof buildRequirement>;

export type Facilitator = {
  readonly verify: (
    payment: Payment,
    requirement: Requirement,
  ) => Promise<{ readonly isValid: boolean; readonly reason: string }>;
  /** Sends the payment to the chain and waits for it; the reason is empty where it succeeded. */
  readonly settle: (
    payment: Payment,
    requirement: Requirement,
  ) => Promise<{ readonly txHash: Hash | null; readonly reason: string }>;
};

export type WantedTransfer = PaymentKey & {
  readonly asset: Address;
  readonly payTo: Address;
  readonly amount: bigint;
  readonly sinceBlock: number;
};

export type PaymentNeeds = {
  readonly store: PaymentStore;
  readonly facilitator: Facilitator;
  /** The transaction in which this authorization paid us, sent by any account. */
  readonly findTransfer: (wanted: WantedTransfer) => Promise<Hash | null>;
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
const settleMs = 12_000;

export function createPaymentService({ store, facilitator, findTransfer, headNumber, now }: PaymentNeeds) {
  /**
   * Takes hold of a payment; nothing has been charged yet. Throws PAYMENT_REQUIRED where it is of no use. The holder
   * settles it, says that it answers, and gives it back where the answer did not get out.
   */
  async function hold(payment: Payment, offer: Offer, purpose: string) {
    const { authorization, signature } = payment.payload as { signature: Hash; authorization: Authorization };
    const key = { payer: authorization.from, nonce: authorization.nonce };
    const requirement = buildRequirement(payment, offer);
    const mistake = findMistake(payment, offer, now());
    if (mistake !== null) throw refuse(mistake);
    const known = await store.loadPayment(key);
    if (known === null) await verify(payment, requirement);
    else judge(known, purpose, signature);
    const sinceBlock = known?.sinceBlock ?? (await headNumber());
    const holder = randomUUID();
    const time = { now: now(), until: now() + holdSeconds, holder };
    const held = await store.holdPayment(key, { purpose, signature, sinceBlock }, time);
    if (held === null) throw await explainLoss(key, purpose, signature);

    async function findPaid(): Promise<Hash | null> {
      const { asset, payTo, amount } = offer.price;
      const txHash = await findTransfer({ ...key, asset, payTo, amount, sinceBlock });
      if (txHash !== null) await store.saveSettled(key, txHash);
      return txHash;
    }

    return {
      /** Throws PAYMENT_REQUIRED, and lets go, where the money did not come. */
      settle: async () => {
        try {
          const txHash = held.txHash ?? (known && (await findPaid())) ?? (await send());
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
        throw refuse('this payment was taken up by somebody else meanwhile');
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
      if (isExpired(payment, now())) throw refuse('the payment has expired');
      const { txHash, reason } = await within(settleMs, facilitator.settle(payment, requirement));
      if (txHash !== null) {
        await store.saveSettled(key, txHash);
        return txHash;
      }
      // Another account may have sent the same authorization, or our own response got lost: check the chain.
      const found = await findPaid();
      if (found === null)
        throw refuse(`the payment was not settled (${reason}); the same one can be tried again`);
      return found;
    }
  }

  async function verify(payment: Payment, requirement: Requirement): Promise<void> {
    if (isExpired(payment, now())) throw refuse('the payment has expired');
    const { isValid, reason } = await facilitator.verify(payment, requirement);
    if (!isValid) throw refuse(`the payment is not valid (${reason})`);
  }

  /** Another request took this payment, or one with the same nonce, between the check and the hold. */
  async function explainLoss(key: PaymentKey, purpose: string, signature: Hash): Promise<SvcError> {
    const known = await store.loadPayment(key);
    if (known !== null) judge(known, purpose, signature);
    return refuse('this payment is being settled; try again in a moment');
  }

  return { hold };
}

type Authorization = { readonly from: Address; readonly nonce: Hash };

function judge(known: StoredPayment, purpose: string, signature: Hash): void {
  if (known.purpose !== purpose) throw refuse('this payment was made for something else');
  if (known.signature !== signature.toLowerCase())
    throw refuse('the payment is not the one that was verified');
  if (known.state === 'answered') throw refuse('this payment has been used');
}

function refuse(reason: string): SvcError {
  return new SvcError('PAYMENT_REQUIRED', { reason });
}

type Outcome = { readonly txHash: Hash | null; readonly reason: string };

function within(milliseconds: number, work: Promise<Outcome>): Promise<Outcome> {
  const failed = work.catch(() => ({ txHash: null, reason: 'the facilitator failed' }));
  const late = new Promise<Outcome>((resolve) => {
    const timer = setTimeout(() => resolve({ txHash: null, reason: 'not in time' }), milliseconds);
    failed.finally(() => clearTimeout(timer));
  });
  return Promise.race([failed, late]);
}
