// OAuth with a hosted wallet tool server: the owner allows svc in a browser, and the permission is kept for the next time.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { OperatorError } from '../errors/operatorError.ts';
import { createGrants, createRenewingFetch, type Grant, type GrantStore } from './grants.ts';

export type ShowPage = (text: string) => void;

export type Authorization = ReturnType<typeof createAuthorization>;

/** The page on which the owner is being asked. */
type Consent = {
  /** With the client that the page names: the answer is valid for that client only. */
  readonly grant: Grant;
  readonly verifier: string;
  readonly callback: ReturnType<typeof listenForCallback>;
  finished?: Promise<void>;
};

/** `show` prints which page to open; null where no user is present. */
export function createAuthorization(server: string, store: GrantStore, show: ShowPage | null) {
  const grants = createGrants(server, store);
  const change = (part: Partial<Grant>) => grants.locked(async () => grants.change(part));
  const state = randomBytes(16).toString('hex');
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  let consent: Consent | undefined;
  let refusedToken: string | undefined;
  const load = () => consent?.grant ?? grants.load();
  const end = (ended: Consent) => {
    if (consent === ended) consent = undefined;
  };
  const provider: OAuthClientProvider = {
    get redirectUrl() {
      return `http://127.0.0.1:${load().port}/callback`;
    },
    get clientMetadata() {
      return {
        client_name: 'svc',
        redirect_uris: [String(provider.redirectUrl)],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
    },
    state: () => state,
    clientInformation: () => load().client,
    saveClientInformation: (client) => change({ client }),
    // The MCP client must not use the refresh token: grants.ts does, under its lock.
    tokens: () => {
      const { tokens } = grants.load();
      return tokens && { ...tokens, refresh_token: undefined };
    },
    saveTokens: (tokens) => change({ ...consent?.grant, tokens }),
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => consent?.verifier ?? verifier,
    // The code must be redeemed at the server that issued it.
    saveDiscoveryState: (found) => {
      discovery = found;
    },
    discoveryState: () => discovery,
    invalidateCredentials: async (scope) => {
      if (scope === 'all' || scope === 'client') await change({ client: undefined });
      if (scope === 'all' || scope === 'tokens') await change({ tokens: undefined });
    },
    redirectToAuthorization: async (url) => {
      // A call that hears late of the end of the last permission finds the one that was given meanwhile.
      const token = grants.load().tokens?.access_token;
      if (token !== undefined && token !== refusedToken) return;
      if (show === null)
        throw refused(
          'it asks its owner for permission; run "svc request <requestId>" or "svc prepare … --wallet mcp" in a terminal once',
        );
      // Several calls may lack the permission at once. The owner gets one page, and its verifier is the one that counts.
      if (consent !== undefined) return void (await consent.callback);
      const grant = grants.load();
      if (grant.client?.client_id !== url.searchParams.get('client_id'))
        throw refused('another process is asking its owner for permission; try again later');
      const asked = { grant, verifier, callback: listenForCallback(grant.port, state) };
      consent = asked;
      const forget = () => end(asked);
      asked.callback.then(({ answer }) => answer.catch(forget), forget);
      await asked.callback;
      show(`Allow svc to use your wallet at ${url.href}`);
    },
  };
  return {
    provider,
    /** For the requests of a session; renews the permission where it has expired. */
    fetch: createRenewingFetch(server, provider, grants, (token) => {
      refusedToken = token;
    }),
    /** Waits for the owner, who has been sent to a page, and redeems the answer once for all callers that wait. */
    finish: async (redeem: (answer: URLSearchParams) => Promise<void>): Promise<void> => {
      const asked = consent;
      if (asked === undefined) {
        // An earlier caller has redeemed it.
        if (grants.load().tokens !== undefined) return;
        throw refused('it asked for no permission');
      }
      asked.finished ??= asked.callback
        .then(({ answer }) => answer)
        .then(redeem)
        .finally(() => end(asked));
      return asked.finished;
    },
    /** Stops waiting for the owner. */
    cancel: () => void consent?.callback.then(({ cancel }) => cancel()).catch(() => undefined),
  };
}

const callbackTimeoutMs = 10 * 60_000;

/** Resolves once the port listens: the browser may come back quickly. */
async function listenForCallback(port: number, state: string) {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    // A callback with another state could make svc use another user's wallet.
    const isOurs = url.pathname === '/callback' && url.searchParams.get('state') === state;
    // A kept connection would bring a later answer to this listener, which does not know its state.
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' };
    response.writeHead(isOurs ? 200 : 404, headers);
    if (!isOurs) return void response.end('Nothing is here.\n');
    response.end('svc may go on. You can close this page.\n', () => end(() => resolve(url.searchParams)));
  });
  await new Promise<void>((listening, failed) => {
    const taken = `port ${port}, where its answer is expected, is taken; another svc may be asking its owner`;
    server.once('error', () => failed(refused(taken)));
    server.listen(port, '127.0.0.1', listening);
  });
  const timer = setTimeout(() => end(() => reject(refused('nobody answered in time'))), callbackTimeoutMs);
  function end(settle: () => void): void {
    clearTimeout(timer);
    server.close();
    // Browsers open connections that they never use; those would keep the process alive.
    server.closeAllConnections();
    settle();
  }
  promise.catch(() => {});
  const cancel = () => end(() => reject(refused('nobody waits any more')));
  /** `answer` is what the server sent back through the browser. */
  return { answer: promise, cancel };
}

function refused(reason: string): OperatorError {
  return new OperatorError('WALLET_REFUSED', { reason });
}
