// OAuth with a hosted wallet tool server: its owner says yes in a browser, what it grants is kept for the next time.
import { randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { SvcError } from '#domain/errors.ts';

/** Where grants are kept: text that only its owner may read. */
export type GrantStore = { readonly load: () => string | undefined; readonly save: (text: string) => void };

export type ShowPage = (text: string) => void;

export type Authorization = {
  readonly provider: OAuthClientProvider;
  /** What the server sent back through the browser. */
  readonly waitForCallback: () => Promise<URLSearchParams>;
  /** Nobody waits for it any more. */
  readonly cancel: () => void;
};

type Grant = {
  /** Of the callback; servers compare it with the one that was registered. */
  readonly port: number;
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
};

const patienceMs = 10 * 60_000;

/** `show` is told which page to open; null where nobody is there to do so. */
export function createAuthorization(server: string, store: GrantStore, show: ShowPage | null): Authorization {
  let grant: Grant = loadGrants(store)[server] ?? { port: randomInt(49_152, 65_536) };
  const change = (part: Partial<Grant>) => {
    grant = { ...grant, ...part };
    store.save(JSON.stringify({ ...loadGrants(store), [server]: grant }));
  };
  const redirectUrl = `http://127.0.0.1:${grant.port}/callback`;
  const state = randomBytes(16).toString('hex');
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  let callback: Promise<URLSearchParams> | undefined;
  let cancel = () => {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'svc',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => grant.client,
    saveClientInformation: (client) => change({ client }),
    tokens: () => grant.tokens,
    saveTokens: (tokens) => change({ tokens }),
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    // So that the code is redeemed at the server that was asked for it, and at no other.
    saveDiscoveryState: (found) => {
      discovery = found;
    },
    discoveryState: () => discovery,
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'client') change({ client: undefined });
      if (scope === 'all' || scope === 'tokens') change({ tokens: undefined });
    },
    redirectToAuthorization: async (url) => {
      if (show === null)
        throw refused('it asks its owner for permission; use svc prepare or svc request once');
      cancel();
      ({ callback, cancel } = await listenForCallback(grant.port, state));
      show(`Allow svc to use your wallet at ${url.href}`);
    },
  };
  return {
    provider,
    waitForCallback: async () => {
      const awaited = callback;
      // What came back is good for one exchange.
      callback = undefined;
      if (awaited === undefined) throw refused('it asked for no permission');
      return awaited;
    },
    cancel: () => cancel(),
  };
}

/** Answers once listening: the browser may be quicker than we are. */
async function listenForCallback(
  port: number,
  state: string,
): Promise<{ readonly callback: Promise<URLSearchParams>; readonly cancel: () => void }> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Somebody else's callback would make us use somebody else's wallet.
    const isOurs = url.pathname === '/callback' && url.searchParams.get('state') === state;
    response.writeHead(isOurs ? 200 : 404, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(isOurs ? 'svc may go on. You can close this page.\n' : 'Nothing is here.\n');
    if (isOurs) end(() => resolve(url.searchParams));
  });
  const timer = setTimeout(() => end(() => reject(refused('nobody answered in time'))), patienceMs);
  function end(settle: () => void): void {
    clearTimeout(timer);
    server.close();
    server.closeIdleConnections();
    settle();
  }
  await new Promise<void>((listening, failed) => {
    server.once('error', () => failed(refused(`port ${port}, where its answer is expected, is taken`)));
    server.listen(port, '127.0.0.1', listening);
  });
  promise.catch(() => {});
  return { callback: promise, cancel: () => end(() => reject(refused('nobody waits any more'))) };
}

function loadGrants(store: GrantStore): Record<string, Grant> {
  try {
    return JSON.parse(store.load() ?? '{}') as Record<string, Grant>;
  } catch {
    return {};
  }
}

function refused(reason: string): SvcError {
  return new SvcError('WALLET_REFUSED', { reason });
}
