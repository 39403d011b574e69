// Wakes the streams of a mailbox when it has new messages: one query for all wallets that are followed.
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';

export type MailFeed = Awaited<ReturnType<typeof createMailFeed>>;

type MailFeedNeeds = {
  /** The last position of each mailbox, by the wallet's key. */
  readonly loadPositions: (wallets: readonly Address[]) => Promise<ReadonlyMap<Address, number>>;
  /** Calls back after every new message, in whichever process it arrived. */
  readonly listen: (onNotice: () => void) => Promise<() => Promise<void>>;
};

type Followed = { position: number; readonly listeners: Set<() => void> };

export async function createMailFeed({ loadPositions, listen }: MailFeedNeeds) {
  const followed = new Map<Address, Followed>();
  let looking: Promise<void> | null = null;
  let again = false;
  let isClosed = false;

  async function look(): Promise<void> {
    again = false;
    for (const [wallet, position] of await loadPositions([...followed.keys()])) {
      const known = followed.get(wallet);
      if (known === undefined || known.position === position) continue;
      known.position = position;
      for (const onMail of known.listeners) onMail();
    }
  }

  function onNotice(): void {
    again = true;
    if (followed.size === 0) return;
    looking ??= look()
      // The database cannot be read, so every follower reads its own mailbox.
      .catch(() => followed.forEach(({ listeners }) => void listeners.forEach((onMail) => void onMail())))
      .finally(() => {
        looking = null;
        if (again && !isClosed) onNotice();
      });
  }

  const stop = await listen(onNotice);
  return {
    /** Calls back when there may be something new in this wallet's mailbox; returns the function that ends it. */
    follow: (wallet: Address, onMail: () => void): (() => void) => {
      const key = addressKey(wallet);
      const known = followed.get(key) ?? { position: -1, listeners: new Set() };
      followed.set(key, known);
      known.listeners.add(onMail);
      return () => {
        known.listeners.delete(onMail);
        if (known.listeners.size === 0 && followed.get(key) === known) followed.delete(key);
      };
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await stop();
      await looking;
    },
  };
}
