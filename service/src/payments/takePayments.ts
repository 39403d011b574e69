// Takes payments by x402: verified, bound to one purpose and settled once. One answer belongs to each, for as often as its payer
// asks: a reply can get lost on the wire without the server knowing.

import { randomUUID } from 'node:crypto';
import type { Address, SvcError } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import type { Payment } from '../contract/paymentSchemas.ts';
import type { LedgerEntry, PaymentLedger } from '../store/paymentLedger.ts';
import type { PaymentNames } from '../store/paymentNames.ts';
import type { NewPayment, PaymentKey, PaymentStore, StoredPayment } from '../store/payments.ts';
import type { Facilitator } from './facilitator.ts';
import { areUsed, isUsed, readHeadNumber, type WantedTransfer } from './findTransfer.ts';
import { createReconciling } from './reconcile.ts';
import { createSettlement, type SettlementNeeds } from './settlement.ts';
import {
  buildRequirement,
  buildSettlement,
  errorReasons,
  findMistake,
  isExpired,
  isSigned,
  nameOf,
  type Offer,
  type Requirement,
  refusePayment,
} from './x402.ts';

type PaymentNeeds = SettlementNeeds & {
  readonly store: PaymentStore;
  readonly names: PaymentNames;
  readonly facilitator: Facilitator;
  readonly ledger: Pick<
    PaymentLedger,
    'listAnswered' | 'listOpen' | 'moveCredit' | 'replaceTransaction' | 'unsettle' | 'voidPayment'
  >;
  readonly now: () => number;
};

export type PaymentService = ReturnType<typeof createPaymentService>;

/**
 * Longer than a request takes, so that two requests rarely work on the same payment. If a request takes longer, because
 * a process was suspended or the chain's clock jumped, the request that held the payment last answers.
 */
const holdSeconds = 20;

/** After this time an answered payment is on the chain, for every node; after that one no fork takes it away. */
const [settledSeconds, lostSeconds, mostRecovered] = [60, 3_600, 1_000];

