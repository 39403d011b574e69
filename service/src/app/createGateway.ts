// Creates the gateway: claims, payments and wallet requests over an open market, beside the routes of the site.

import { join } from 'node:path';
import { createRpc } from '@svc/sdk/chain';
import { parseAddress } from '@svc/sdk/domain';
import type { FastifyInstance } from 'fastify';
import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createGatewayServer } from '../http/gateway/server.ts';
import { readListingHead } from '../http/taskHead.ts';
import { createBoards } from '../market/liveBoards.ts';
import type { FacilitatorChoice } from '../payments/facilitator.ts';
import type { RelayService } from '../relay/acceptMessage.ts';
import { createRequestService } from '../requests/requestService.ts';
import { isLoopback } from '../sessions/oauthClients.ts';
import { createRequestStore } from '../store/requests.ts';
import { createTodoService } from '../todo/todoService.ts';
import { createRequestChain } from '../wallet/requestMachine.ts';
import { describeServer, type ServedOptions } from './describeServer.ts';
import { createFile, ownerOnly, readFile } from './durableFile.ts';
import { createFileServices } from './fileServices.ts';
import { createPaidServices, type PaymentOptions } from './gatewayServices.ts';
import { createHostedTools } from './hostedTools.ts';
import { createMailServices } from './mailServices.ts';
import { createMatchServices } from './matchServices.ts';
import { createNoticeServices, type NoticeOptions } from './noticeServices.ts';
import { observeRpc } from './observe.ts';
import type { OpenMarket } from './openMarket.ts';
import { repeat } from './rounds.ts';
import { type ListenOptions, listenOnFree, portOf, rememberUrl } from './serve.ts';
import { createWebhookDelivery } from './webhookServices.ts';

export type GatewayOptions = ServedOptions &
  Omit<PaymentOptions, 'rpc'> &
  Pick<ListenOptions, 'host' | 'port' | 'portsTried'> & {
    readonly market: OpenMarket;
    /** For signatures and payments, apart from the reads of the market. */
    readonly rpcUrls: readonly string[];
    /** The routes of the site; it need not listen. */
    readonly site: FastifyInstance;
    /** Whether /v1/paid is served. */
    readonly isPaidDiscovery: boolean;
    /** Default: host and port. */
    readonly publicUrl: string | undefined;
    /** All files together, in bytes. */
    readonly filesMaxBytes: number;
    /** Of apps that may take the answer of a sign-in. */
    readonly signInSchemes?: readonly string[];
    /** Whether webhooks of the operator may lead to private addresses, and without TLS. */
    readonly isWebhookPrivate?: boolean;
    /** No notifications unless given. */
    readonly notices?: NoticeOptions;
  };

export type Gateway = Awaited<ReturnType<typeof createGateway>>;

/** Between two looks at what waits: payments, wallet requests, receipts, messages, listings. */
const checkEveryMs = 15_000;
/** Changes come with blocks, every two seconds. */
const followEveryMs = 1_000;
/** Between two looks for files that are no longer used. */
const sweepEveryMs = 60_000;

