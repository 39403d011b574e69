// `svc mcp`: serves the svc_ tools to an agent, over stdio or over HTTP.
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Config, readConfig } from '#config.ts';
import { SvcError } from '#domain/errors.ts';
import { createToolHttpServer } from '#tools/mcp/httpServer.ts';
import { createToolServer } from '#tools/mcp/server.ts';
import { tools } from '#tools/mcp/tools.ts';
import { watchSignals } from './signals.ts';
import { createToolNeeds } from './toolNeeds.ts';
import { readVersion } from './version.ts';

const help = `Usage: svc mcp [--http] [--port <number>]

Serves the tools of the market to an agent (Model Context Protocol). Over stdio, as clients start it; with --http at
http://SVC_HOST:SVC_MCP_PORT/mcp (port 4021), for clients on this machine.

  --http            serve over HTTP
  --port <number>   another port than SVC_MCP_PORT; 0 for any

The market is the one at SVC_SITE_URL (http://127.0.0.1:8080). It may start later than the tools.`;

export async function run(args: readonly string[]): Promise<number> {
  const config = readConfig();
  const given = parseOptions(args);
  if (given.help) {
    console.log(help);
    return 0;
  }
  const { needs, close } = createToolNeeds(config);
  // On stdio nothing but the protocol may reach stdout.
  const onError = (what: string, error: unknown) =>
    console.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const options = { version: readVersion(), tools, needs, onError };
  const create = () => createToolServer(options);
  try {
    if (given.http) await serveHttp(create, config, given.port ?? config.mcpPort);
    else await serveOverStdio(create);
  } finally {
    close();
  }
  return 0;
}

type Create = () => ReturnType<typeof createToolServer>;

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

async function serveHttp(create: Create, { host }: Config, port: number): Promise<void> {
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

function parseOptions(args: readonly string[]) {
  try {
    const options = {
      http: { type: 'boolean', default: false },
      port: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    } as const;
    const { port, ...rest } = parseArgs({ args: [...args], options, allowPositionals: false }).values;
    if (port !== undefined && !/^[0-9]{1,5}$/.test(port))
      throw new Error('--port must be a number to 65535.');
    return { ...rest, port: port === undefined ? undefined : Number(port) };
  } catch (error) {
    throw new SvcError('USAGE', { reason: (error as Error).message }, error);
  }
}
