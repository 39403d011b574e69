// Creates the site: an open market served over HTTP.
import type { FastifyInstance } from 'fastify';
import { type ChatOptions, createChatService } from '../chat/chatService.ts';
import { createSiteServer } from '../http/api/server.ts';
import { createNames, type NameOptions } from '../market/names.ts';
import { describeServer, type ServedOptions } from './describeServer.ts';
import { type MarketOptions, type OpenMarket, openMarket } from './openMarket.ts';
import { type ListenOptions, listenOnFree, portOf, rememberUrl } from './serve.ts';

export type SiteOptions = MarketOptions &
  SiteAppOptions &
  Pick<ListenOptions, 'host' | 'port'> & {
    /** Default 1. */
    readonly portsTried?: number;
  };

type SiteAppOptions = ServedOptions & {
  /** The format of replies unless a request asks for the other one. */
  readonly protocolVersion: 'v1' | 'v2';
  /** Without it every chat request is answered with 503. */
  readonly chat?: ChatOptions | undefined;
  /** Where names of wallets are looked up; without it no wallet has one, and nobody is asked. */
  readonly names?: NameOptions | undefined;
  /** The gateway of this market, for pages and for documents that name it; null where it is not known. */
  readonly gatewayForPages?: () => string | null;
};

export type Site = Awaited<ReturnType<typeof createSite>>;

export async function createSite(options: SiteOptions) {
  const market = await openMarket(options);
  const url = rememberUrl(() => app, options.host);
  const app = createSiteApp(market, options, url);
  async function close(): Promise<void> {
    await app.close();
    await market.close();
  }
  try {
    await listenOnFree(app, { server: 'site', portsTried: 1, ...options });
  } catch (error) {
    await close();
    throw error;
  }
  return { port: portOf(app.server), url: url(), app, market, isReady: market.isReady, close };
}

/** Does not listen: the gateway also passes requests to it. */
export function createSiteApp(
  market: OpenMarket,
  options: SiteAppOptions,
  publicUrl: () => string,
): FastifyInstance {
  const { tasks, changes, deployment, fileStore, now } = market;
  const { siteConfig, union, lastPrice } = market.chainAnswers;
  const gatewayUrl = () => options.gatewayForPages?.() ?? null;
  return createSiteServer({
    ...market,
    ...market.posting,
    ...describeServer(market, options, { isGateway: false, publicUrl, gatewayUrl }),
    earlier: { defaultProtocol: options.protocolVersion, tasks, readPrice: lastPrice, now },
    timeline: { ...tasks, ...changes, lookUpFile: fileStore.lookUp, loadWithheld: market.loadWithheld },
    ledger: tasks,
    registryOf: (of) => deployment.markets[of].taskRegistry,
    chat: options.chat && createChatService(options.chat),
    siteConfig: async (of, moment) => ({
      ...(await siteConfig(of, moment)),
      chat: options.chat !== undefined,
      names: options.names !== undefined,
    }),
    union,
    findName: options.names && createNames(options.names),
    pagesUrl: () => gatewayUrl() ?? publicUrl(),
  });
}