export async function createGateway(options: GatewayOptions) {
  const { market, site, host, confirmations } = options;
  const { database, now, log, deployment } = market;
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ ...observeRpc(market.metrics), urls: options.rpcUrls, chainId, genesisHash });
  const paid = createPaidServices(market, { ...options, rpc });
  const ownUrl = rememberUrl(() => app, host);
  const publicUrl = () => options.publicUrl ?? ownUrl();
  const { sweepMail, watchPlaces, knowing, talks, ...mail } = await createMailServices(market, {
    ...options,
    rpc,
    origins: () => listOrigins(options.publicUrl, publicUrl()),
    signInSchemes: options.signInSchemes ?? [],
    issuer: () =>
      findIssuer(options.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}`, publicUrl()),
  });
  const {
    refreshMatches,
    close: endMatching,
    ...matching
  } = createMatchServices(market, {
    verify: mail.verify,
    standing: mail.standing,
  });
  const relay: RelayService = {
    ...mail.relay,
    accept: async (wire, ...rest) => {
      const accepted = await mail.relay.accept(wire, ...rest);
      if (accepted.isNew) await matching.listings.noteMessage(wire, parseAddress(accepted.held.receipt.to));
      return accepted;
    },
  };
  const { files, sweepFiles } = createFileServices(market, {
    filesMaxBytes: options.filesMaxBytes,
    hasCollateral: mail.standing.hasCollateral,
  });
  const notices = await createNoticeServices(market, {
    ...(options.notices ?? { contactKey: undefined, mail: undefined, contact: undefined }),
    rpc,
    publicUrl,
    standing: mail.standing,
    findListings: matching.listings.find,
  });
  const requests = createRequestService({
    store: createRequestStore(database),
    chain: createRequestChain(rpc, confirmations),
    chainId: deployment.chainId,
    now,
    approvalUrl: (id) => `${publicUrl()}/approve.html?request=${id}`,
    secret: options.gatewayKey,
    otherSecret: options.gatewayOtherKey,
  });
  const todo = createTodoService({
    concerns: market.concerns,
    contracts: deployment.markets,
    now,
    talks,
    listings: matching.listings,
    requests,
  });
  const hostedTools = createHostedTools({
    market,
    rpc,
    requests,
    site,
    sessions: mail.sessions,
    verify: mail.verifyDigest,
    gateway: () => app,
    gatewayUrl: ownUrl,
  });
  await site.ready();
  const described = describeServer(market, options, { isGateway: true, publicUrl, gatewayUrl: publicUrl });
  const app: FastifyInstance = createGatewayServer({
    ...market,
    ...described,
    ...paid,
    ...mail,
    ...matching,
    contacts: notices?.contacts ?? null,
    searches: notices?.searches ?? null,
    mailCatcher: notices?.mailCatcher ?? null,
    relay,
    files,
    boards: createBoards({
      ...market,
      siteConfig: market.chainAnswers.siteConfig,
      claimPriceUsdc: paid.price && options.claimPriceUsdc,
    }),
    registryOf: (of) => deployment.markets[of].taskRegistry,
    isPaidDiscovery: options.isPaidDiscovery,
    requests,
    todo,
    hostedTools,
    host,
    pages: { ...described.pages, readListingHead: (id) => readListingHead(matching.listings, id) },
    site: site.routing,
  });
  market.metrics.gauge('request_bytes', requests.taken);
  // Each on its own: while the chain is slow, wallet requests take long, and nothing else waits for them.
  const rounds = [
    repeat(log, 'watching payments', checkEveryMs, async () => {
      await paid.watchBalance().catch(() => undefined);
      await paid.watchPayments();
    }),
    repeat(log, 'forgetting receipts and sessions', checkEveryMs, async () => {
      await paid.receipts.forget(market.past());
      await mail.sessions.forget(market.past());
      await mail.grants.forget();
    }),
    repeat(log, 'following shared tasks', followEveryMs, knowing.round),
    repeat(log, 'sweeping messages', checkEveryMs, (signal) => sweepMail(market.past(), signal)),
    repeat(log, 'checking wallet requests', checkEveryMs, requests.checkAll),
    repeat(log, 'following profiles and listings', checkEveryMs, refreshMatches),
    repeat(log, 'counting places of mailboxes', sweepEveryMs, watchPlaces),
    repeat(log, 'sweeping files', sweepEveryMs, async (signal) => {
      while (await sweepFiles(signal));
    }),
  ];
  const webhooks = createWebhookDelivery(market, options.isWebhookPrivate ?? false);
  async function endRounds(): Promise<void> {
    await Promise.all(rounds.map((round) => round.close()));
    await Promise.all([knowing.close(), endMatching()]);
  }
  /** Also closes the routes of the site, but not the market. */
  async function close(): Promise<void> {
    // Streams of the site that were opened here end only with the site.
    const own = [{ close: endRounds }, mail.mailFeed, webhooks, notices];
    await Promise.all([app.close(), hostedTools.close(), site.close(), ...own.map((part) => part?.close())]);
    rpc.close();
  }
  try {
    await listenOnFree(app, { server: 'gateway', ...options });
    notices?.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { port: portOf(app.server), url: publicUrl(), files, relay, close };
}

/** A gateway without a configured address is reached by any name of this machine. */
function listOrigins(configured: string | undefined, url: string): string[] {
  const { origin, hostname, port } = new URL(url);
  const local = ['localhost', '127.0.0.1', '[::1]'];
  if (configured !== undefined || !local.includes(hostname)) return [origin];
  return local.map((name) => `http://${name}:${port}`);
}

/** Tokens go by TLS, or stay on this machine. */
function findIssuer(configured: string, url: string): string | null {
  const isSafe = new URL(configured).protocol === 'https:' || isLoopback(new URL(configured));
  return isSafe ? new URL(url).origin : null;
}

/** The options that come from the configuration. `embeddedKey` settles payments on the embedded chain. */
export function readGatewayOptions(config: Config, embeddedKey?: Hex) {
  return {
    ...config,
    gatewayKey: (config.gatewayKey?.reveal() as Hex | undefined) ?? loadKey(config.dataDir, 'gateway.key'),
    gatewayOtherKey: config.gatewayOtherKey?.reveal() as Hex | undefined,
    facilitator: chooseFacilitator(config, embeddedKey),
    isPaidDiscovery: config.paidDiscovery,
    publicUrl: config.gatewayPublicUrl,
    filesMaxBytes: config.files.maxBytes,
    isWebhookPrivate: config.webhookPrivate,
    notices: chooseNotices(config, embeddedKey !== undefined),
    port: config.gatewayPort,
  };
}

function chooseFacilitator(config: Config, embeddedKey: Hex | undefined): FacilitatorChoice {
  const key = (config.facilitatorKey?.reveal() as Hex | undefined) ?? embeddedKey;
  const choice = config.facilitator ?? (key === undefined ? 'off' : 'local');
  if (choice === 'off') return { kind: 'off' };
  if (choice !== 'local') return { kind: 'remote', url: choice };
  if (key === undefined) throw new OperatorError('FACILITATOR_KEY_MISSING', {});
  return { kind: 'local', key };
}

/** An embedded market shows how notifications work without any setting; every other one needs a key of its operator. */
function chooseNotices(
  { contactKey, mail, abuseContact, noticePrivate, dataDir }: Config,
  isEmbedded: boolean,
): NoticeOptions {
  return {
    contactKey: contactKey?.reveal() ?? (isEmbedded ? loadKey(dataDir, 'contact.key') : undefined),
    mail: mail ? { url: mail.url.reveal(), from: mail.from } : isEmbedded ? 'catch' : undefined,
    contact: abuseContact,
    isPrivateAllowed: noticePrivate,
  };
}

/** A key of 32 bytes: created at the first start and kept in the data folder, readable by its owner only. */
function loadKey(dataDir: string, name: string): Hex {
  const file = join(dataDir, name);
  // Of two processes that start together one creates the file, and both read it.
  if (readFile(file) === undefined) createFile(file, `${generatePrivateKey()}\n`, ownerOnly);
  const key = readFile(file)?.trim() ?? '';
  if (!/^0x[0-9a-f]{64}$/.test(key))
    throw new OperatorError('FILE_UNUSABLE', { file, reason: 'it holds no key; remove it to get a new one' });
  return key as Hex;
}
