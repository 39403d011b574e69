// Payments as rows, each bound to what it was made for. A row is held by one request at a time, for a while: when a
// process dies over a payment, the payer can come again. A request that returns after that time finds that another one holds the row.

import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Query } from './database.ts';
import { findRow, insertNew, matchRow, queryValue, returnsRow, selectRows, updateRows } from './rows.ts';
import { raw, sql } from './sql.ts';

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
  /** Who got its money; null in a row of an older version. */
  readonly payTo: Address | null;
};

/** What the ledger knows beside: what is due, to whom, and until when the authorization is good. */
export type NewPayment = Pick<StoredPayment, 'purpose' | 'signature' | 'sinceBlock'> & {
  /** Micro-USDC. */
  readonly amount: string;
  readonly payTo: Address;
  readonly validBefore: number;
  /** The payment and what it was for, as JSON: by it the payment can be sent again. Null in a row of an older version. */
  readonly paper: string | null;
};

export type PaymentKey = { readonly payer: Address; readonly nonce: Hex };

export type PaymentAttempts = { readonly transactions: readonly Hex[]; readonly isUnanswered: boolean };

export const paymentColumns = 'purpose, signature, state, tx_hash, answer, since_block, paid_nonce, pay_to';

type Time = { readonly now: number; readonly until: number; readonly holder: string };

/** No row where there is one already, unless `then` says what happens to it. */
export function insertPayment(
  query: Query,
  key: Readonly<Record<'payer' | 'nonce', string>>,
  { purpose, signature, sinceBlock, amount, payTo, validBefore, paper }: NewPayment,
  { now, until, holder }: Time,
  then = 'DO NOTHING',
): Promise<StoredPayment[]> {
  return query<StoredPayment>(sql`INSERT INTO payments (payer, nonce, purpose, signature, state,
    since_block, held_until, holder, amount, pay_to, valid_before, created_at, paper)
     VALUES (${key.payer}, ${key.nonce}, ${purpose}, ${signature.toLowerCase()}, 'settling',
     ${sinceBlock}, ${until}, ${holder}, ${amount}, ${payTo}, ${validBefore}, ${now}, ${paper})
     ON CONFLICT (payer, nonce) ${raw(then)}
     RETURNING ${raw(paymentColumns)}`);
}

export function storedKey({ payer, nonce }: PaymentKey) {
  return { payer: addressKey(payer), nonce: nonce.toLowerCase() };
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

export function createPaymentStore(database: Database) {
  const keyOf = (key: PaymentKey) => storedKey(key);

  return {
    loadPayment: async (key: PaymentKey): Promise<StoredPayment | null> =>
      (await findRow<StoredPayment>(database.query, 'payments', keyOf(key), paymentColumns)) ?? null,

    /** What was answered to the newest payment of this payer for this purpose; null where nothing was. */
    async loadAnswer(payer: Address, purpose: string): Promise<string | null> {
      const isAnswered = matchRow({ payer: addressKey(payer), purpose, state: 'answered' });
      const newest = sql`SELECT answer FROM payments WHERE ${isAnswered}
        ORDER BY created_at DESC, since_block DESC LIMIT 1`;
      return (await queryValue<string>(database.query, newest)) ?? null;
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
      const row = { ...keyOf(key), txHash: txHash.toLowerCase() };
      await insertNew(database.write, 'payment_transactions', row);
    },

    /** Notes that a facilitator elsewhere is asked to settle, or, with -1, that it has answered. */
    async countAsk(key: PaymentKey, change: 1 | -1): Promise<void> {
      await database.write(
        sql`UPDATE payments SET open_asks = open_asks + ${change} WHERE ${matchRow(keyOf(key))}`,
      );
    },

    /** Our own transactions for this payment, and whether an answer of a facilitator elsewhere is missing. */
    async loadAttempts(key: PaymentKey): Promise<PaymentAttempts> {
      const rows = await selectRows<{ txHash: Hex }>(database.query, 'payment_transactions', keyOf(key));
      const row = await findRow<{ openAsks: number }>(database.query, 'payments', keyOf(key));
      return { transactions: rows.map(({ txHash }) => txHash), isUnanswered: (row?.openAsks ?? 0) > 0 };
    },

    async saveSettled(key: PaymentKey, txHash: Hex): Promise<void> {
      const before = { ...keyOf(key), state: 'settling' };
      await updateRows(database.write, 'payments', { state: 'settled', txHash }, before);
    },

    /** False where it is unpaid, or where somebody else holds it by now. Saying it again changes nothing. */
    saveAnswered: (key: PaymentKey, holder: string, answer: string): Promise<boolean> =>
      returnsRow(
        database.write,
        sql`UPDATE payments SET state = 'answered', answer = ${answer}
          WHERE ${matchRow(keyOf(key))} AND state IN ('settled', 'answered') AND holder = ${holder}
          RETURNING nonce`,
      ),

    /** Lets the payer come again at once. */
    async releasePayment(key: PaymentKey, holder: string): Promise<void> {
      await updateRows(database.write, 'payments', { heldUntil: 0 }, { ...keyOf(key), holder });
    },
  };
}
