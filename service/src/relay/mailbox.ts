// A wallet's mailbox at the gateway: reading it, and blocking senders.
import { type Address, SvcError } from '@svc/sdk/domain';
import type { MailboxPage } from '@svc/sdk/schemas';
import type { MailboxStore } from '#store/mailboxes.ts';

export type MailboxService = ReturnType<typeof createMailboxService>;

/** Of one page, so that a hundred large messages are not read at once. */
const maxPageBytes = 4_000_000;
const maxBlocks = 1_000;

export function createMailboxService(store: MailboxStore, now: () => number) {
  return {
    read: async (
      wallet: Address,
      after: number,
      limit: number,
      maxBytes: number = maxPageBytes,
    ): Promise<MailboxPage> => {
      const messages = await store.loadMail(wallet, after, limit, maxBytes);
      return { messages, nextAfter: messages.at(-1)?.position ?? after };
    },

    block: async (wallet: Address, blocked: Address): Promise<void> => {
      if (!(await store.saveBlock(wallet, blocked, now(), maxBlocks)))
        throw new SvcError('MAIL_LIMIT', { reason: `${maxBlocks} blocked wallets` });
    },

    unblock: store.removeBlock,
  };
}
