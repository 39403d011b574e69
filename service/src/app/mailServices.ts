// The gateway's sessions and messages, over an open market.

import type { Rpc } from '@svc/sdk/chain';
import { type Address, SvcError } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import type { Config } from '../config.ts';
import { listSeededMail } from '../devnet/seed/privateMail.ts';
import { createRelay, type RelayService } from '../relay/acceptMessage.ts';
import { createAcquaintances } from '../relay/acquaintances.ts';
import { createMailboxService } from '../relay/mailbox.ts';
import { createMailFeed } from '../relay/mailFeed.ts';
import { mailLimits } from '../relay/mailLimits.ts';
import { createMailSweep } from '../relay/mailSweep.ts';
import { createContractSignatures } from '../sessions/contractSignatures.ts';
import { verifyKey } from '../sessions/keySignatures.ts';
import { createOAuthClients, isLoopback } from '../sessions/oauthClients.ts';
import { createGrantService } from '../sessions/oauthGrants.ts';
import { createSessionService } from '../sessions/walletSessions.ts';
import { createVerifyWallet } from '../sessions/walletSignatures.ts';
import { createConsumer } from '../store/consume.ts';
import { createConversationListStore } from '../store/conversationList.ts';
import { createConversationStore, mailChannel } from '../store/conversations.ts';
import { createGrantStore } from '../store/grantRows.ts';
import { createLease } from '../store/lease.ts';
import { createMailboxStore, removeMessageText } from '../store/mailboxes.ts';
import { createSessionStore } from '../store/sessions.ts';
import { createStandingStore } from '../store/standing.ts';
import { createTalkService } from '../todo/talks.ts';
import { fetchText } from '../webhooks/target.ts';
import { observeOutcomes } from './observe.ts';
import { openOperatorDatabase } from './openDatabase.ts';
import type { OpenMarket } from './openMarket.ts';

type MailOptions = {
  readonly rpc: Rpc;
  /** Signs receipts. */
  readonly gatewayKey: Hex;
  readonly gatewayOtherKey?: Hex | undefined;
  /** The origins by which clients reach this gateway. */
  readonly origins: () => readonly string[];
  /** Its one origin for clients of the tools that sign in; null where what they send could be read on the way. */
  readonly issuer: () => string | null;
  /** Of apps, beside https and loopback. */
  readonly signInSchemes: readonly string[];
};

/** Longer than one look at the changes takes. */
const leaseMs = 10_000;

/** Sessions and dates of messages are between clients and this machine; a chain may be ahead of both. */
const clock = () => Math.floor(Date.now() / 1_000);

export async function createMailServices(market: OpenMarket, options: MailOptions) {
  const { database, now, state, deployment } = market;
  const { chainId, roles } = deployment;
  const judges = [roles.fallbackArbitrator];
  const standing = createStandingStore(database, judges, () => state()?.head.hash);
  const store = createMailboxStore(database);
  const contracts = createContractSignatures(options.rpc);
  const conversations = createConversationStore(database);
  let places: number | null = null;
  market.metrics.gauge('mailbox_places', () => places);
  const relay = createRelay({
    store: conversations,
    standing,
    isBlocked: store.isBlocked,
    contracts,
    key: options.gatewayKey,
    registries: { chainId, contracts: deployment.markets },
    now,
    clock,
    block: () => Number(state()?.head.number ?? 0),
  });
  const verify = createVerifyWallet({
    isMember: async (wallet) => (await store.hasMail(wallet)) || standing.isMember(wallet),
    contracts,
  });
  const oauthClients = createOAuthClients({
    secrets: [options.gatewayKey, options.gatewayOtherKey].filter((key) => key !== undefined),
    schemes: options.signInSchemes,
    isPrivateAllowed: () => isLoopback(new URL(options.issuer() ?? 'https://nowhere')),
    fetchText,
  });
  const lists = createConversationListStore(database);
  const mailboxes = createMailboxService(store, lists, now);
  const outcomes = observeOutcomes(market.metrics, 'messages');
  return {
    standing,
    verify,
    /** False also where the chain cannot be asked now. */
    verifyDigest: async (wallet: Address, digest: Hex, signature: Hex): Promise<boolean> =>
      (await verifyKey(wallet, digest, signature)) ||
      contracts.verify(wallet, digest, signature).catch(() => false),
    oauthClients,
    grants: createGrantService({
      store: createGrantStore(database),
      clients: oauthClients,
      chainId,
      now: clock,
      issuer: options.issuer,
      verify,
      secret: options.gatewayKey,
    }),
    sessions: createSessionService({
      store: createSessionStore(database),
      chainId,
      now: clock,
      latest: now,
      origins: options.origins,
      verify,
    }),
    relay: { ...relay, accept: (...args) => outcomes.end(relay.accept(...args)) } satisfies RelayService,
    mailboxes,
    talks: createTalkService(lists, mailboxes),
    mailFeed: await createMailFeed({
      loadPositions: store.loadPositions,
      listen: (onNotice) => database.listen(mailChannel, onNotice),
    }),
    /** For the gauge. */
    watchPlaces: async (): Promise<void> => {
      places = await conversations.loadMostUnknown(now() - mailLimits.unknownSeconds);
    },
    knowing: createConsumer({
      ...createAcquaintances({ store: conversations, loadShared: standing.loadShared, tasks: market.tasks }),
      cursors: market.cursors,
      changes: market.changes,
      lease: createLease(database, { name: 'acquaintances', milliseconds: leaseMs }),
    }),
    sweepMail: createMailSweep({
      store,
      loadShared: standing.loadShared,
      isShown: standing.isShown,
    }),
  };
}

/**
 * Puts the messages of the seeded private tasks into the mailboxes of their parties. Resolves to how many were refused, as
 * by a chain that has been kept for months: the market works without them.
 */
export async function storeSeededMail(
  { deployment, tasks }: Pick<OpenMarket, 'deployment' | 'tasks'>,
  { accept }: Pick<RelayService, 'accept'>,
): Promise<number> {
  let refused = 0;
  for (const { task, poster, write } of listSeededMail(deployment)) {
    const { rows } = await tasks.loadLedger(task.market, poster, { before: task.number + 1n, limit: 1 });
    const createdAt = rows.find((row) => row.task.number === task.number)?.task.createdAt;
    for (const wire of createdAt === undefined ? [] : await write(createdAt))
      await accept(wire, null, () => undefined).catch((error: unknown) => {
        if (!(error instanceof SvcError)) throw error;
        refused++;
      });
  }
  return refused;
}

/** For the operator: returns whether there was such a message. */
export async function removeMessage(config: Config, hash: Hex): Promise<boolean> {
  const database = await openOperatorDatabase(config);
  try {
    return await removeMessageText(database, hash);
  } finally {
    await database.close();
  }
}
