// Payments as rows, each bound to what it was made for. A row is held by one request at a time, for a while: when a
// process dies over a payment, the payer can come again. Who comes back after that time finds another holder's name.

import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Query } from './database.ts';

/**
 * Settling: it may have reached the chain. Settled: the money is here. Answered: so is what it was paid for. Moved: the money
 * pays for something else. Void: it expired unpaid.
 */
export type PaymentState = 'settling' | 'settled' | 'answered' | 'moved' | 'void' | 'refunding' | 'refunded';

export type StoredPayment = {
  readonly purpose: string;
  /** The payer's: who comes again must come with the same. */
  readonly signature: Hex;
  readonly state: PaymentState;
  readonly txHash: Hex | null;
  /** The body of the answer, once there is one: who comes again with this payment gets it again. */
  readonly answer: string | null;
  /** The chain's height when the payment came: it cannot be found in older blocks. */
  readonly sinceBlock: number;
  /** The authorization whose money it took over; null for its own. */
  readonly paidNonce: Hex | null;
};

/** What the ledger knows beside: what is due, to whom, and until when the authorization is good. */
export type NewPayment = Pick<StoredPayment, 'purpose' | 'signature' | 'sinceBlock'> & {
  readonly amount: string;
  readonly payTo: Address;
  readonly validBefore: number;
};

export type PaymentKey = { readonly payer: Address; readonly nonce: Hex };

export type PaymentAttempts = { readonly transactions: readonly Hex[]; readonly isUnanswered: boolean };

export const paymentColumns = 'purpose, signature, state, tx_hash, answer, since_block, paid_nonce';

type Time = { readonly now: number; readonly until: number; readonly holder: string };

/** No row where there is one already, unless `then` says what happens to it. */
export function insertPayment(
  query: Query,
  key: readonly [identity: string, payer: string, nonce: string],
  { purpose, signature, sinceBlock, amount, payTo, validBefore }: NewPayment,
  { now, until, holder }: Time,
  then = 'DO NOTHING',
): Promise<StoredPayment[]> {
  return query<StoredPayment>(
    `INSERT INTO payments (identity, payer, nonce, purpose, signature, state, since_block, held_until, holder,
       amount, pay_to, valid_before, created_at)
     VALUES ($1, $2, $3, $4, $5, 'settling', $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (identity, payer, nonce) ${then}
     RETURNING ${paymentColumns}`,
    [...key, purpose, signature.toLowerCase(), sinceBlock, until, holder, amount, payTo, validBefore, now],
  );
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

export function createPaymentStore(database: Database, identity: string) {
  const keyOf = ({ payer, nonce }: PaymentKey) => [identity, addressKey(payer), nonce.toLowerCase()] as const;
  const own = 'identity = $1 AND payer = $2 AND nonce = $3';

  return {
    async loadPayment(key: PaymentKey): Promise<StoredPayment | null> {
      const sql = `SELECT ${paymentColumns} FROM payments WHERE ${own}`;
      const [row] = await database.query<StoredPayment>(sql, keyOf(key));
      return row ?? null;
    },

    /** Null where it was made for something else, is used already, or is in other hands until its time is over. */
    async holdPayment(key: PaymentKey, payment: NewPayment, time: Time): Promise<StoredPayment | null> {
      const [row] = await insertPayment(
        database.write,
        keyOf(key),
        payment,
        time,
        `DO UPDATE SET held_until = excluded.held_until, holder = excluded.holder
         WHERE payments.purpose = excluded.purpose AND payments.signature = excluded.signature
           AND payments.state IN ('settling', 'settled') AND payments.held_until <= excluded.created_at`,
      );
      return row ?? null;
    },

    /** Notes a transaction that pays by this authorization as our own. Sent only after it is noted. */
    async noteTransaction(key: PaymentKey, txHash: Hex): Promise<void> {
      await database.write(
        `INSERT INTO payment_transactions (identity, payer, nonce, tx_hash) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [...keyOf(key), txHash.toLowerCase()],
      );
    },

    /** Notes that a facilitator elsewhere is asked to settle, or, with -1, that it has answered. */
    async countAsk(key: PaymentKey, change: 1 | -1): Promise<void> {
      await database.write(`UPDATE payments SET open_asks = open_asks + $4 WHERE ${own}`, [
        ...keyOf(key),
        change,
      ]);
    },

    /** Our own transactions for this payment, and whether an answer of a facilitator elsewhere is missing. */
    async loadAttempts(key: PaymentKey): Promise<PaymentAttempts> {
      const rows = await database.query<{ txHash: Hex }>(
        `SELECT tx_hash FROM payment_transactions WHERE ${own}`,
        keyOf(key),
      );
      const [row] = await database.query<{ openAsks: number }>(
        `SELECT open_asks FROM payments WHERE ${own}`,
        keyOf(key),
      );
      return { transactions: rows.map(({ txHash }) => txHash), isUnanswered: (row?.openAsks ?? 0) > 0 };
    },

    async saveSettled(key: PaymentKey, txHash: Hex): Promise<void> {
      await database.write(
        `UPDATE payments SET state = 'settled', tx_hash = $4 WHERE ${own} AND state = 'settling'`,
        [...keyOf(key), txHash],
      );
    },

    /** For a transaction that the chain has lost: the payment has to be settled again. */
    async unsettle(key: PaymentKey, holder: string): Promise<void> {
      await database.write(
        `UPDATE payments SET state = 'settling', tx_hash = NULL
         WHERE ${own} AND state = 'settled' AND holder = $4`,
        [...keyOf(key), holder],
      );
    },

    /** False where it is unpaid, or where somebody else holds it by now. Saying it again changes nothing. */
    async saveAnswered(key: PaymentKey, holder: string, answer: string): Promise<boolean> {
      const rows = await database.write(
        `UPDATE payments SET state = 'answered', answer = $5
         WHERE ${own} AND state IN ('settled', 'answered') AND holder = $4 RETURNING nonce`,
        [...keyOf(key), holder, answer],
      );
      return rows.length > 0;
    },

    /** Lets the payer come again at once. */
    async releasePayment(key: PaymentKey, holder: string): Promise<void> {
      await database.write(`UPDATE payments SET held_until = 0 WHERE ${own} AND holder = $4`, [
        ...keyOf(key),
        holder,
      ]);
    },
  };
}
