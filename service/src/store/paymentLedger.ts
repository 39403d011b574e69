// The ledger of payments: which are open, which money can pay for something else, and which goes back. Answering is in
// payments.ts; the state of a row decides between the two, in one statement each.
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database } from './database.ts';
import {
  insertPayment,
  type NewPayment,
  type PaymentKey,
  type PaymentState,
  paymentColumns,
  type StoredPayment,
  storedKey,
} from './payments.ts';
import { matchRow, updateRows } from './rows.ts';
import { raw, sql } from './sql.ts';

export type LedgerEntry = StoredPayment &
  NewPayment &
  PaymentKey & { readonly createdAt: number; readonly refundHash: Hex | null };

/** Money here or on its way that nothing was given for. */
export const openStates = ['settling', 'settled', 'refunding'] as const;
export type OpenState = (typeof openStates)[number];

export type PaymentLedger = ReturnType<typeof createPaymentLedger>;

const fields = raw(`payer, nonce, ${paymentColumns}, amount, valid_before, paper, created_at, refund_hash`);
/** Nobody holds such a row again, an older version included. */
const forever = Number.MAX_SAFE_INTEGER;
const isFree = (now: number) =>
  sql`created_at IS NOT NULL AND (held_until <= ${now} OR state NOT IN ('settling', 'settled'))`;

export function createPaymentLedger(database: Database) {
  const keyOf = (key: PaymentKey) => storedKey(key);
  const isOwn = (key: PaymentKey) => matchRow(keyOf(key));

  return {
    /** Payments that no request works on, open ones unless states are given, oldest first. */
    async listOpen(
      now: number,
      {
        states = openStates,
        payer,
        limit,
      }: { states?: readonly PaymentState[]; payer?: Address; limit: number },
    ): Promise<LedgerEntry[]> {
      return database.query<LedgerEntry>(sql`SELECT ${fields} FROM payments
        WHERE ${isFree(now)} AND state IN (${raw(states.map((state) => `'${state}'`).join())})
          ${payer === undefined ? raw('') : sql`AND payer = ${addressKey(payer)}`}
        ORDER BY created_at, nonce LIMIT ${limit}`);
    },

    /** Payments that came after one time and before another, and got their answer; the newest first. */
    listAnswered: (since: number, before: number, limit: number): Promise<LedgerEntry[]> =>
      database.query<LedgerEntry>(sql`SELECT ${fields} FROM payments
        WHERE state = 'answered' AND created_at > ${since} AND created_at < ${before}
        ORDER BY created_at DESC LIMIT ${limit}`),

    /** For an answered payment that was sent again. */
    async replaceTransaction(key: PaymentKey, txHash: Hex): Promise<void> {
      await updateRows(database.write, 'payments', { txHash }, { ...keyOf(key), state: 'answered' });
    },

    async countOpen(now: number, before: number): Promise<readonly { state: OpenState; payments: number }[]> {
      return database.query<{ state: OpenState; payments: number }>(
        sql`SELECT state, COUNT(*) AS payments FROM payments WHERE ${isFree(now)}
            AND created_at < ${before} AND state IN ('settling', 'settled', 'refunding')
          GROUP BY state`,
      );
    },

    async load(key: PaymentKey): Promise<LedgerEntry | null> {
      const [found] = await database.query<LedgerEntry>(
        sql`SELECT ${fields} FROM payments WHERE ${isOwn(key)} AND created_at IS NOT NULL`,
      );
      return found ?? null;
    },

    /**
     * Lets a new payment take over the money of an unused one of the same payer and amount, and holds the new one. Null
     * where there is none, or where the new one is known already: then its own money may be on its way.
     */
    async moveCredit(
      key: PaymentKey,
      payment: NewPayment,
      time: { readonly now: number; readonly until: number; readonly holder: string },
    ): Promise<StoredPayment | null> {
      const known = new Error('this payment is known');
      return database
        .transaction(async (tx) => {
          const unused = sql`payer = ${addressKey(key.payer)}
            AND state = 'settled' AND amount = ${payment.amount} AND ${isFree(time.now)}`;
          const [credit] = await tx.query<{ nonce: Hex; txHash: Hex; paidNonce: Hex | null; payTo: Address }>(
            sql`UPDATE payments SET state = 'moved', held_until = ${forever}, holder = ''
              WHERE ${unused} AND nonce = (
                SELECT nonce FROM payments WHERE ${unused} ORDER BY created_at, nonce LIMIT 1)
              RETURNING nonce, tx_hash, paid_nonce, pay_to`,
          );
          if (credit === undefined) return null;
          const [row] = await insertPayment(tx.query, keyOf(key), payment, time);
          if (row === undefined) throw known;
          const [held] = await tx.query<StoredPayment>(
            sql`UPDATE payments SET state = 'settled', tx_hash = ${credit.txHash},
                paid_nonce = ${credit.paidNonce ?? credit.nonce}, pay_to = ${credit.payTo}
              WHERE ${isOwn(key)} RETURNING ${raw(paymentColumns)}`,
          );
          return held ?? null;
        })
        .catch((error: unknown) => {
          if (error === known) return null;
          throw error;
        });
    },

    /**
     * For a transaction that the chain has lost: the payment has to be settled again, by its own authorization. Money of
     * another one that comes back after all is a credit again, and its own goes to `payTo`. False where somebody else holds the payment by now.
     */
    unsettle: (key: PaymentKey, holder: string, payTo: Address): Promise<boolean> =>
      database.transaction(async (tx) => {
        const [row] = await tx.query<Pick<StoredPayment, 'paidNonce'>>(
          sql`UPDATE payments SET state = 'settling', tx_hash = NULL
            WHERE ${isOwn(key)} AND state = 'settled' AND holder = ${holder} RETURNING paid_nonce`,
        );
        if (row === undefined) return false;
        if (row.paidNonce === null) return true;
        await updateRows(tx.query, 'payments', { paidNonce: null, payTo }, keyOf(key));
        const source = { ...keyOf({ ...key, nonce: row.paidNonce }), state: 'moved' };
        const lost = { state: 'settling', txHash: null, heldUntil: 0 };
        await updateRows(tx.query, 'payments', lost, source);
        return true;
      }),

    /** For a payment that can no longer be settled: its authorization has expired, and no transaction of ours has it. */
    async voidPayment(key: PaymentKey, now: number): Promise<void> {
      await database.write(sql`UPDATE payments SET state = 'void'
        WHERE ${isOwn(key)} AND state = 'settling' AND held_until <= ${now}`);
    },

    /**
     * From here on the money pays for nothing else. Null where the payment is used, held or refunded from another account;
     * a refund that was interrupted goes on from the same one.
     */
    async beginRefund(key: PaymentKey, from: Address, now: number): Promise<LedgerEntry | null> {
      const [row] = await database.write<LedgerEntry>(
        sql`UPDATE payments
          SET state = 'refunding', refund_from = ${addressKey(from)}, held_until = ${forever}, holder = ''
          WHERE ${isOwn(key)} AND created_at IS NOT NULL AND refund_hash IS NULL
            AND ((state = 'settled' AND held_until <= ${now}) OR (state = 'refunding'
            AND refund_from = ${addressKey(from)}))
          RETURNING ${fields}`,
      );
      return row ?? null;
    },

    async endRefund(key: PaymentKey, refundHash: Hex): Promise<void> {
      const before = { ...keyOf(key), state: 'refunding' };
      await updateRows(database.write, 'payments', { state: 'refunded', refundHash }, before);
    },
  };
}
