// Who asks an owner for a grant: a client that its metadata document vouches for, or one that has registered. Nothing is stored:
// the id of the first is the address of its document, and that of the second its own signed data.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { toShown } from '@svc/sdk/internal/domain/text';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { OAuthError } from './oauthError.ts';

export type OAuthClient = {
  readonly id: string;
  /** Its own word. */
  readonly name: string | null;
  /** Who vouches for it; null where nobody does. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
};

export type ClientNeeds = {
  /** Signs the ids of registered clients; the ids of each key are good. */
  readonly secrets: readonly string[];
  /** Schemes of apps, such as `cursor`, beside https and loopback. */
  readonly schemes: readonly string[];
  /** Whether documents may lie at private addresses, and without TLS: where the gateway itself is on this machine. */
  readonly isPrivateAllowed: () => boolean;
  readonly fetchText: (target: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly isPrivateAllowed: boolean;
    readonly timeoutMs: number;
    readonly maxBytes: number;
  }) => Promise<{ readonly text: string } | string>;
};

const limits = { documentBytes: 5_000, fetchMs: 3_000, cacheMs: 3_600_000, cached: 500 } as const;

const redirectsSchema = z.array(z.string().max(300)).min(1).max(6);
const nameSchema = z.string().max(100).optional();
const registrationSchema = z.object({ redirect_uris: redirectsSchema, client_name: nameSchema });
const documentSchema = z.object({
  client_id: z.string(),
  redirect_uris: redirectsSchema,
  client_name: nameSchema,
  token_endpoint_auth_method: z.literal('none').optional(),
});

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

export type OAuthClients = ReturnType<typeof createOAuthClients>;

export function createOAuthClients({ secrets, schemes, isPrivateAllowed, fetchText }: ClientNeeds) {
  const documents = new LRUCache<string, OAuthClient>({ max: limits.cached, ttl: limits.cacheMs });

  const sign = (secret: string, data: string) =>
    createHmac('sha256', secret).update(`client ${data}`).digest('base64url');

  /** Why a browser may not be sent there, or null. */
  function findRedirectMistake(uri: string): string | null {
    if (!URL.canParse(uri)) return `${uri} is no address`;
    const url = new URL(uri);
    if (url.hash !== '') return `${uri} has a fragment`;
    if (url.username !== '' || url.password !== '') return `${uri} has a user name`;
    if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return null;
    if (schemes.includes(url.protocol.slice(0, -1))) return null;
    return `${uri} is neither https nor an address of this machine`;
  }

  async function loadDocument(id: string): Promise<OAuthClient> {
    const known = documents.get(id);
    if (known !== undefined) return known;
    const refuse = (reason: string) =>
      new OAuthError('invalid_client', `The document of the client cannot be used: ${reason}.`);
    const found = await fetchText({
      url: id,
      headers: { accept: 'application/json' },
      isPrivateAllowed: isPrivateAllowed(),
      timeoutMs: limits.fetchMs,
      maxBytes: limits.documentBytes,
    });
    if (typeof found === 'string') throw refuse(found);
    const parsed = documentSchema.safeParse(parseJson(found.text));
    if (!parsed.success) throw refuse('it does not describe a public client');
    const { client_id, redirect_uris, client_name = null } = parsed.data;
    if (client_id !== id) throw refuse('it is of another client');
    const mistake = redirect_uris.map(findRedirectMistake).find((each) => each !== null);
    if (mistake) throw refuse(mistake);
    const client = {
      id,
      name: client_name && toShown(client_name),
      host: new URL(id).host,
      redirectUris: redirect_uris,
    };
    documents.set(id, client);
    return client;
  }

  function readRegistered(id: string): OAuthClient {
    const [, data = '', mark = ''] = /^r\.([\w-]+)\.([\w-]{43})$/.exec(id) ?? [];
    const isOurs = secrets.some((secret) => {
      const wanted = sign(secret, data);
      return wanted.length === mark.length && timingSafeEqual(Buffer.from(wanted), Buffer.from(mark));
    });
    if (!isOurs)
      throw new OAuthError('invalid_client', 'This gateway does not know the client: register it again.');
    const [name, redirectUris] = JSON.parse(Buffer.from(data, 'base64url').toString()) as [
      string | null,
      string[],
    ];
    return { id, name: name && toShown(name), host: null, redirectUris };
  }

  return {
    /** Throws invalid_client. */
    find: async (id: string): Promise<OAuthClient> =>
      id.startsWith('https://') || id.startsWith('http://') ? loadDocument(id) : readRegistered(id),

    /** The reply of RFC 7591. Throws invalid_redirect_uri and invalid_client_metadata. */
    register: (body: unknown) => {
      const parsed = registrationSchema.safeParse(body);
      if (!parsed.success)
        throw new OAuthError(
          'invalid_client_metadata',
          'It needs redirect_uris, and a client_name of at most 100 characters.',
        );
      const { redirect_uris, client_name } = parsed.data;
      const mistake = redirect_uris.map(findRedirectMistake).find((each) => each !== null);
      if (mistake) throw new OAuthError('invalid_redirect_uri', `${mistake}.`);
      const data = Buffer.from(JSON.stringify([client_name ?? null, redirect_uris])).toString('base64url');
      return {
        client_id: `r.${data}.${sign(secrets[0] ?? '', data)}`,
        redirect_uris,
        ...(client_name !== undefined && { client_name }),
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      };
    },
  };
}

/** Exact, but for the port of an address on the client's own machine (RFC 8252). */
export function isRegisteredRedirect(given: string, registered: readonly string[]): boolean {
  if (registered.includes(given)) return true;
  if (!URL.canParse(given) || !isLoopback(new URL(given))) return false;
  const withoutPort = (uri: string) => {
    const url = new URL(uri);
    url.port = '';
    return isLoopback(url) ? url.href : null;
  };
  const wanted = withoutPort(given);
  return registered.some((uri) => withoutPort(uri) === wanted);
}

export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && loopbackHosts.includes(hostname);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
