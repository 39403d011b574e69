// Settles a payment, and recognizes afterwards what this gateway itself has settled. Stock clients choose the nonce of an
// authorization, so any gateway with the same payee, or anybody who reads it in a mempool, can send it. Only transactions of
// our own facilitator count: otherwise two gateways would both give their answer for one payment.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rpc } from '@svc/sdk/chain';
import { SvcError } from '@svc/sdk/domain';
import { pollUntil } from '@svc/sdk/internal/domain/backoff';
import type { Hex } from 'viem';
import type { Payment } from '../contract/paymentSchemas.ts';
import type { PaymentKey, PaymentStore } from '../store/payments.ts';
import type { Facilitator, Outcome } from './facilitator.ts';
import { findTransfer, readDepth, readTransfer, type WantedTransfer } from './findTransfer.ts';
import { errorReasons, type Requirement, refusePayment } from './x402.ts';

export type SettlementNeeds = {
  readonly store: Pick<PaymentStore, 'noteTransaction' | 'countAsk' | 'loadAttempts' | 'saveSettled'>;
  readonly facilitator: Pick<Facilitator, 'isSender' | 'settle'>;
  readonly rpc: Rpc;
  /** Blocks until a small payment counts, its own included; default 1. */
  readonly confirmations?: number;
  /** How long to wait for a transaction of ours that a node has and no block. */
  readonly minedMs?: number;
};

/** What is worth more is worth a longer fork: one block more for every 10 USDC, but no more than these. */
const unitsPerBlock = 10_000_000n;
const mostMore = 30n;

const settleMs = 12_000;
const pollMs = 100;

export function createSettlement(needs: SettlementNeeds) {
  const { store, facilitator, rpc, confirmations = 1, minedMs = 5_000 } = needs;
  const { isSender } = facilitator;
  const blocksFor = ({ amount }: WantedTransfer): number => {
    const more = amount / unitsPerBlock;
    return confirmations + Number(more < mostMore ? more : mostMore);
  };
  /** By signature: a payer who tries again before the answer waits for it as well, and nothing is sent twice. */
  const inFlight = new Map<string, Promise<Outcome>>();

  /** The transaction of ours that paid, found by what was noted. Null where there is none. */
  async function findOwn(wanted: WantedTransfer): Promise<Hex | null> {
    const { transactions, isUnanswered } = await store.loadAttempts(wanted);
    const noted = await findNoted(transactions, wanted);
    if (noted !== null) return save(wanted, noted);
    if (!isUnanswered || isSender === null) return null;
    // A facilitator elsewhere was asked, and its answer got lost: a transaction of one of its accounts is the answer.
    const found = await findTransfer(rpc, wanted);
    return found !== null && (await isSender(found.sender)) ? save(wanted, found.txHash) : null;
  }

  async function findNoted(transactions: readonly Hex[], wanted: WantedTransfer): Promise<Hex | null> {
    const look = async () => {
      const states = await Promise.all(transactions.map((txHash) => readTransfer(rpc, txHash, wanted)));
      const paid = transactions[states.indexOf('paid')];
      if (paid !== undefined) return { paid };
      return states.includes('pending') ? undefined : { paid: null };
    };
    const seen = await pollUntil(look, { everyMs: pollMs, timeoutMs: minedMs });
    // Sending it once more would only cost gas.
    if (seen === undefined)
      throw refusePayment('this payment is being settled; try again in a moment', errorReasons.pending);
    return seen.paid;
  }

  async function save(key: PaymentKey, txHash: Hex): Promise<Hex> {
    await store.saveSettled(key, txHash);
    return txHash;
  }

  /** Goes on after the caller has stopped waiting, so that a late answer is known as well. */
  function askOnce(payment: Payment, requirement: Requirement, key: PaymentKey): Promise<Outcome> {
    const { signature } = payment.payload;
    const asked =
      inFlight.get(signature) ?? ask(payment, requirement, key).finally(() => inFlight.delete(signature));
    inFlight.set(signature, asked);
    return asked;
  }

  async function ask(payment: Payment, requirement: Requirement, key: PaymentKey): Promise<Outcome> {
    if (isSender !== null) await store.countAsk(key, 1);
    const note = (txHash: Hex) => store.noteTransaction(key, txHash);
    const outcome = await facilitator.settle(payment, requirement, note);
    if (outcome.txHash !== null) await note(outcome.txHash);
    if (isSender !== null) await store.countAsk(key, -1);
    return outcome;
  }

  /** A facilitator elsewhere may name any transaction, and see it before our node does. */
  async function isConfirmed(txHash: Hex, wanted: WantedTransfer): Promise<boolean> {
    if (isSender === null) return true;
    const look = async () => (await readTransfer(rpc, txHash, wanted)) === 'paid' || undefined;
    return (await pollUntil(look, { everyMs: pollMs, timeoutMs: minedMs })) === true;
  }

  return {
    findOwn,

    /** Whether its blocks came; false where the chain has lost it. Throws PAYMENT_REQUIRED while they are missing. */
    isFinal: async (txHash: Hex, wanted: WantedTransfer, isFresh: boolean): Promise<boolean> => {
      // The one who settled it has just seen its block.
      const blocks = blocksFor(wanted);
      if (isFresh && blocks <= 1) return true;
      const look = async () => (await readDepth(rpc, txHash, wanted)) >= blocks || undefined;
      if ((await pollUntil(look, { everyMs: pollMs, timeoutMs: minedMs })) === true) return true;
      if ((await readTransfer(rpc, txHash, wanted)) === 'absent') return false;
      const reason = `this payment counts after ${blocks} blocks; try again in a moment`;
      throw refusePayment(reason, errorReasons.pending);
    },

    /** Throws PAYMENT_REQUIRED where no transaction of ours brought the money, FACILITATOR_UNFUNDED where that is our fault. */
    send: async (payment: Payment, requirement: Requirement, wanted: WantedTransfer): Promise<Hex> => {
      const { txHash, reason, isUnfunded } = await within(settleMs, askOnce(payment, requirement, wanted));
      if (txHash !== null && (await isConfirmed(txHash, wanted))) return save(wanted, txHash);
      const found = await findOwn(wanted);
      if (found !== null) return found;
      if ((await findTransfer(rpc, wanted)) !== null)
        throw refusePayment(
          'somebody else has settled this payment, so it does not count here; ask for a receipt instead',
          errorReasons.used,
        );
      if (isUnfunded) throw new SvcError('FACILITATOR_UNFUNDED', {});
      throw refusePayment(`the payment was not settled (${reason}); the same one can be tried again`, reason);
    },
  };
}

async function within(milliseconds: number, work: Promise<Outcome>): Promise<Outcome> {
  const failed = work.catch(() => ({ txHash: null, reason: 'the facilitator failed' }));
  const late: Outcome = { txHash: null, reason: 'not in time' };
  return Promise.race([failed, sleep(milliseconds, late, { ref: false })]);
}
