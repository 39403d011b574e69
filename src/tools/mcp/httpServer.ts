// The tool server over HTTP at /mcp, for clients on this machine: a page of another site can neither reach nor read it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, localhostAllowedHostnames, type McpServer } from '@modelcontextprotocol/server';

export type ToolHttpServer = { readonly server: Server; readonly close: () => Promise<void> };

export type ToolHttpOptions = {
  readonly createToolServer: () => McpServer;
  /** Where it listens; its name is allowed as Host and Origin besides those of the loopback. */
  readonly host: string;
  readonly onError: (error: Error) => void;
};

/** The largest arguments are terms with texts, of a few KiB. */
const maxRequestBodySize = 256 * 1024;

export function createToolHttpServer({ createToolServer, host, onError }: ToolHttpOptions): ToolHttpServer {
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
  server.requestTimeout = 30_000;
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
