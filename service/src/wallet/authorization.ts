// OAuth with a hosted wallet tool server: its owner says yes in a browser, what it grants is kept for the next time.
import { randomBytes } from 'node:crypto';
import type { FetchLike, OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { SvcError } from '@svc/sdk/domain';
import { type Callback, listenForCallback } from './callback.ts';
import { createGrants, type Grant, type GrantStore } from './grants.ts';
import { createRenewingFetch } from './renewal.ts';

export type ShowPage = (text: string) => void;

export type Authorization = {
  readonly provider: OAuthClientProvider;
  /** Sends what the session sends, and renews its permission on the way. */
  readonly fetch: FetchLike;
  /** Waits for the owner, who has been sent to a page, and has the answer redeemed; all who wait share one answer. */
  readonly finish: (redeem: (answer: URLSearchParams) => Promise<void>) => Promise<void>;
  /** Nobody waits for it any more. */
  readonly cancel: () => void;
};

/** What the owner is being asked. */
type Question = {
  /** With the client that was named to the owner: the answer is good for that one. */
  readonly grant: Grant;
  readonly verifier: string;
  readonly callback: Promise<Callback>;
  finished?: Promise<void>;
};

/** `show` is told which page to open; null where nobody is there to do so. */
export function createAuthorization(server: string, store: GrantStore, show: ShowPage | null): Authorization {
  const grants = createGrants(server, store);
  const change = (part: Partial<Grant>) => grants.inTurn(async () => grants.change(part));
  const state = randomBytes(16).toString('hex');
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  let question: Question | undefined;
  const load = () => question?.grant ?? grants.load();
  const end = (ended: Question) => {
    if (question === ended) question = undefined;
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
    // A session never uses the refresh token by itself: that is done in turn.
    tokens: () => {
      const { tokens } = grants.load();
      return tokens && { ...tokens, refresh_token: undefined };
    },
    saveTokens: (tokens) => change({ ...question?.grant, tokens }),
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => question?.verifier ?? verifier,
    // So that the code is redeemed at the server that was asked for it, and at no other.
    saveDiscoveryState: (found) => {
      discovery = found;
    },
    discoveryState: () => discovery,
    invalidateCredentials: async (scope) => {
      if (scope === 'all' || scope === 'client') await change({ client: undefined });
      if (scope === 'all' || scope === 'tokens') await change({ tokens: undefined });
    },
    redirectToAuthorization: async (url) => {
      if (show === null)
        throw refused(
          'it asks its owner for permission; run "svc request <requestId>" or "svc prepare … --wallet mcp" in a terminal once',
        );
      // Several calls may miss the permission at once: its owner gets one page, and the proof is the one of that page.
      if (question !== undefined) return void (await question.callback);
      const grant = grants.load();
      if (grant.client?.client_id !== url.searchParams.get('client_id'))
        throw refused('another process is asking its owner for permission; try again later');
      const asked = { grant, verifier, callback: listenForCallback(grant.port, state) };
      question = asked;
      const forget = () => end(asked);
      asked.callback.then(({ answer }) => answer.catch(forget), forget);
      await asked.callback;
      show(`Allow svc to use your wallet at ${url.href}`);
    },
  };
  return {
    provider,
    fetch: createRenewingFetch(server, provider, grants),
    finish: async (redeem) => {
      const asked = question;
      if (asked === undefined) {
        // Whoever waited before us has it by now.
        if (grants.load().tokens !== undefined) return;
        throw refused('it asked for no permission');
      }
      asked.finished ??= asked.callback
        .then(({ answer }) => answer)
        .then(redeem)
        .finally(() => end(asked));
      return asked.finished;
    },
    cancel: () => void question?.callback.then(({ cancel }) => cancel()).catch(() => undefined),
  };
}

function refused(reason: string): SvcError {
  return new SvcError('WALLET_REFUSED', { reason });
}
