// Serves an MCP tool server over stdio, as clients start it, or over HTTP, until it is stopped.

import type { RequestListener, Server } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { formatUrl, type ListenFailure, listen, untilAborted, watchSignals } from '../app/serve.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { answerClientError, createNodeServer, type ServerLimits } from '../http/nodeServer.ts';
import type { Follower } from '../mcp/follower.ts';
import { createToolHttpServer, findListened } from '../mcp/httpServer.ts';
import type { ToolConnection } from '../mcp/server.ts';
import { redact } from '../secrets.ts';
import { flag, parsePort, text } from './options.ts';

/** The options of both commands that serve tools. */
export const serveOptions = {
  http: flag('serve over HTTP at /mcp; default is stdio, as clients start it'),
  port: text('<n>', 'port for HTTP; 0 takes any', parsePort),
};

export const serveJson = 'print {"toolsUrl"} once it listens; over stdio only the protocol is printed';

type ServeOptions = {
  readonly http: boolean;
  readonly host: string;
  readonly port: number;
  readonly json: boolean;
  /** Follows what clients subscribe to. */
  readonly follower?: Follower | undefined;
};

type Create = (connection: ToolConnection) => McpServer;

export async function serveTools(create: Create, options: ServeOptions): Promise<void> {
  const stop = watchSignals();
  await (options.http ? serveOverHttp(create, options, stop) : serveOverStdio(create, options, stop));
}

async function serveOverStdio(create: Create, { follower }: ServeOptions, stop: AbortSignal): Promise<void> {
  const handle = serveStdio(({ era }) => create({ era, isLasting: true }), {
    onerror: (error) => console.error(redact(error.message)),
    transport: watchMessages(new StdioServerTransport(), (message) => {
      for (const uri of findListened(message)) follower?.follow(uri);
    }),
  });
  // A client that exits closes our input.
  await Promise.race([new Promise((resolve) => process.stdin.once('end', resolve)), untilAborted(stop)]);
  await handle.close();
  process.stdin.destroy();
}

/** The SDK answers `subscriptions/listen` itself and does not report which resources it names. */
function watchMessages(
  transport: StdioServerTransport,
  watch: (message: unknown) => void,
): StdioServerTransport {
  let handle: StdioServerTransport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => handle,
    set: (next: typeof handle) => {
      handle = (message) => {
        watch(message);
        next?.(message);
      };
    },
  });
  return transport;
}

async function serveOverHttp(
  createToolServer: Create,
  { host, port, json, follower }: ServeOptions,
  stop: AbortSignal,
): Promise<void> {
  const onError = (error: Error) => console.error(redact(error.message));
  const createServer = createGuardedServer;
  const { server, close } = createToolHttpServer({ createToolServer, follower, host, onError, createServer });
  const explain = (details: ListenFailure, cause: Error) =>
    new OperatorError('TOOLS_CANNOT_LISTEN', details, cause);
  const url = `${formatUrl(host, await listen(server, { host, port }, explain))}/mcp`;
  console.log(json ? JSON.stringify({ toolsUrl: url }) : `The tools are at ${url}`);
  await untilAborted(stop);
  await close();
}

/** With the limits of site and gateway: a request that is malformed or never ends gets an error and is closed. */
export function createGuardedServer(listener: RequestListener, limits?: ServerLimits): Server {
  return createNodeServer(listener, limits).on('clientError', answerClientError);
}
