// The tools that a gateway serves at /mcp: reads, requests that wallet owners approve, and the mail of owners who have signed in. It
// holds no key and no file of its callers, so tools that need one are left out.

import { AsyncLocalStorage } from 'node:async_hooks';
import { createMarketClient } from '@svc/sdk';
import { createActionReads, createQuotaReader } from '@svc/sdk/actions';
import type { Rpc } from '@svc/sdk/chain';
import { type Address, isSameAddress, type VerifyDigest } from '@svc/sdk/domain';
import { contractsOfBoth } from '@svc/sdk/internal/chain/contracts';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { hashCanonical } from '@svc/sdk/internal/domain/canonical';
import { createRequestSchema } from '@svc/sdk/internal/schemas/walletRequest';
import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../errors/operatorError.ts';
import type { HostedTools, ToolCaller } from '../http/gateway/toolRoutes.ts';
import { later } from '../http/laterParts.ts';
import type { ToolContext } from '../mcp/tool.ts';
import { createToolMail } from '../mcp/toolMail.ts';
import { createRequestId, type RequestService } from '../requests/requestService.ts';
import type { SessionService } from '../sessions/walletSessions.ts';
import { noPapers } from '../wallet/paperFile.ts';
import { noOutcome, pickAnswer, type Submit } from '../wallet/walletInterface.ts';
import { findPostedTask } from './connect.ts';
import type { OpenMarket } from './openMarket.ts';
import { readVersion } from './packageFiles.ts';

type HostedOptions = {
  readonly market: Pick<OpenMarket, 'deployment' | 'log'>;
  readonly rpc: Rpc;
  readonly requests: RequestService;
  readonly sessions: Pick<SessionService, 'withSession'>;
  readonly verify: VerifyDigest;
  /** The routes of this gateway itself. */
  readonly gateway: () => Pick<FastifyInstance, 'inject'>;
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
    answer: async (request, body, caller) => {
      loading ??= loadTools(options, version);
      const tools = await loading;
      const { granted } = caller;
      if (granted === null) return callers.run(caller, () => tools.answer(request, body));
      const session = { wallet: granted.wallet, expiresAt: Number.MAX_SAFE_INTEGER };
      return options.sessions.withSession(session, async (token) => {
        const mail = createGrantedMail(options, granted.wallet, token);
        const answer = await callers.run({ ...caller, mail }, () => tools.answer(request, body));
        // Read to its end: the tool may still be at work when the answer begins.
        return new Response(answer.body && (await answer.arrayBuffer()), answer);
      });
    },
    scopeOf: async (name) => (await loadServer()).hostedScopeOf(name),
    close: async () => (await loading?.catch(() => null))?.close(),
  };
}

/** Who calls: two clients that ask a wallet for the same make two requests, since the link of one decides it. */
const callers = new AsyncLocalStorage<ToolCaller & { readonly mail?: ToolContext['mail'] }>();

/** The mailbox of the wallet whose owner has signed in: it reads, and asks nobody for a signature. */
function createGrantedMail(
  { market, verify, gateway }: HostedOptions,
  wallet: Address,
  token: string,
): ToolContext['mail'] {
  const refuse = (): never => {
    throw new OperatorError('TOOLS_WITHOUT_SESSION', {});
  };
  return createToolMail({
    gatewayUrl: 'http://gateway',
    fetch: askInProcess(gateway()),
    readChainId: async () => market.deployment.chainId,
    sessions: {
      signIn: async (address) => {
        if (!isSameAddress(address, wallet)) throw new OperatorError('TOOLS_OF_ANOTHER_WALLET', { wallet });
        return { kind: 'open', token };
      },
      forget: () => undefined,
    },
    wallet: { submit: refuse, readStatus: refuse },
    verify,
  });
}

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
    const sameAs = asked === undefined ? null : hashCanonical([callers.getStore()?.client ?? null, asked]);
    const { requestId, status } = await requests.create(createRequestSchema.parse(given), id, {
      sameAs,
      filer: callers.getStore()?.granted?.wallet ?? null,
    });
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
    get mail() {
      return callers.getStore()?.mail ?? new Proxy({} as ToolContext['mail'], { get: () => notHere });
    },
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

/** The routes of a server without a connection, for the client that calls: what it has reported counts in its answers. */
function askInProcess(server: Pick<FastifyInstance, 'inject'>): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init?.headers));
    const {
      statusCode,
      payload,
      headers: given,
    } = await server.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers,
      ...(init?.body != null && { payload: String(init.body) }),
      remoteAddress: callers.getStore()?.client ?? '127.0.0.1',
    });
    const type = String(given['content-type'] ?? 'application/json');
    return new Response(payload, { status: statusCode, headers: { 'content-type': type } });
  };
}
