// The tool server over HTTP at /mcp, for clients on this machine: a page of another site can neither reach nor read it.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, localhostAllowedHostnames, type McpServer } from '@modelcontextprotocol/server';

type ToolHttpOptions = {
  readonly createToolServer: () => McpServer;
  /** Where it listens; its name is allowed as Host and Origin besides those of the loopback. */
  readonly host: string;
  readonly onError: (error: Error) => void;
  /** Makes the server that listens, with its limits. */
  readonly createServer: (listener: RequestListener) => Server;
};

/** The largest arguments are terms with texts, of a few KiB. */
const maxRequestBodySize = 256 * 1024;

export function createToolHttpServer(options: ToolHttpOptions) {
  const { createToolServer, host, createServer } = options;
  // Clients that disconnect are not errors, and would fill the log.
  const onError = (error: Error & { readonly code?: string }) => {
    if (error.code !== 'ECONNRESET') options.onError(error);
  };
  const limits = { onerror: onError, maxRequestBodySize };
  const handler = createMcpHandler(createToolServer, { ...limits, maxSubscriptions: 0 });
  const handle = toNodeHandler(handler, limits);
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
