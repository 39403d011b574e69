// /mcp: the tools for agents, over the streamable HTTP of the Model Context Protocol. Each request stands alone.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createRateLimit } from '../rateLimit.ts';

export type HostedTools = {
  /** Answers one request; `body` is its parsed JSON. */
  readonly answer: (request: Request, body: unknown) => Promise<Response>;
  readonly close: () => Promise<void>;
};

export type ToolRoutes = {
  readonly hostedTools: HostedTools;
  /** Where the gateway is reached. */
  readonly publicUrl: () => string;
};

/** A call may read the chain a dozen times, and write a request. */
const callsPerMinute = 120;

export function registerToolRoutes(app: FastifyInstance, { hostedTools, publicUrl }: ToolRoutes): void {
  const calls = createRateLimit({ name: 'tools', limit: callsPerMinute });
  // Any page may call it: it knows no cookie and no session, and whatever it prepares an owner approves elsewhere.
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { crossOrigin: 'call' },
    handler: async (request, reply) => {
      calls.take(request.ip, reply);
      const headers = new Headers(
        Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as [string, string]] : [],
        ),
      );
      const { method } = request;
      const asked = new Request(`${publicUrl()}/mcp`, {
        method,
        headers,
        ...(method === 'POST' && { body: JSON.stringify(request.body ?? null) }),
      });
      const answer = await hostedTools.answer(asked, request.body);
      reply.status(answer.status);
      for (const [name, value] of answer.headers) reply.header(name, value);
      return reply
        .header('Cache-Control', 'no-store')
        .send(answer.body === null ? '' : Readable.fromWeb(answer.body as never));
    },
  });
}
