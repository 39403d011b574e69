// Signing in to the tools (OAuth 2.1): where clients find out how, ask an owner, and get tokens. What RFC 6749 and its extensions
// name is answered in their words.

import { SvcError } from '@svc/sdk/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import type { OAuthClients } from '../../sessions/oauthClients.ts';
import { OAuthError } from '../../sessions/oauthError.ts';
import {
  type Fields,
  type GrantService,
  grantPaths,
  grantScopes,
  type Signed,
} from '../../sessions/oauthGrants.ts';
import { registerGet } from '../app.ts';
import { createRateLimit, toNetwork } from '../rateLimit.ts';
import { parseBody } from '../requestFields.ts';
import { requireWallet, type SessionRoutes } from './callRoute.ts';

export type SignInRoutes = SessionRoutes & {
  readonly grants: GrantService;
  readonly oauthClients: OAuthClients;
};

const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  consent: '/oauth/consents/:id',
  connections: '/oauth/connections',
  connection: '/oauth/connections/:id',
} as const;

/** The page that asks the owner. */
const consentPage = '/connections.html';

const signedSchema = z.object({
  wallet: z.string().max(100),
  validUntil: z.int().min(0),
  signature: z.string().max(10_000),
  proof: z.string().max(100),
});
const proofSchema = z.object({ proof: z.string().max(100) });

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

type WithId = { readonly Params: { readonly id: string } };

export function registerSignInRoutes(app: FastifyInstance, options: SignInRoutes): void {
  const { grants, oauthClients, sessions } = options;
  registerMetadata(app, grants);

  const starts = createRateLimit({ name: 'sign-ins', limit: 30, total: { limit: 300, quiet: 3 } });
  const exchanges = createRateLimit({ name: 'tokens', limit: 60, total: { limit: 600, quiet: 3 } });
  const questions = createRateLimit({ name: 'signatures', limit: 30 });

  registerGet(app, paths.authorize, async (request, reply) => {
    starts.take(request.ip, reply);
    try {
      const answer = await grants.begin(readFields(request.query), toNetwork(request.ip));
      const url = 'consent' in answer ? `${consentPage}?consent=${answer.consent}` : answer.redirect;
      return reply.headers(noStore).header('referrer-policy', 'no-referrer').redirect(url, 303);
    } catch (error) {
      // Shown here: an address that nobody has registered is never followed.
      return answerError(reply, error);
    }
  });

  // Only our own pages: another one could neither read the proof, nor send it as JSON.
  registerGet(app, paths.consent, ({ params }) => grants.readConsent((params as WithId['Params']).id), {
    crossOrigin: 'none',
  });
  app.post<WithId>(paths.consent, { config: { crossOrigin: 'none' } }, async (request, reply) => {
    starts.take(request.ip, reply);
    const signed: Signed = parseBody(signedSchema, request.body);
    return {
      redirect: await grants.approve(request.params.id, signed, () => questions.take(request.ip, reply)),
    };
  });
  app.delete<WithId>(paths.consent, { config: { crossOrigin: 'none' } }, async (request, reply) => {
    starts.take(request.ip, reply);
    const { proof } = parseBody(proofSchema, request.body);
    return { redirect: await grants.deny(request.params.id, proof) };
  });

  registerGet(
    app,
    paths.connections,
    async (request) => ({ connections: await grants.list(await requireWallet(sessions, request)) }),
    { crossOrigin: 'none' },
  );
  app.delete<WithId>(paths.connection, { config: { crossOrigin: 'none' } }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    if (!(await grants.end(wallet, request.params.id))) throw new SvcError('ROUTE_NOT_FOUND', {});
    return { ended: true };
  });

  // In a context of its own: no other route takes a form.
  app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 20_000 },
      (_, text, done) => done(null, readFields(new URLSearchParams(text as string))),
    );
    const serve = (path: string, answer: (fields: Fields, body: unknown) => Promise<object>, status = 200) =>
      forms.post(path, { config: { crossOrigin: 'call' } }, async (request, reply) => {
        exchanges.take(request.ip, reply);
        try {
          const sent = await answer(readFields(request.body), request.body);
          return reply.status(status).headers(noStore).send(sent);
        } catch (error) {
          return answerError(reply, error);
        }
      });
    serve(paths.token, (fields) => grants.exchange(fields));
    serve(paths.revoke, async (fields) => {
      await grants.revoke(fields);
      return {};
    });
    serve(
      paths.register,
      async (_, body) => {
        if (grants.issuer() === null) throw new OAuthError('temporarily_unavailable', signInOff);
        return oauthClients.register(body);
      },
      201,
    );
  });
}

const signInOff =
  'Signing in is off: the operator has to set SVC_GATEWAY_URL to the https address of this gateway.';

function registerMetadata(app: FastifyInstance, { issuer }: GrantService): void {
  const serve = (path: string, build: (issuer: string) => object) =>
    registerGet(
      app,
      path,
      async (_, reply) => {
        const from = issuer();
        if (from === null) return answerError(reply, new OAuthError('temporarily_unavailable', signInOff));
        return build(from);
      },
      { crossOrigin: 'call' },
    );
  for (const path of Object.values(grantPaths))
    serve(`/.well-known/oauth-protected-resource${path}`, (from) => ({
      resource: `${from}${path}`,
      authorization_servers: [from],
      scopes_supported: Object.keys(grantScopes),
      bearer_methods_supported: ['header'],
      resource_name: 'The tools of a task market',
    }));
  serve('/.well-known/oauth-authorization-server', (from) => ({
    issuer: from,
    authorization_endpoint: `${from}${paths.authorize}`,
    token_endpoint: `${from}${paths.token}`,
    registration_endpoint: `${from}${paths.register}`,
    revocation_endpoint: `${from}${paths.revoke}`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: Object.keys(grantScopes),
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  }));
}

/** The header of a 401 that leads a client to the sign-in. */
export function challenge(
  issuer: string,
  path: string,
  error?: { readonly name: string; readonly scope?: string | undefined },
): string {
  const parts = {
    ...(error && { error: error.name }),
    resource_metadata: `${issuer}/.well-known/oauth-protected-resource${path}`,
    scope: error?.scope ?? Object.keys(grantScopes).join(' '),
  };
  return `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}

/** Texts alone, and none twice. */
function readFields(given: unknown): Fields {
  const entries: [string, unknown][] =
    given instanceof URLSearchParams ? [...given] : Object.entries((given ?? {}) as object);
  const fields: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (typeof value !== 'string') continue;
    if (Object.hasOwn(fields, name)) throw new OAuthError('invalid_request', `${name} is there twice.`);
    fields[name] = value;
  }
  return fields;
}

function answerError(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof OAuthError)) throw error;
  const status = error.error === 'temporarily_unavailable' ? 503 : 400;
  return reply.status(status).headers(noStore).send({ error: error.error, error_description: error.message });
}
