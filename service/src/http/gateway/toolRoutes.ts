// /mcp: the tools for agents, over the streamable HTTP of the Model Context Protocol. Each request stands alone.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createRateLimit, toNetwork } from '../rateLimit.ts';
import type { TakeRoom } from './requests.ts';

export type HostedTools = {
  /** Answers one request of a client; `body` is its parsed JSON. */
  readonly answer: (request: Request, body: unknown, client: string) => Promise<Response>;
  readonly close: () => Promise<void>;
};

export type ToolRoutes = {
  readonly hostedTools: HostedTools;
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
  { hostedTools, publicUrl, takeRoom }: ToolRoutes,
): void {
  const calls = createRateLimit({ name: 'tools', limit: callsPerMinute });
  // Any page may call it: it knows no cookie and no session, and whatever it prepares an owner approves elsewhere.
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { crossOrigin: 'call' },
    handler: async (request, reply) => {
      calls.take(request.ip, reply);
      const body = JSON.stringify(request.body ?? null);
      if (body.length > shortCall) takeRoom(request, reply, body.length);
      const headers = new Headers(
        Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as [string, string]] : [],
        ),
      );
      const { method } = request;
      const asked = new Request(`${publicUrl()}/mcp`, {
        method,
        headers,
        ...(method === 'POST' && { body }),
      });
      const answer = await hostedTools.answer(asked, request.body, toNetwork(request.ip));
      reply.status(answer.status);
      for (const [name, value] of answer.headers) reply.header(name, value);
      return reply
        .header('Cache-Control', 'no-store')
        .send(answer.body === null ? '' : Readable.fromWeb(answer.body as never));
    },
  });
}
