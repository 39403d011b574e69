// Serves a tool server over stdio, as clients start it, or over HTTP, until it is told to stop.
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { SvcError } from '@svc/sdk/domain';
import { watchSignals } from '#app/signals.ts';
import { redact } from '#config.ts';
import { answerClientError, createNodeServer, type ServerLimits } from '#http/nodeServer.ts';
import { createToolHttpServer } from '#mcp/httpServer.ts';
import { flag, parseOptions, parseWhole, readValue, text } from './options.ts';
import type { Usage } from './usage.ts';

type Create = () => McpServer;

export type ServeOptions = {
  readonly http: boolean;
  readonly host: string;
  readonly port: number;
  readonly json: boolean;
};

export async function serveTools(create: Create, options: ServeOptions): Promise<void> {
  await (options.http ? serveOverHttp(create, options) : serveOverStdio(create));
}

async function serveOverStdio(create: Create): Promise<void> {
  const stop = watchSignals();
  const handle = serveStdio(create, { onerror: (error) => console.error(redact(error.message)) });
  // A client that is gone closes our input; nobody will ask again.
  await Promise.race([
    new Promise((resolve) => process.stdin.once('end', resolve)),
    new Promise((resolve) => stop.addEventListener('abort', resolve)),
  ]);
  await handle.close();
  process.stdin.destroy();
}

async function serveOverHttp(create: Create, { host, port, json }: ServeOptions): Promise<void> {
  const stop = watchSignals();
  const onError = (error: Error) => console.error(redact(error.message));
  const { server, close } = createToolHttpServer({
    createToolServer: create,
    host,
    onError,
    createServer: createGuardedServer,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new SvcError('TOOLS_CANNOT_LISTEN', { host, port: String(port), reason: error.message }, error)),
    );
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp`;
  console.log(json ? JSON.stringify({ toolsUrl: url }) : `The tools are at ${url}`);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve));
  await close();
}

/** As site and gateway are: what cannot be read or never ends is answered in our words and cut off. */
export function createGuardedServer(listener: RequestListener, limits?: ServerLimits): Server {
  return createNodeServer(listener, limits).on('clientError', answerClientError);
}

export const serveOptions = {
  http: flag('serve over HTTP at /mcp; without it over stdio, as clients start it'),
  port: text('<n>', 'port for HTTP; 0 takes any'),
};

export const serveJson = 'print {"toolsUrl"} once it listens; over stdio all that is printed is the protocol';

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseServeOptions(usage: Usage<typeof serveOptions>, args: readonly string[]) {
  const { values, words } = parseOptions(usage, args);
  const { http, json } = values;
  return { http, json, port: readValue('port', values.port, parseWhole(65_535)), words };
}
