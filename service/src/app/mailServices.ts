// The gateway's sessions and messages, over an open market.
import { createDigestReader } from '@svc/sdk/chain';
import type { Hash } from '@svc/sdk/domain';
import { createContractSignatures } from '#gateway/contractSignatures.ts';
import { createMailboxService } from '#gateway/mailbox.ts';
import { createMailFeed } from '#gateway/mailFeed.ts';
import { createMailSweep } from '#gateway/mailSweep.ts';
import { createRelay } from '#gateway/relay.ts';
import { createSessionService } from '#gateway/sessions.ts';
import { createConversationStore, mailChannel } from '#store/conversations.ts';
import { createMailboxStore } from '#store/mailboxes.ts';
import { createSessionStore } from '#store/sessions.ts';
import { createStandingStore } from '#store/standing.ts';
import type { OpenMarket } from './openMarket.ts';

export type MailOptions = {
  readonly rpcUrls: readonly string[];
  /** Signs receipts. */
  readonly gatewayKey: Hash;
  /** The origins by which clients reach this gateway. */
  readonly origins: () => readonly string[];
};

export async function createMailServices(market: OpenMarket, options: MailOptions) {
  const { database, identity, now, state, deployment } = market;
  const { chainId, roles } = deployment;
  const standing = createStandingStore(database, identity, [roles.fallbackArbitrator]);
  const store = createMailboxStore(database, identity);
  const contracts = createContractSignatures(createDigestReader(options.rpcUrls));
  return {
    standing,
    sessions: createSessionService({
      store: createSessionStore(database, identity),
      chainId,
      now,
      origins: options.origins,
      isMember: async (wallet) => (await store.hasMail(wallet)) || standing.isMember(wallet),
      contracts,
    }),
    relay: createRelay({
      store: createConversationStore(database, identity),
      standing,
      isBlocked: store.isBlocked,
      contracts,
      key: options.gatewayKey,
      chainId,
      now,
      block: () => Number(state()?.head.number ?? 0),
    }),
    mailboxes: createMailboxService(store, now),
    mailFeed: await createMailFeed({
      loadPositions: store.loadPositions,
      listen: (onNotice) => database.listen(mailChannel, onNotice),
    }),
    sweepMail: createMailSweep({
      store,
      loadShared: standing.loadShared,
      isHistoryWhole: standing.isHistoryKnown,
    }),
  };
}
