// `svc mcp`: serves the svc_ tools to an agent, over stdio or over HTTP.

import { readVersion } from '#app/packageFiles.ts';
import { readConfig, redact } from '#config.ts';
import { createToolServer } from '#mcp/server.ts';
import { tools } from '#mcp/tools.ts';
import { parseServeOptions, serveJson, serveOptions, serveTools } from './serveTools.ts';
import { createToolNeeds } from './toolNeeds.ts';
import type { Usage } from './usage.ts';

export const usage = {
  command: 'mcp',
  synopsis: ['[--http] [--port <n>]'],
  about:
    'Serves the tools of the market to an agent (Model Context Protocol). Over stdio, as clients start it; with --http at http://SVC_HOST:SVC_MCP_PORT/mcp (port 4021), for clients on this machine.',
  options: serveOptions,
  json: serveJson,
  notes: [
    'The market is the one at SVC_SITE_URL (http://127.0.0.1:8080). It may start later than the tools.',
  ],
  examples: ['svc mcp', 'svc mcp --http --port 4021'],
} as const satisfies Usage;

export async function run(args: readonly string[]): Promise<number> {
  const given = parseServeOptions(usage, args);
  const config = readConfig();
  const { needs, close } = createToolNeeds(config);
  // On stdio nothing but the protocol may reach stdout.
  const onError = (what: string, error: unknown) =>
    console.error(redact(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : error}`));
  const options = { version: readVersion(), tools, needs, onError };
  const create = () => createToolServer(options);
  try {
    await serveTools(create, { ...given, host: config.host, port: given.port ?? config.mcpPort });
  } finally {
    close();
  }
  return 0;
}
