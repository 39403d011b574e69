// Joins the read side and HTTP into the site server.
import type { FastifyInstance } from 'fastify';
import { type ChatOptions, createChatService } from '#chat/chat.ts';
import { createSiteServer } from '#http/api/server.ts';
import type { ServerLimits } from '#http/nodeServer.ts';
import { createPages, type Pages } from '#http/pages.ts';
import { type ListenOptions, listenOnFree, portOf, urlOf } from './listen.ts';
import { readVersion } from './packageFiles.ts';
import { createReadSide, type ReadSide, type ReadSideOptions } from './readSide.ts';
import { readTokUsdPrice } from './webPages.ts';

export type SiteOptions = ReadSideOptions &
  SiteAppOptions &
  Pick<ListenOptions, 'host' | 'port'> & {
    /** One unless given. */
    readonly portsTried?: number;
  };

export type SiteAppOptions = {
  /** The shape of answers unless a request asks for another. */
  readonly protocolVersion: 'v1' | 'v2';
  /** Undefined answers every chat with 503. */
  readonly chat?: ChatOptions | undefined;
  /** Whose X-Forwarded-For is believed; nobody's unless given. */
  readonly trustedProxies?: readonly string[];
  /** What a client may take of time and connections; the usual limits unless given. */
  readonly limits?: ServerLimits;
  /** None unless given: then each page is a sentence that says so. */
  readonly pages?: Pages;
  /** Where pages find the gateway's routes, which this server has not. */
  readonly gatewayForPages?: () => string | null;
};

export type Site = {
  readonly url: string;
  readonly port: number;
  readonly app: FastifyInstance;
  readonly readSide: ReadSide;
  /** Whether the chain has been read, so that reads are answered. */
  readonly isReady: () => boolean;
  readonly close: () => Promise<void>;
};

export async function createSite(options: SiteOptions): Promise<Site> {
  const readSide = await createReadSide(options);
  try {
    return await serveSite(readSide, options);
  } catch (error) {
    await readSide.close();
    throw error;
  }
}

async function serveSite(readSide: ReadSide, options: SiteOptions): Promise<Site> {
  const app = createSiteApp(readSide, options, () => urlOf(app, options.host));
  try {
    await listenOnFree(app, { server: 'site', portsTried: 1, ...options });
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    port: portOf(app),
    url: urlOf(app, options.host),
    app,
    readSide,
    isReady: readSide.isReady,
    close: async () => {
      await app.close();
      await readSide.close();
    },
  };
}

/** Does not listen by itself: the gateway hands requests to it as well. */
export function createSiteApp(
  readSide: ReadSide,
  options: SiteAppOptions,
  publicUrl: () => string,
): FastifyInstance {
  const { context, market, tasks, changes, feed, state, deployment, metrics, log, now, isDraining } =
    readSide;
  const { siteConfig, union, price } = readSide.chainAnswers;
  return createSiteServer({
    context,
    market,
    earlier: { defaultProtocol: options.protocolVersion, tasks, readPrice: price, now },
    timeline: { loadTask: tasks.loadTask, loadTaskEvents: changes.loadTaskEvents },
    ledger: tasks,
    registryOf: (of) => deployment.markets[of].taskRegistry,
    ...readSide.posting,
    chat: options.chat && createChatService(options.chat),
    siteConfig,
    union,
    changes,
    feed,
    state,
    version: readVersion(),
    publicUrl,
    pages: {
      pages: options.pages ?? createPages(),
      info: async () => ({
        isGateway: false,
        gatewayUrl: options.gatewayForPages?.() ?? null,
        tokUsdPrice: await readTokUsdPrice(price),
      }),
    },
    metrics,
    log,
    isDraining,
    trustedProxies: options.trustedProxies ?? [],
    limits: options.limits,
  });
}