export function createPaymentService(needs: PaymentNeeds) {
  const { store, names, ledger, facilitator, rpc, now } = needs;
  const settlement = createSettlement(needs);
  const { findSettled, reconcile } = createReconciling({ ledger, settlement });

  /**
   * Takes hold of a payment; nothing has been charged yet. Throws PAYMENT_REQUIRED where it is of no use. The holder
   * settles it, and keeps its answer.
   */
  async function hold(payment: Payment, offer: Offer, purpose: string) {
    const { key, authorization, signature } = partsOf(payment);
    const mistake = findMistake(payment, offer, now());
    if (mistake !== null) throw mistake;
    const requirement = buildRequirement(payment, offer);
    const known = await store.loadPayment(key);
    let poor: SvcError | null = null;
    if (known === null) poor = await verify(payment, offer);
    else judge(known, purpose, signature);
    const sinceBlock = known?.sinceBlock ?? (await readHeadNumber(rpc));
    const holder = randomUUID();
    const time = { now: now(), until: now() + holdSeconds, holder };
    const { asset, payTo, amount } = offer.price;
    const validBefore = Math.min(Number(authorization.validBefore), Number.MAX_SAFE_INTEGER);
    const paper = JSON.stringify({ payment, requirement });
    const due = { purpose, signature, sinceBlock, amount: String(amount), payTo, validBefore, paper };
    const credit = known === null ? await findCredit(key, due, time, asset) : null;
    if (credit === null && poor !== null) throw poor;
    const held = credit ?? (await store.holdPayment(key, due, time));
    if (held === null) throw await findRefusal(key, purpose, signature);
    await takeName(payment, key).catch(async (error: unknown) => {
      await store.releasePayment(key, holder);
      throw error;
    });

    const wanted = { ...key, asset, payTo, amount, sinceBlock };

    return {
      /** Throws PAYMENT_REQUIRED, and lets go, where the money did not come. */
      settle: async () => {
        try {
          const found = held.txHash ?? (known && (await settlement.findOwn(wanted)));
          const paid = { ...wanted, nonce: held.paidNonce ?? key.nonce, payTo: held.payTo ?? payTo };
          const txHash = found ?? (await send());
          if (await settlement.isFinal(txHash, paid, found === null))
            return buildSettlement(payment, offer, txHash);
          // Where a node has forgotten the transaction, the payer must not pay once more.
          if (held.paidNonce !== null && (await isUsed(rpc, paid)))
            throw refusePayment('its money is not found on the chain now', errorReasons.pending);
          if (!(await ledger.unsettle(key, holder, payTo)))
            throw refusePayment('this payment was taken up by somebody else meanwhile', errorReasons.used);
          const again = await send();
          if (await settlement.isFinal(again, wanted, true)) return buildSettlement(payment, offer, again);
          throw refusePayment('the chain has lost this payment; try again in a moment', errorReasons.pending);
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
    const { key, signature } = partsOf(payment);
    const known = await store.loadPayment(key);
    const isSame = known?.purpose === purpose && known.signature === signature.toLowerCase();
    if (!isSame || known.answer === null || known.txHash === null) return null;
    return { body: known.answer, settlement: buildSettlement(payment, offer, known.txHash) };
  }

  /**
   * What was answered to another payment that this payer has given the same name; null where nothing was. The signature of this
   * one proves who asks, and it is not settled. Throws PAYMENT_REQUIRED where the name is of something else.
   */
  async function findNamed(payment: Payment, offer: Offer, purpose: string) {
    const name = nameOf(payment);
    if (name === null) return null;
    const { key } = partsOf(payment);
    const nonce = await names.find(key, name);
    const known = nonce === null ? null : await store.loadPayment({ ...key, nonce });
    if (known?.answer == null || known.txHash === null || nonce === key.nonce.toLowerCase()) return null;
    const mistake = findMistake(payment, offer, now());
    if (mistake !== null) throw mistake;
    await verify(payment, offer);
    if (known.purpose !== purpose)
      throw refusePayment('this payment identifier was used for something else', errorReasons.used);
    return { body: known.answer, settlement: buildSettlement(payment, offer, known.txHash) };
  }

  /** Once the payment has a row: a name stands for one payment until that can no longer be settled. */
  async function takeName(payment: Payment, key: PaymentKey): Promise<void> {
    const name = nameOf(payment);
    if (name === null) return;
    const nonce = await names.take(key, name);
    if (nonce === key.nonce.toLowerCase()) return;
    const other = await store.loadPayment({ ...key, nonce });
    const isOver = other?.state === 'void' || other?.state === 'refunded' || other?.state === 'moved';
    if (isOver && (await names.move(key, name, nonce))) return;
    throw refusePayment(
      'another payment has this payment identifier; send that one again, or wait until it has expired',
      errorReasons.pending,
    );
  }

  /** The money of an earlier payment of this payer that nothing was given for. */
  async function findCredit(key: PaymentKey, due: NewPayment, time: Time, asset: Address) {
    const open = await ledger.listOpen(time.now, { payer: key.payer, limit: 5 });
    for (const entry of open) await findSettled(entry, asset).catch(() => null);
    return open.length === 0 ? null : ledger.moveCredit(key, due, time);
  }

  /** Returns what is wrong with a good payment of somebody who has too little: an earlier one may pay for it. */
  async function verify(payment: Payment, offer: Offer): Promise<SvcError | null> {
    if (isExpired(payment, now())) throw expired();
    const { isValid, reason } = await facilitator.verify(payment, buildRequirement(payment, offer));
    if (isValid) return null;
    if (!reason.endsWith('insufficient_balance'))
      throw refusePayment(`the payment is not valid (${reason})`, reason);
    const poor = refusePayment('the payer has less USDC than the price', reason);
    if (await isSigned(payment, offer)) return poor;
    throw poor;
  }

  /** Another request took this payment, or one with the same nonce, between the check and the hold. */
  async function findRefusal(key: PaymentKey, purpose: string, signature: Hex): Promise<SvcError> {
    const known = await store.loadPayment(key);
    if (known !== null) judge(known, purpose, signature);
    if (known?.answer != null) return refusePayment('this payment has been used', errorReasons.used);
    return refusePayment('this payment is being settled; try again in a moment', errorReasons.pending);
  }

  /**
   * Sends payments again that a fork took away after their answer was given. Resolves to how many are away now: those of the last
   * hour that cannot be sent again either.
   */
  async function recover(asset: Address): Promise<number> {
    const recent = await ledger.listAnswered(now() - lostSeconds, now() - settledSeconds, mostRecovered);
    const all = recent.map((entry) => ({
      ...entry,
      nonce: entry.paidNonce ?? entry.nonce,
      asset,
      amount: BigInt(entry.amount),
    }));
    const used = await areUsed(rpc, all);
    let away = 0;
    for (const [at, wanted] of all.entries()) {
      if (used[at] || (await sendAgain(wanted))) continue;
      away++;
    }
    return away;
  }

  async function sendAgain(wanted: Omit<LedgerEntry, 'amount'> & WantedTransfer): Promise<boolean> {
    const { paper, paidNonce, validBefore } = wanted;
    // What the authorization of an earlier payment said is in the row of that one.
    if (paper === null || paidNonce !== null || validBefore <= now()) return false;
    const { payment, requirement } = JSON.parse(paper) as { payment: Payment; requirement: Requirement };
    const txHash = await settlement.send(payment, requirement, wanted).catch(() => null);
    if (txHash !== null) await ledger.replaceTransaction(wanted, txHash);
    return txHash !== null;
  }

  return { hold, findAnswer, findNamed, findPaid: store.loadAnswer, reconcile, recover };
}

type Time = { readonly now: number; readonly until: number; readonly holder: string };

function partsOf({ payload }: Payment) {
  const { authorization, signature } = payload;
  const key = { payer: authorization.from, nonce: authorization.nonce };
  return { key, authorization, signature };
}

function judge(known: StoredPayment, purpose: string, signature: Hex): void {
  if (known.purpose !== purpose)
    throw refusePayment(
      'this payment was made for something else; sign a new one, which uses its money if nothing was given for it',
      errorReasons.used,
    );
  if (known.signature !== signature.toLowerCase())
    throw refusePayment('the payment is not the one that was verified', errorReasons.signature);
  if (known.state === 'void') throw expired();
  if (known.state !== 'settling' && known.state !== 'settled' && known.state !== 'answered')
    throw refusePayment('this payment has been used', errorReasons.used);
}

function expired(): SvcError {
  return refusePayment('the payment has expired', errorReasons.validBefore);
}
