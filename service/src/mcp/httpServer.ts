// The tool server over HTTP at /mcp, for clients on this machine: a page of another site can neither reach nor read it.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, localhostAllowedHostnames, type McpServer } from '@modelcontextprotocol/server';

export type ToolHttpServer = { readonly server: Server; readonly close: () => Promise<void> };

export type ToolHttpOptions = {
  readonly createToolServer: () => McpServer;
  /** Where it listens; its name is allowed as Host and Origin besides those of the loopback. */
  readonly host: string;
  readonly onError: (error: Error) => void;
  /** Makes the server that listens, with its limits. */
  readonly createServer: (listener: RequestListener) => Server;
};

/** The largest arguments are terms with texts, of a few KiB. */
const maxRequestBodySize = 256 * 1024;

export function createToolHttpServer(options: ToolHttpOptions): ToolHttpServer {
  const { createToolServer, host, createServer } = options;
  // A client that is gone is no fault, and many of them would fill the log.
  const onError = (error: Error & { readonly code?: string }) => {
    if (error.code !== 'ECONNRESET') options.onError(error);
  };
  const handler = createMcpHandler(createToolServer, { onerror: onError, maxRequestBodySize });
  const handle = toNodeHandler(handler, { onerror: onError, maxRequestBodySize });
  const names = [...localhostAllowedHostnames(), host.includes(':') ? `[${host}]` : host];
  const isHostGood = hostHeaderValidation(names);
  const isOriginGood = originValidation(names);
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (!isHostGood(request, response) || !isOriginGood(request, response)) return;
    const path = request.url?.split('?')[0];
    if (path !== '/mcp') return answer(response, 404, 'The tools are at /mcp.');
    // The SDK's shape of a request differs from Node's in `undefined` alone.
    void handle(request as Parameters<typeof handle>[0], response);
  });
  return {
    server,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error }));
}
