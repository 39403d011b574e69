// Serves a tool server over stdio, as clients start it, or over HTTP, until it is told to stop.
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { SvcError } from '#domain/errors.ts';
import { createToolHttpServer } from '#tools/mcp/httpServer.ts';
import { flag, helpFlag, parseOptions, text } from './options.ts';
import { watchSignals } from './signals.ts';

type Create = () => McpServer;

export type ServeOptions = { readonly http: boolean; readonly host: string; readonly port: number };

export async function serveTools(create: Create, options: ServeOptions): Promise<void> {
  await (options.http ? serveOverHttp(create, options) : serveOverStdio(create));
}

async function serveOverStdio(create: Create): Promise<void> {
  const stop = watchSignals();
  const handle = serveStdio(create, { onerror: (error) => console.error(error.message) });
  // A client that is gone closes our input; nobody will ask again.
  await Promise.race([
    new Promise((resolve) => process.stdin.once('end', resolve)),
    new Promise((resolve) => stop.addEventListener('abort', resolve)),
  ]);
  await handle.close();
  process.stdin.destroy();
}

async function serveOverHttp(create: Create, { host, port }: ServeOptions): Promise<void> {
  const stop = watchSignals();
  const onError = (error: Error) => console.error(error.message);
  const { server, close } = createToolHttpServer({ createToolServer: create, host, onError });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new SvcError('TOOLS_CANNOT_LISTEN', { host, port: String(port), reason: error.message }, error)),
    );
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  console.log(`The tools are at http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp`);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve));
  await close();
}

export function parseServeOptions(args: readonly string[]) {
  const { port, ...rest } = parseOptions(args, { http: flag, port: text, help: helpFlag });
  if (port !== undefined && !/^[0-9]{1,5}$/.test(port))
    throw new SvcError('USAGE', { reason: '--port must be a number to 65535.' });
  return { ...rest, port: port === undefined ? undefined : Number(port) };
}
