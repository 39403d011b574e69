// /mcp: the tools for agents, over the streamable HTTP of the Model Context Protocol. Each request stands alone. It is open: a tool
// that reads what is private answers 401, and clients start the sign-in. /mcp/wallet asks at once, for clients that only sign in
// when they connect.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Granted, type GrantService, grantPaths } from '../../sessions/oauthGrants.ts';
import { createRateLimit, toNetwork } from '../rateLimit.ts';
import { readToken } from './callRoute.ts';
import { challenge } from './oauthRoutes.ts';
import type { TakeRoom } from './requests.ts';

export type ToolCaller = {
  /** Its network. */
  readonly client: string;
  /** What the owner of a wallet has granted it; null without a sign-in. */
  readonly granted: Granted | null;
};

export type HostedTools = {
  /** Answers one request of a client; `body` is its parsed JSON. */
  readonly answer: (request: Request, body: unknown, caller: ToolCaller) => Promise<Response>;
  /** The scope that a call of this tool needs; null where it needs none. */
  readonly scopeOf: (tool: string) => Promise<string | null>;
  readonly close: () => Promise<void>;
};

export type ToolRoutes = {
  readonly hostedTools: HostedTools;
  readonly grants: Pick<GrantService, 'find' | 'issuer'>;
  /** Where the gateway is reached. */
  readonly publicUrl: () => string;
  readonly takeRoom: TakeRoom;
};

/** A call may read the chain a dozen times, and write a request. */
const callsPerMinute = 120;
/** A call with a longer body counts as a wallet request of that size, which it may become. */
const shortCall = 4_096;

export function registerToolRoutes(
  app: FastifyInstance,
  { hostedTools, grants, publicUrl, takeRoom }: ToolRoutes,
): void {
  const calls = createRateLimit({ name: 'tools', limit: callsPerMinute });
  /** Ends the reply and returns undefined where the caller has to sign in first, or has too little. */
  async function findCaller(request: FastifyRequest, reply: FastifyReply, path: string) {
    const client = toNetwork(request.ip);
    const issuer = grants.issuer();
    const refuse = (status: number, name: string | null, scope?: string) => {
      if (issuer !== null)
        reply.header(
          'www-authenticate',
          challenge(issuer, path, name === null ? undefined : { name, scope }),
        );
      const says = issuer === null ? 'Signing in is off at this gateway.' : 'Sign in first.';
      reply
        .status(status)
        .header('Cache-Control', 'no-store')
        .send({ error: name ?? 'invalid_token', error_description: says });
      return undefined;
    };
    const token = readToken(request);
    const granted = token === '' ? null : await grants.find(token, path);
    if (token !== '' && granted === null) return refuse(401, 'invalid_token');
    const called = (request.body as { readonly params?: { readonly name?: unknown } } | null)?.params?.name;
    const scope = typeof called === 'string' ? await hostedTools.scopeOf(called) : null;
    if (granted === null && (scope !== null || path === grantPaths.walletTools)) return refuse(401, null);
    if (scope !== null && granted !== null && !(granted.scopes as readonly string[]).includes(scope))
      return refuse(403, 'insufficient_scope', scope);
    return { client, granted };
  }

  // Any page may call it: it knows no cookie, and whatever it prepares an owner approves elsewhere.
  const serve = (path: string) =>
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: path,
      config: { crossOrigin: 'call' },
      handler: async (request, reply) => {
        calls.take(request.ip, reply);
        const caller = await findCaller(request, reply, path);
        if (caller === undefined) return reply;
        const body = JSON.stringify(request.body ?? null);
        if (body.length > shortCall) takeRoom(request, reply, body.length);
        const headers = new Headers(
          Object.entries(request.headers).flatMap(([name, value]) =>
            typeof value === 'string' ? [[name, value] as [string, string]] : [],
          ),
        );
        const { method } = request;
        const asked = new Request(`${publicUrl()}${path}`, {
          method,
          headers,
          ...(method === 'POST' && { body }),
        });
        const answer = await hostedTools.answer(asked, request.body, caller);
        reply.status(answer.status);
        for (const [name, value] of answer.headers) reply.header(name, value);
        return reply
          .header('Cache-Control', 'no-store')
          .send(answer.body === null ? '' : Readable.fromWeb(answer.body as never));
      },
    });
  for (const path of Object.values(grantPaths)) serve(path);
}
