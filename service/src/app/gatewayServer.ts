// Joins the read side, the site's handlers and HTTP into the gateway.

import type { FastifyInstance } from 'fastify';
import { createRequestService } from '#gateway/requests.ts';
import { createRounds } from '#gateway/rounds.ts';
import { createGatewayServer } from '#http/gateway/server.ts';
import type { ServerLimits } from '#http/nodeServer.ts';
import { createPages, type Pages } from '#http/pages.ts';
import { createRequestStore } from '#store/requests.ts';
import { createRequestChain } from '#wallet/requestMachine.ts';
import { createGatewayAnswers } from './gatewayAnswers.ts';
import { createGatewayMoney, type MoneyOptions } from './gatewayMoney.ts';
import { type ListenOptions, listenOnFree, portOf, urlOf } from './listen.ts';
import { readVersion } from './packageFiles.ts';
import type { ReadSide } from './readSide.ts';
import { readTokUsdPrice } from './webPages.ts';

export type GatewayOptions = MoneyOptions &
  Pick<ListenOptions, 'host' | 'port' | 'portsTried'> & {
    readonly readSide: ReadSide;
    /** The site's routes; it need not listen. */
    readonly site: FastifyInstance;
    /** What a client may take of time and connections; the usual limits unless given. */
    readonly limits?: ServerLimits;
    /** None unless given: then each page is a sentence that says so. */
    readonly pages?: Pages | undefined;
    readonly confirmations: number;
    /** Whether /v1/paid is served. */
    readonly isPaidDiscovery: boolean;
    /** Where it is reached, if not at host and port. */
    readonly publicUrl: string | undefined;
  };

export type Gateway = {
  readonly url: string;
  readonly port: number;
  /** Ends the site's routes as well, but not what it reads from. */
  readonly close: () => Promise<void>;
};

/** Between two looks at requests that nobody asks about, and at receipts that ran out. */
const checkPauseMs = 15_000;

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { readSide, site, host, confirmations } = options;
  const { database, identity, rpc, now, log, deployment } = readSide;
  const money = createGatewayMoney(readSide, options);
  const publicUrl = () => options.publicUrl ?? urlOf(app, host);
  const requests = createRequestService({
    store: createRequestStore(database, identity),
    chain: createRequestChain(rpc, options.rpcUrls, confirmations),
    now,
    approvalUrl: (id) => `${publicUrl()}/approve.html?request=${id}`,
  });
  await site.ready();
  const app: FastifyInstance = createGatewayServer({
    ...readSide,
    ...money,
    boards: createGatewayAnswers(readSide, money.price && options.claimPriceUsdc),
    registryOf: (market) => deployment.markets[market].taskRegistry,
    isPaidDiscovery: options.isPaidDiscovery,
    requests,
    host,
    limits: options.limits,
    version: readVersion(),
    publicUrl,
    pages: {
      pages: options.pages ?? createPages(),
      info: async () => ({
        isGateway: true,
        gatewayUrl: publicUrl(),
        tokUsdPrice: await readTokUsdPrice(readSide.chainAnswers.price),
      }),
    },
    // Emitted and not routed: the site answers hot reads before its router.
    site: (request, response) => site.server.emit('request', request, response),
  });
  const upkeep = createRounds({
    round: async (signal) => {
      await money.receipts.forget(readSide.past());
      await requests.checkAll(signal);
    },
    onError: (error) => log.error({ error }, 'looking after wallet requests and receipts failed'),
    pauseMs: checkPauseMs,
  });
  async function close(): Promise<void> {
    // Streams of the site that were opened here end with the site only.
    await Promise.all([app.close(), site.close(), upkeep.close()]);
  }
  try {
    await listenOnFree(app, { server: 'gateway', ...options });
  } catch (error) {
    await close();
    throw error;
  }
  return { port: portOf(app), url: publicUrl(), close };
}
