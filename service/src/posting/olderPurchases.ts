// Payments for plans in blocks that our rows do not cover yet: read from the chain once, for all callers.

import type { Market, Purchase } from '@svc/sdk/domain';
import { type Address, addressKey, SvcError } from '@svc/sdk/domain';

export type OlderPurchaseNeeds = {
  /** Purchases of all payers, on both markets. */
  readonly readPurchases: (from: bigint, to: bigint) => Promise<Purchase[]>;
  /** Passes the number of blocks to ask for, and a smaller one if the chain refuses. */
  readonly useRange: (question: (blocks: number) => Promise<void>) => Promise<void>;
  /** How long one question may wait. */
  readonly patienceMs: number;
};

export type OlderStretch = {
  /** Below the floor nothing changes within one reading of the chain. */
  readonly generation: number;
  readonly startBlock: bigint;
  readonly historyFloor: bigint;
};

type Reading = {
  readonly generation: number;
  readonly byWallet: Map<string, Purchase[]>;
  /** All before it is read. */
  next: bigint;
  flight: Promise<void> | null;
};

/**
 * Begins at the first block, while the follower comes down from the newest: they meet. It goes on only while somebody
 * waits, one question at a time, whatever the number of wallets.
 */
export function createOlderPurchases({ readPurchases, useRange, patienceMs }: OlderPurchaseNeeds) {
  let current: Reading | null = null;

  async function readStretch(reading: Reading, floor: bigint): Promise<void> {
    await useRange(async (blocks) => {
      const end = reading.next + BigInt(blocks);
      const next = end < floor ? end : floor;
      for (const purchase of await readPurchases(reading.next, next - 1n)) {
        const key = walletKey(purchase.market, purchase.payer);
        reading.byWallet.set(key, [...(reading.byWallet.get(key) ?? []), purchase]);
      }
      reading.next = next;
    }).catch(failReading);
  }

  /** Continues when no caller waits any longer, so that a retry finds it done. */
  function fly(reading: Reading, floor: bigint): Promise<void> {
    reading.flight ??= readStretch(reading, floor).finally(() => {
      reading.flight = null;
    });
    return reading.flight;
  }

  async function complete(reading: Reading, floor: bigint): Promise<void> {
    if (reading.next >= floor) return;
    const isLate = pause(patienceMs).then(giveUp);
    while (reading.next < floor) await Promise.race([fly(reading, floor), isLate]);
  }

  return {
    /** All that a wallet has paid below the floor; throws where that is not known in time. */
    async load(market: Market, payer: Address, stretch: OlderStretch): Promise<readonly Purchase[]> {
      const { generation, startBlock, historyFloor } = stretch;
      if (current?.generation !== generation)
        current = { generation, byWallet: new Map(), next: startBlock, flight: null };
      const reading = current;
      await complete(reading, historyFloor);
      const paid = reading.byWallet.get(walletKey(market, payer)) ?? [];
      return paid.filter(({ blockNumber }) => blockNumber < historyFloor);
    },

    /** Once rows know everything. */
    forget: (): void => {
      current = null;
    },
  };
}

function walletKey(market: Market, payer: Address): string {
  return `${market} ${addressKey(payer)}`;
}

/** A node that refuses the logs of even one block counts as unreachable. */
function failReading(error: unknown): never {
  if (!(error instanceof SvcError && error.code === 'CHAIN_REFUSED')) throw error;
  throw new SvcError('CHAIN_UNREACHABLE', { reason: 'it refuses to return its logs' }, error);
}

function giveUp(): never {
  throw new SvcError('NOT_READY', {});
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
