// Serves an MCP tool server over stdio, as clients start it, or over HTTP for development, until it is stopped.

import type { RequestListener, Server } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { formatUrl, type ListenFailure, listen, untilAborted, watchSignals } from '../app/serve.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { answerClientError, createNodeServer, type ServerLimits } from '../http/nodeServer.ts';
import { createToolHttpServer } from '../mcp/httpServer.ts';
import { redact } from '../secrets.ts';
import { flag, parsePort, text } from './options.ts';

/** The options of a server for development. */
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
};

type Create = () => McpServer;

export async function serveTools(create: Create, options: ServeOptions): Promise<void> {
  await (options.http ? serveOverHttp(create, options, watchSignals()) : serveOverStdio(create));
}

export async function serveOverStdio(create: Create): Promise<void> {
  const stop = watchSignals();
  const handle = serveStdio(create, { onerror: (error) => console.error(redact(error.message)) });
  // A client that exits closes our input.
  await Promise.race([new Promise((resolve) => process.stdin.once('end', resolve)), untilAborted(stop)]);
  await handle.close();
  process.stdin.destroy();
}

async function serveOverHttp(
  createToolServer: Create,
  { host, port, json }: ServeOptions,
  stop: AbortSignal,
): Promise<void> {
  const onError = (error: Error) => console.error(redact(error.message));
  const createServer = createGuardedServer;
  const { server, close } = createToolHttpServer({ createToolServer, host, onError, createServer });
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
