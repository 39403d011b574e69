// The tool server over HTTP at /mcp, for clients on this machine: a page of another site can neither reach nor read it.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  localhostAllowedHostnames,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Follower } from './follower.ts';
import type { ToolConnection } from './server.ts';

type ToolHttpOptions = {
  readonly createToolServer: (connection: ToolConnection) => McpServer;
  readonly follower?: Follower | undefined;
  /** Where it listens; its name is allowed as Host and Origin besides those of the loopback. */
  readonly host: string;
  readonly onError: (error: Error) => void;
  /** Makes the server that listens, with its limits. */
  readonly createServer: (listener: RequestListener) => Server;
};

/** The most streams of changes that may be open at once; a further client gets an error. */
const maxSubscriptions = 100;

/** The largest arguments are terms with texts, of a few KiB. */
const maxRequestBodySize = 256 * 1024;

export function createToolHttpServer(options: ToolHttpOptions) {
  const { createToolServer, host, createServer } = options;
  // Clients that disconnect are not errors, and would fill the log.
  const onError = (error: Error & { readonly code?: string }) => {
    if (error.code !== 'ECONNRESET') options.onError(error);
  };
  const create = ({ era }: { readonly era: ToolConnection['era'] }) =>
    createToolServer({ era, isLasting: false });
  const bus = options.follower && createBus(options.follower);
  const limits = { onerror: onError, maxRequestBodySize };
  const handler = createMcpHandler(create, { ...limits, maxSubscriptions, ...(bus && { bus }) });
  const watch: typeof handler.fetch = async (request, given) => {
    const isListening = request.headers.get('mcp-method') === 'subscriptions/listen';
    const message: unknown =
      isListening &&
      (await request
        .clone()
        .json()
        .catch(() => null));
    for (const uri of findListened(message)) options.follower?.follow(uri);
    return handler.fetch(request, given);
  };
  const handle = toNodeHandler({ fetch: watch }, limits);
  const names = [...localhostAllowedHostnames(), host.includes(':') ? `[${host}]` : host];
  const isHostGood = hostHeaderValidation(names);
  const isOriginGood = originValidation(names);
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (!isHostGood(request, response) || !isOriginGood(request, response)) return;
    if (request.url?.split('?')[0] !== '/mcp') {
      response.writeHead(404, { 'Content-Type': 'application/json; charset=utf-8' });
      return response.end(JSON.stringify({ error: 'The tools are at /mcp.' }));
    }
    // The SDK's type of a request differs from Node's only in `undefined`.
    void handle(request as Parameters<typeof handle>[0], response);
  });
  return {
    server,
    close: async (): Promise<void> => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes changes from the follower to the SDK, which sends each to the streams that asked for it. */
function createBus({ onUpdate }: Follower): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe: (listener) => onUpdate((uri) => listener({ kind: 'resource_updated', uri })),
  };
}

/** The resources that a `subscriptions/listen` names. */
export function findListened(message: unknown): readonly string[] {
  const { data } = listenSchema.safeParse(message);
  return data?.params.notifications.resourceSubscriptions.filter((uri) => typeof uri === 'string') ?? [];
}

const listenSchema = z.object({
  method: z.literal('subscriptions/listen'),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.unknown()) }) }),
});
