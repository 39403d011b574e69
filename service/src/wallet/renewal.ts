// Renews a permission that has run out within a session. Careful servers take a refresh token once and end the whole grant
// when it comes again, so one at a time uses it, and whoever comes later takes what the first has got.
import {
  auth,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthClientProvider,
  OAuthError,
  OAuthErrorCode,
} from '@modelcontextprotocol/client';
import { SvcError, toShown } from '@svc/sdk/domain';
import type { Grants } from './grants.ts';

/** For all that a renewal asks for together; those who wait for their turn are more patient than that. */
export const renewalPatienceMs = 20_000;
/** Until an answer begins; streams may go on for longer. */
const answerPatienceMs = 60_000;
/** A token may run out again while it is on its way. */
const mostRenewals = 2;

/** For requests of a session: one that is refused for its token is sent again with the next one. */
export function createRenewingFetch(
  server: string,
  provider: OAuthClientProvider,
  grants: Grants,
): FetchLike {
  let running: { readonly used: string; readonly token: Promise<string | undefined> } | undefined;

  /** Those who were refused with the same token share one renewal. */
  function renewOnce(used: string, refusal: Response): Promise<string | undefined> {
    if (running?.used !== used) {
      const token = grants.inTurn(() => renew(used, refusal));
      running = { used, token };
      const forget = () => {
        if (running?.token === token) running = undefined;
      };
      token.then(forget, forget);
    }
    return running.token;
  }

  /** Undefined where only the owner can help. */
  async function renew(used: string, refusal: Response): Promise<string | undefined> {
    const { tokens } = grants.load();
    // Another call or another process has renewed it meanwhile, or lost it.
    if (tokens?.access_token !== used) return tokens?.access_token;
    if (tokens.refresh_token === undefined) return undefined;
    const signal = AbortSignal.timeout(renewalPatienceMs);
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(refusal);
    try {
      await auth(renewing(provider, grants), {
        serverUrl: server,
        fetchFn: (url, init) => fetch(url, { ...init, signal }),
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
      });
    } catch (error) {
      if (!isForGood(error)) throw notRenewed(error);
      grants.change({ tokens: undefined });
    }
    const now = grants.load().tokens?.access_token;
    // It is neither renewed nor refused: the server was away or had a fault.
    if (now === used) throw notRenewed('its server gave no new one');
    return now;
  }

  return async (url, init) => {
    let response = await fetchInTime(url, init);
    const headers = new Headers(init?.headers);
    for (let renewals = 0; response.status === 401 && renewals < mostRenewals; renewals++) {
      const used = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
      const token = used === undefined ? undefined : await renewOnce(used, response);
      if (token === undefined) return response;
      await response.body?.cancel();
      headers.set('authorization', `Bearer ${token}`);
      response = await fetchInTime(url, { ...init, headers });
    }
    return response;
  };
}

/** As the session's, but it uses refresh tokens, has the turn already, and sends nobody to a page. */
function renewing(provider: OAuthClientProvider, grants: Grants): OAuthClientProvider {
  return {
    ...provider,
    tokens: () => grants.load().tokens,
    saveTokens: (tokens) => grants.change({ tokens }),
    saveClientInformation: (client) => grants.change({ client }),
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'client') grants.change({ client: undefined });
      if (scope === 'all' || scope === 'tokens') grants.change({ tokens: undefined });
    },
    saveCodeVerifier: () => undefined,
    redirectToAuthorization: () => undefined,
  };
}

const passing: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
];

function isForGood(error: unknown): boolean {
  return error instanceof OAuthError && !passing.includes(error.code);
}

function notRenewed(cause: unknown): SvcError {
  const reason = typeof cause === 'string' ? cause : toShown(cause instanceof Error ? cause.message : '');
  return new SvcError('WALLET_NOT_RENEWED', { reason: reason.replace(/\.$/, '') }, cause);
}

async function fetchInTime(url: string | URL, init: RequestInit = {}): Promise<Response> {
  // What has no end of its own is no stream, and ends as a whole.
  if (!init.signal) return fetch(url, { ...init, signal: AbortSignal.timeout(answerPatienceMs) });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('it does not answer in time')), answerPatienceMs);
  const signal = AbortSignal.any([init.signal, late.signal]);
  return fetch(url, { ...init, signal }).finally(() => clearTimeout(timer));
}
