// Names that payers give their payments (the extension payment-identifier of x402): each stands for one authorization, so that a
// request which is tried again with a new one is not paid twice.
import type { Hex } from 'viem';
import type { Database } from './database.ts';
import { type PaymentKey, storedKey } from './payments.ts';
import { findRow, insertNew, updateRows } from './rows.ts';

export type PaymentNames = ReturnType<typeof createPaymentNames>;

export function createPaymentNames(database: Database) {
  const rowOf = (key: PaymentKey, name: string) => {
    const { nonce, ...owner } = storedKey(key);
    return { nonce, where: { ...owner, name } };
  };
  const find = async (key: PaymentKey, name: string): Promise<Hex | null> => {
    const row = await findRow<{ nonce: Hex }>(database.query, 'payment_names', rowOf(key, name).where);
    return row?.nonce ?? null;
  };
  return {
    /** The nonce of the payment with this name; null where the payer has used it for none. */
    find,
    /** Gives the name to this payment, unless it has another one already. Returns the nonce that it stands for. */
    async take(key: PaymentKey, name: string): Promise<Hex> {
      const { nonce, where } = rowOf(key, name);
      await insertNew(database.write, 'payment_names', { ...where, nonce });
      return (await find(key, name)) ?? (nonce as Hex);
    },
    /** From a payment that can no longer be settled to this one. */
    async move(key: PaymentKey, name: string, from: Hex): Promise<boolean> {
      const { nonce, where } = rowOf(key, name);
      return (await updateRows(database.write, 'payment_names', { nonce }, { ...where, nonce: from })) > 0;
    },
  };
}
