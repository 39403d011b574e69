// What owners let clients of the tools do (OAuth 2.1): a client asks, the owner signs a grant for it, and the client gets a code,
// then tokens. No token signs, sends or spends, and none is good outside of the address of the tools that it names.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import {
  buildGrantTypedData,
  type GrantDocument,
  maxGrantSeconds,
} from '@svc/sdk/internal/domain/sessionDocument';
import { type Hex, hashTypedData } from 'viem';
import type { GrantStore, NewToken, StoredConsent, StoredGrant, TokenKind } from '../store/grantRows.ts';
import { isLoopback, isRegisteredRedirect, type OAuthClients } from './oauthClients.ts';
import { OAuthError, type OAuthErrorName } from './oauthError.ts';
import type { VerifyWallet } from './walletSignatures.ts';

/** What a client may do for the wallet that has signed in, each in the words that its owner reads. */
export const grantScopes = {
  'mail:read': 'Read your messages, and the documents of your private tasks.',
} as const;
export type GrantScope = keyof typeof grantScopes;

export type GrantNeeds = {
  readonly store: GrantStore;
  readonly clients: OAuthClients;
  readonly chainId: number;
  /** The time of this machine. */
  readonly now: () => number;
  /** The origin of this gateway as clients reach it; null where it may not give tokens, since what it sends could be read. */
  readonly issuer: () => string | null;
  readonly verify: VerifyWallet;
  /** Of this gateway. */
  readonly secret: string;
};

/** The parameters of a request as they came. */
export type Fields = Readonly<Record<string, string | undefined>>;

export type Signed = {
  readonly wallet: string;
  readonly validUntil: number;
  readonly signature: string;
  /** From the page that showed the question: another page cannot have it. */
  readonly proof: string;
};

/** A token that is good now. */
export type Granted = {
  readonly grantId: string;
  readonly wallet: Address;
  readonly scopes: readonly GrantScope[];
  /** Whom the owner saw; null where nobody vouches for the client. */
  readonly clientHost: string | null;
};

export type GrantService = ReturnType<typeof createGrantService>;

export const grantPaths = { tools: '/mcp', walletTools: '/mcp/wallet' } as const;

const seconds = { consent: 600, code: 60, access: 3_600, remembered: 7 * 86_400 } as const;
/** Questions of one network that nobody has answered. */
const maxOpenConsents = 20;
const secretShape = /^[\w-]{43}$/;
const challengeShape = secretShape;
const verifierShape = /^[\w.~-]{43,128}$/;

