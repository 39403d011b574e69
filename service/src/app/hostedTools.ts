// The tools that a gateway serves at /mcp: reads, and requests that wallet owners approve. It holds no key, no
// session and no file of its callers, so tools that need one are left out.

import { AsyncLocalStorage } from 'node:async_hooks';
import { createActionReads, createQuotaReader } from '@svc/sdk/actions';
import type { Rpc } from '@svc/sdk/chain';
import { createMarketClient } from '@svc/sdk/client';
import { contractsOfBoth } from '@svc/sdk/internal/chain/contracts';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { hashCanonical } from '@svc/sdk/internal/domain/canonical';
import { createRequestSchema } from '@svc/sdk/internal/schemas/walletRequest';
import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../errors/operatorError.ts';
import type { HostedTools } from '../http/gateway/toolRoutes.ts';
import { later } from '../http/laterParts.ts';
import type { ToolContext } from '../mcp/tool.ts';
import { createRequestId, type RequestService } from '../requests/requestService.ts';
import { noPapers } from '../wallet/paperFile.ts';
import { noOutcome, pickAnswer, type Submit } from '../wallet/walletInterface.ts';
import { findPostedTask } from './connect.ts';
import type { OpenMarket } from './openMarket.ts';
import { readVersion } from './packageFiles.ts';

type HostedOptions = {
  readonly market: Pick<OpenMarket, 'deployment' | 'log'>;
  readonly rpc: Rpc;
  readonly requests: RequestService;
  /** Where this gateway listens; known once it does. */
  readonly gatewayUrl: () => string;
  /** Answers the reads. */
  readonly site: Pick<FastifyInstance, 'inject'>;
};

const loadServer = later(() => import('../mcp/hostedServer.ts'));

export function createHostedTools(options: HostedOptions): HostedTools {
  const version = readVersion();
  let loading: ReturnType<typeof loadTools> | null = null;
  return {
    answer: async (request, body, client) => {
      loading ??= loadTools(options, version);
      const tools = await loading;
      return callers.run(client, () => tools.answer(request, body));
    },
    close: async () => (await loading?.catch(() => null))?.close(),
  };
}

/** Who calls: two clients that ask a wallet for the same make two requests, since the link of one decides it. */
const callers = new AsyncLocalStorage<string>();

async function loadTools(options: HostedOptions, version: string) {
  const { createHostedHandler } = await loadServer();
  const { log } = options.market;
  return createHostedHandler({
    version,
    needs: buildNeeds(options),
    onError: (what, error) => log.error({ error }, `a hosted tool failed: ${what}`),
    onRefused: (reason) =>
      log.info({ reason: reason.slice(0, 200) }, 'a call of the hosted tools was refused'),
  });
}

function buildNeeds({ market: { deployment }, rpc, requests, site, gatewayUrl }: HostedOptions): ToolContext {
  const contracts = contractsOfBoth(deployment);
  const market = createMarketClient({ baseUrl: 'http://site', fetch: askInProcess(site) });
  const reads = createActionReads(rpc, contracts);
  const readQuota = createQuotaReader(market.postingQuota);
  const submit: Submit = async (given, asked) => {
    const id = createRequestId();
    const sameAs = asked === undefined ? null : hashCanonical([callers.getStore() ?? null, asked]);
    const { requestId, status } = await requests.create(createRequestSchema.parse(given), id, sameAs);
    const isRepeat = requestId !== id;
    return { ...noOutcome, requestId, approvalUrl: requests.linkOf(requestId), status, isRepeat };
  };
  const notHere = (): never => {
    throw new OperatorError('TOOLS_WITHOUT_SESSION', {});
  };
  return {
    market,
    connectChain: async () => ({ rpc, contracts }),
    connectPrepare: async () => ({ chainId: deployment.chainId, contracts, reads, readQuota }),
    wallet: {
      submit,
      inTurn: (_, work) => work(submit),
      tryPolicy: async () => [],
      readStatus: async (id) => pickAnswer(await requests.get(id)),
    },
    ownerWallet: { submit },
    readOwnAddress: async () => null,
    isDryRun: false,
    mail: new Proxy({} as ToolContext['mail'], { get: () => notHere }),
    papers: noPapers,
    findPostedTask: (hashes) => findPostedTask({ rpc, contracts }, hashes),
    awaitShown: async () => undefined,
    now: async () => (await rpc.ask(latestBlock())).time,
    files: {
      get gatewayUrl() {
        return gatewayUrl();
      },
      signIn: notHere,
      attach: notHere,
    },
  };
}

/** The site's routes without a connection, for the client that calls: what it has reported counts in its answers. */
function askInProcess(site: Pick<FastifyInstance, 'inject'>): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init?.headers));
    const {
      statusCode,
      payload,
      headers: given,
    } = await site.inject({
      method: 'GET',
      url: pathname + search,
      headers,
      remoteAddress: callers.getStore() ?? '127.0.0.1',
    });
    const type = String(given['content-type'] ?? 'application/json');
    return new Response(payload, { status: statusCode, headers: { 'content-type': type } });
  };
}
