// Compares payments whose end nobody saw with the chain, so that their money is known: as a credit, or as never taken.
import type { Address } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import type { LedgerEntry, PaymentLedger } from '../store/paymentLedger.ts';
import type { createSettlement } from './settlement.ts';

type ReconcilingNeeds = {
  readonly ledger: Pick<PaymentLedger, 'listOpen' | 'voidPayment'>;
  readonly settlement: Pick<ReturnType<typeof createSettlement>, 'findOwn'>;
  readonly atOnce?: number;
};

/** A transaction may be mined until its authorization expires, and be seen a while later. */
const lateSeconds = 600;
const mostOpen = 5_000;
/** A gateway looks at these in one round, and an operator at all. */
const mostAtOnce = 50;

export function createReconciling({ ledger, settlement, atOnce = mostAtOnce }: ReconcilingNeeds) {
  let looked = 0;

  /** The transaction of ours that brought its money, if there is one. Throws where that cannot be known now. */
  async function findSettled(entry: LedgerEntry, asset: Address): Promise<Hex | null> {
    if (entry.state !== 'settling') return entry.txHash;
    const { payer, nonce, payTo, amount, sinceBlock } = entry;
    return settlement.findOwn({ payer, nonce, asset, payTo, amount: BigInt(amount), sinceBlock });
  }

  return {
    findSettled,

    /** Returns how many were found paid, and how many can no longer be. */
    reconcile: async (now: number, asset: Address) => {
      const found = { settled: 0, void: 0 };
      const open = await ledger.listOpen(now - 60, { states: ['settling'], limit: mostOpen });
      // An authorization may be good for years, and never be used: each round goes on where the last one ended.
      const start = looked % Math.max(1, open.length);
      const turn = [...open.slice(start), ...open.slice(0, start)].slice(0, atOnce);
      looked = start + turn.length;
      for (const entry of turn) {
        const txHash = await findSettled(entry, asset).catch(() => undefined);
        if (txHash) found.settled++;
        if (txHash !== null || entry.validBefore + lateSeconds > now) continue;
        await ledger.voidPayment(entry, now);
        found.void++;
      }
      return found;
    },
  };
}
