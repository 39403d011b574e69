// The permissions that hosted wallet tool servers have granted: one text that several processes share. It is read on every
// use, changed under a lock, and renewed when it expires.

import { createHash } from 'node:crypto';
import {
  auth,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthClientProvider,
  OAuthError,
  OAuthErrorCode,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { toShown } from '@svc/sdk/internal/domain/text';
import * as z from 'zod';
import { OperatorError } from '../errors/operatorError.ts';

/** A text that only its owner may read. */
export type GrantStore = {
  readonly load: () => string | undefined;
  readonly save: (text: string) => void;
  /** One caller at a time, in all processes. */
  readonly locked: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export type Grant = {
  /** The port of the callback; servers compare it with the registered one. */
  readonly port: number;
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
};

type Grants = ReturnType<typeof createGrants>;

/** Unassigned ports, which Linux does not use for outgoing connections. */
const ports = { first: 61_000, count: 4_536 };

const grantSchema = z.looseObject({
  port: z.int().min(1).max(65_535),
  client: z.looseObject({ client_id: z.string() }).optional(),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).optional(),
});

export function createGrants(server: string, store: GrantStore) {
  const none: Grant = { port: choosePort(server) };
  const load = (): Grant => {
    const found = grantSchema.safeParse(loadAll(store)[server]);
    return found.success ? (found.data as Grant) : none;
  };
  return {
    load,
    /** Call it under the lock. */
    change: (part: Partial<Grant>) =>
      store.save(JSON.stringify({ ...loadAll(store), [server]: { ...load(), ...part } })),
    locked: store.locked,
  };
}

/** An unreadable text counts as empty: the owner is asked again. */
function loadAll(store: GrantStore): Record<string, unknown> {
  const text = store.load() ?? '{}';
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The same port in every process: two processes that ask the same owner at once notice each other. */
function choosePort(server: string): number {
  return ports.first + (createHash('sha256').update(server).digest().readUInt32BE() % ports.count);
}

/** For all requests of one renewal together. Waiting for the lock takes longer. */
export const renewalTimeoutMs = 20_000;
/** Until a response begins; streams may last longer. */
const responseTimeoutMs = 60_000;
/** A new token may expire while it is on its way. */
const maxRenewals = 2;

/**
 * A fetch that renews the access token after a 401 and sends the request again. Servers may revoke the whole grant when a
 * refresh token is used twice. So one caller at a time uses it, and later callers take the token that it got.
 */
export function createRenewingFetch(
  server: string,
  provider: OAuthClientProvider,
  grants: Grants,
  /** The permission with this token is not enough: its owner must be asked. */
  onRefused: (token: string) => void,
): FetchLike {
  let running: { readonly used: string; readonly token: Promise<string | undefined> } | undefined;

  /** Calls that were refused with the same token share one renewal. */
  function renewOnce(used: string, refusal: Response): Promise<string | undefined> {
    if (running?.used !== used) {
      const token = grants.locked(() => renew(used, refusal));
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
    // Another call or process has renewed it already, or lost it.
    if (tokens?.access_token !== used) return tokens?.access_token;
    if (tokens.refresh_token === undefined) return undefined;
    const signal = AbortSignal.timeout(renewalTimeoutMs);
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(refusal);
    try {
      await auth(buildRenewalProvider(provider, grants), {
        serverUrl: server,
        fetchFn: (url, init) => fetch(url, { ...init, signal }),
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
      });
    } catch (error) {
      if (!isFinal(error)) throw notRenewed(error);
      grants.change({ tokens: undefined });
    }
    const now = grants.load().tokens?.access_token;
    // Neither renewed nor refused: the server was unreachable or failed.
    if (now === used) throw notRenewed('its server gave no new one');
    return now;
  }

  return async (url, init) => {
    let response = await fetchInTime(url, init);
    const headers = new Headers(init?.headers);
    const readUsed = () => /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
    for (let renewals = 0; response.status === 401 && renewals < maxRenewals; renewals++) {
      const used = readUsed();
      const token = used === undefined ? undefined : await renewOnce(used, response);
      if (token === undefined) break;
      await response.body?.cancel();
      headers.set('authorization', `Bearer ${token}`);
      response = await fetchInTime(url, { ...init, headers });
    }
    const used = readUsed();
    if (used !== undefined && [401, 403].includes(response.status)) onRefused(used);
    return response;
  };
}

/** Like the session's provider, but it uses refresh tokens, holds the lock already, and opens no page. */
function buildRenewalProvider(provider: OAuthClientProvider, grants: Grants): OAuthClientProvider {
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

const temporaryCodes: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
];

function isFinal(error: unknown): boolean {
  return error instanceof OAuthError && !temporaryCodes.includes(error.code);
}

function notRenewed(cause: unknown): OperatorError {
  const reason = typeof cause === 'string' ? cause : toShown(cause instanceof Error ? cause.message : '');
  return new OperatorError('WALLET_NOT_RENEWED', { reason: reason.replace(/\.$/, '') }, cause);
}

async function fetchInTime(url: string | URL, init: RequestInit = {}): Promise<Response> {
  // Streams come with a signal; anything else must end in time as a whole.
  if (!init.signal) return fetch(url, { ...init, signal: AbortSignal.timeout(responseTimeoutMs) });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('it does not answer in time')), responseTimeoutMs);
  const signal = AbortSignal.any([init.signal, late.signal]);
  return fetch(url, { ...init, signal }).finally(() => clearTimeout(timer));
}