export function createGrantService(needs: GrantNeeds) {
  const { store, clients, chainId, now, verify, secret } = needs;
  const proofOf = (id: string) => createHmac('sha256', secret).update(`consent ${id}`).digest('base64url');

  function requireIssuer(): string {
    const issuer = needs.issuer();
    if (issuer === null)
      throw new OAuthError('temporarily_unavailable', 'Signing in is off at this gateway.');
    return issuer;
  }

  /** Where the browser goes with an answer. */
  function answerAt(consent: Pick<StoredConsent, 'redirectUri' | 'state'>, answer: Fields): string {
    const url = new URL(consent.redirectUri);
    const all = { ...answer, state: consent.state ?? undefined, iss: requireIssuer() };
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  /** Throws what the owner reads here: nobody is sent to an address that its client has not registered. */
  async function findAsker(fields: Fields) {
    const { client_id: id = '', redirect_uri: given, state = null } = fields;
    const client = await clients.find(id);
    const [only, ...more] = client.redirectUris;
    const redirectUri = given ?? (more.length === 0 ? only : undefined);
    if (redirectUri === undefined || !isRegisteredRedirect(redirectUri, client.redirectUris))
      throw new OAuthError(
        'invalid_request',
        'The client has not registered the address to which it wants you sent.',
      );
    return { client, redirectUri, state };
  }

  function readWanted(fields: Fields, issuer: string) {
    const { response_type, code_challenge = '', code_challenge_method, scope, resource } = fields;
    if (response_type !== 'code')
      throw new OAuthError('unsupported_response_type', 'response_type must be code.');
    if (code_challenge_method !== 'S256' || !challengeShape.test(code_challenge))
      throw new OAuthError('invalid_request', 'PKCE with S256 is required.');
    return {
      codeChallenge: code_challenge,
      scopes: readScopes(scope),
      resource: readResource(resource, issuer),
    };
  }

  /** Without one it is the open address of the tools. */
  function readResource(given: string | undefined, issuer: string): string {
    const known = Object.values(grantPaths).map((path) => `${issuer}${path}`);
    const resource = given === undefined ? known[0] : known.find((each) => each === given.replace(/\/$/, ''));
    if (resource === undefined)
      throw new OAuthError('invalid_target', `The resource must be ${known.join(' or ')}.`);
    return resource;
  }

  async function loadOpen(id: string): Promise<StoredConsent> {
    const consent = secretShape.test(id) ? await store.loadConsent(hashSecret(id)) : undefined;
    if (consent === undefined || consent.expiresAt <= now())
      throw refuse('the question has expired: start again in the client');
    if (consent.decidedAt !== null) throw refuse('the question was answered before');
    return consent;
  }

  function checkProof(id: string, proof: string): void {
    const wanted = Buffer.from(proofOf(id));
    const given = Buffer.from(proof);
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given))
      throw refuse('it was not answered on its page');
  }

  function make(kind: TokenKind, grantId: string, expiresAt: number) {
    const token = randomBytes(32).toString('base64url');
    const row: NewToken = { tokenHash: hashSecret(token), grantId, kind, expiresAt };
    return { token, row };
  }

  /** The grant of a token that is good, or null. */
  async function findGrant(token: string, kind: TokenKind) {
    const row = secretShape.test(token) ? await store.loadToken(hashSecret(token)) : undefined;
    if (row === undefined || row.kind !== kind) return null;
    const grant = await store.loadGrant(row.grantId);
    return grant === undefined ? null : { row, grant };
  }

  const isOver = ({ endsAt, endedAt }: StoredGrant) => endedAt !== null || endsAt <= now();

  /** Uses a code or a refresh token, whose second use ends all that followed from its grant. */
  async function useToken(row: NewToken, grant: StoredGrant) {
    const time = now();
    const accessUntil = Math.min(time + seconds.access, grant.endsAt);
    const access = make('access', grant.id, accessUntil);
    const refresh = make('refresh', grant.id, grant.endsAt);
    if (!(await store.exchange(row, [access.row, refresh.row], time)))
      throw new OAuthError(
        'invalid_grant',
        'It was used before, so everything that followed from it has ended.',
      );
    return {
      access_token: access.token,
      token_type: 'Bearer',
      expires_in: accessUntil - time,
      refresh_token: refresh.token,
      scope: grant.scopes,
    };
  }

  function checkCaller(grant: StoredGrant, { client_id, resource }: Fields): void {
    if (client_id !== grant.clientId) throw new OAuthError('invalid_grant', 'It belongs to another client.');
    if (resource !== undefined && resource.replace(/\/$/, '') !== grant.resource)
      throw new OAuthError('invalid_target', 'It is good for another resource.');
  }

  async function exchangeCode(fields: Fields) {
    const { code = '', code_verifier = '', redirect_uri } = fields;
    const found = await findGrant(code, 'code');
    if (found === null || (found.row.usedAt === null && found.row.expiresAt <= now()))
      throw new OAuthError('invalid_grant', 'The code is unknown or has expired.');
    const { row, grant } = found;
    checkCaller(grant, fields);
    if (redirect_uri !== undefined && redirect_uri !== grant.redirectUri)
      throw new OAuthError('invalid_grant', 'The redirect_uri is another one.');
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    if (!verifierShape.test(code_verifier) || challenge !== grant.codeChallenge)
      throw new OAuthError('invalid_grant', 'The code_verifier does not match.');
    if (isOver(grant)) throw new OAuthError('invalid_grant', 'The grant has ended.');
    return useToken(row, grant);
  }

  async function refresh(fields: Fields) {
    const found = await findGrant(fields.refresh_token ?? '', 'refresh');
    if (found === null || isOver(found.grant)) throw new OAuthError('invalid_grant', 'The grant has ended.');
    checkCaller(found.grant, fields);
    const wider = readScopes(fields.scope ?? found.grant.scopes).find(
      (scope) => !listScopes(found.grant).includes(scope),
    );
    if (wider !== undefined) throw new OAuthError('invalid_scope', `The owner has not granted ${wider}.`);
    return useToken(found.row, found.grant);
  }

  return {
    issuer: needs.issuer,

    /** Returns where the browser goes: to our question, or back to the client with what is wrong. */
    begin: async (fields: Fields, network: string): Promise<{ consent: string } | { redirect: string }> => {
      const issuer = requireIssuer();
      const { client, redirectUri, state } = await findAsker(fields);
      try {
        const { codeChallenge, scopes, resource } = readWanted(fields, issuer);
        const id = randomBytes(32).toString('base64url');
        const time = now();
        const consent = {
          clientId: client.id,
          clientName: client.name,
          clientHost: client.host,
          redirectUri,
          state,
          codeChallenge,
          resource,
          scopes: scopes.join(' '),
          expiresAt: time + seconds.consent,
        };
        const isSaved = await store.saveConsent(hashSecret(id), consent, {
          network,
          most: maxOpenConsents,
          now: time,
        });
        if (!isSaved)
          throw new OAuthError('temporarily_unavailable', 'Too many questions of this network are open.');
        return { consent: id };
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        const answer = { error: error.error satisfies OAuthErrorName, error_description: error.message };
        return { redirect: answerAt({ redirectUri, state }, answer) };
      }
    },

    /** What the owner reads before it signs. Throws SIGN_IN_REFUSED. */
    readConsent: async (id: string) => {
      const consent = await loadOpen(id);
      const { clientId, clientName, clientHost, redirectUri, resource, expiresAt, codeChallenge } = consent;
      const url = new URL(redirectUri);
      return {
        proof: proofOf(id),
        client: clientId,
        clientName,
        clientHost,
        redirect: redirectUri,
        redirectHost: url.host === '' ? url.protocol : url.host,
        /** Whatever runs on the owner's machine can take the code. */
        isLoopback: isLoopback(url),
        gateway: requireIssuer(),
        resource,
        codeChallenge,
        scopes: listScopes(consent).map((name) => ({ name, says: grantScopes[name] })),
        maxSeconds: maxGrantSeconds,
        expiresAt,
      };
    },

    /** The owner has signed: returns where its browser goes. `beforeAsking` may throw to keep the chain from being asked. */
    approve: async (id: string, signed: Signed, beforeAsking: () => void): Promise<string> => {
      const gateway = requireIssuer();
      const consent = await loadOpen(id);
      checkProof(id, signed.proof);
      const time = now();
      const { validUntil } = signed;
      if (validUntil <= time) throw refuse('the grant has expired');
      if (validUntil > time + maxGrantSeconds) throw refuse('the grant lasts longer than 30 days');
      const wallet = parseAddress(signed.wallet);
      const { clientId, clientName, clientHost, redirectUri, codeChallenge, resource, scopes } = consent;
      const document: GrantDocument = {
        wallet,
        gateway,
        resource,
        client: clientId,
        redirect: redirectUri,
        scopes,
        validUntil,
        codeChallenge,
      };
      const digest = hashTypedData(buildGrantTypedData(chainId, document));
      if (!(await verify(wallet, digest, signed.signature as Hex, beforeAsking)))
        throw new SvcError('SIGNATURE_WRONG', { address: wallet });
      const grantId = randomBytes(16).toString('base64url');
      const code = make('code', grantId, time + seconds.code);
      const grant = {
        id: grantId,
        wallet,
        clientId,
        clientName,
        clientHost,
        redirectUri,
        codeChallenge,
        resource,
        scopes,
        digest,
        createdAt: time,
        endsAt: validUntil,
      };
      if (!(await store.saveGrant(hashSecret(id), grant, code.row)))
        throw refuse('the question was answered before');
      return answerAt(consent, { code: code.token });
    },

    deny: async (id: string, proof: string): Promise<string> => {
      const consent = await loadOpen(id);
      checkProof(id, proof);
      if (!(await store.decide(hashSecret(id), now()))) throw refuse('the question was answered before');
      return answerAt(consent, { error: 'access_denied' });
    },

    /** Tokens for a code or a refresh token. Throws OAuthError. */
    exchange: async (fields: Fields) => {
      requireIssuer();
      switch (fields.grant_type) {
        case 'authorization_code':
          return exchangeCode(fields);
        case 'refresh_token':
          return refresh(fields);
        default:
          throw new OAuthError(
            'unsupported_grant_type',
            'grant_type must be authorization_code or refresh_token.',
          );
      }
    },

    /** RFC 7009: what is unknown counts as revoked. */
    revoke: async ({ token = '' }: Fields): Promise<void> => {
      const refreshed = await findGrant(token, 'refresh');
      if (refreshed !== null) await store.endGrant(refreshed.grant.id, now());
      else await store.endToken(hashSecret(token), now());
    },

    /** Null where the token is unknown, over, or good for another address. */
    find: async (token: string, path: string): Promise<Granted | null> => {
      const issuer = needs.issuer();
      const found = issuer === null ? null : await findGrant(token, 'access');
      if (found === null || found.row.expiresAt <= now() || isOver(found.grant)) return null;
      const { id, wallet, clientHost, resource } = found.grant;
      if (resource !== `${issuer}${path}`) return null;
      return { grantId: id, wallet: parseAddress(wallet), scopes: listScopes(found.grant), clientHost };
    },

    /** Grants of a wallet that are good. */
    list: async (wallet: Address) => {
      const grants = await store.listGrants(wallet, now());
      return grants.map(
        ({ id, clientId, clientName, clientHost, redirectUri, resource, scopes, createdAt, endsAt }) => ({
          id,
          client: clientId,
          clientName,
          clientHost,
          redirect: redirectUri,
          resource,
          scopes: listScopes({ scopes }),
          createdAt,
          endsAt,
        }),
      );
    },

    /** False where the wallet has no such grant. */
    end: async (wallet: Address, id: string): Promise<boolean> => {
      const grants = await store.listGrants(wallet, now());
      if (!grants.some((grant) => grant.id === id)) return false;
      await store.endGrant(id, now());
      return true;
    },

    forget: (): Promise<void> => store.forget(now() - seconds.remembered),
  };
}

/** Without one it is all of them. */
function readScopes(given: string | undefined): GrantScope[] {
  const all = Object.keys(grantScopes) as GrantScope[];
  const wanted = (given ?? '').split(' ').filter((name) => name !== '');
  const unknown = wanted.find((name) => !Object.hasOwn(grantScopes, name));
  if (unknown !== undefined) throw new OAuthError('invalid_scope', `Scopes are ${all.join(' and ')}.`);
  return wanted.length === 0 ? all : all.filter((name) => wanted.includes(name));
}

function listScopes({ scopes }: { readonly scopes: string }): GrantScope[] {
  return scopes.split(' ').filter((name): name is GrantScope => Object.hasOwn(grantScopes, name));
}

function refuse(reason: string): SvcError {
  return new SvcError('SIGN_IN_REFUSED', { reason });
}

function hashSecret(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
