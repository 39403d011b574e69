// Wakes the streams of a mailbox when it has new messages: one query for all wallets that are followed.
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { followNotices, type Listen } from '../store/notices.ts';

export type MailFeed = Awaited<ReturnType<typeof createMailFeed>>;

type MailFeedNeeds = {
  /** The last position of each mailbox, by the wallet's key. */
  readonly loadPositions: (wallets: readonly Address[]) => Promise<ReadonlyMap<Address, number>>;
  /** Calls back after every new message, in whichever process it arrived. */
  readonly listen: Listen;
};

type Followed = { position: number; readonly listeners: Set<() => void> };

export async function createMailFeed({ loadPositions, listen }: MailFeedNeeds) {
  const followed = new Map<Address, Followed>();

  async function look(): Promise<void> {
    for (const [wallet, position] of await loadPositions([...followed.keys()])) {
      const known = followed.get(wallet);
      if (known === undefined || known.position === position) continue;
      known.position = position;
      for (const onMail of known.listeners) onMail();
    }
  }

  const looking = await followNotices(listen, () =>
    // While the database cannot be read, every follower reads its own mailbox.
    look().catch(() =>
      followed.forEach(({ listeners }) => void listeners.forEach((onMail) => void onMail())),
    ),
  );
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
    close: looking.close,
  };
}
