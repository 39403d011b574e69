// The tool server over a gateway, which serves the site's routes too, on a free port.
import type { TestContext } from 'node:test';
import {
  Client,
  type ClientOptions,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { createToolNeeds, readSigning } from '#service/cli/mcp.ts';
import { createGuardedServer } from '#service/cli/serveTools.ts';
import { type Environment, readConfig } from '#service/config.ts';
import type { ServerLimits } from '#service/http/nodeServer.ts';
import { createToolHttpServer } from '#service/mcp/httpServer.ts';
import { createToolServer, type ToolServerOptions } from '#service/mcp/server.ts';
import type { ToolContext } from '#service/mcp/tool.ts';
import { tools } from '#service/mcp/tools.ts';
import type { Submit } from '#service/wallet/walletInterface.ts';
import { listen } from './listen.ts';

export type TestTools = Awaited<ReturnType<typeof startTools>>;

/** `signing`: what an operator would give for a wallet that signs. */
export async function startTools(
  url: string,
  limits?: ServerLimits,
  signing?: { readonly env: Environment; readonly options: Parameters<typeof readSigning>[0] },
) {
  const config = readConfig({ SVC_SITE_URL: url, SVC_GATEWAY_URL: url, ...signing?.env });
  const { needs, close: closeNeeds } = createToolNeeds(
    config,
    signing === undefined ? null : readSigning(signing.options, config),
  );
  let handed = 0;
  const counted = (submit: Submit) => (request: CreateRequest) => {
    handed++;
    return submit(request);
  };
  const wallet: ToolContext['wallet'] = {
    ...needs.wallet,
    submit: counted(needs.wallet.submit),
    inTurn: (from, work) => needs.wallet.inTurn(from, (submit) => work(counted(submit))),
  };
  const options = { version: '0', tools, needs: { ...needs, wallet }, onError: console.error };
  const { server, close } = createToolHttpServer({
    createToolServer: () => createToolServer(options),
    host: '127.0.0.1',
    onError: console.error,
    createServer: (listener) => createGuardedServer(listener, limits),
  });
  return {
    url: `${(await listen(server)).url}/mcp`,
    /** How many requests the wallet was handed. */
    handed: () => handed,
    close: async () => {
      await close();
      closeNeeds();
    },
  };
}

/** A stock client of the tools at this address, closed after the test where it has one. */
export async function openClient(
  context: Pick<TestContext, 'after'> | null,
  url: string,
  options?: ClientOptions,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  context?.after(() => client.close());
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is the test's business
export type ToolAnswer = { readonly isError: boolean; readonly text: string; readonly data: any };

export type CallTool = (name: string, args: object) => Promise<ToolAnswer>;

export async function callTool(client: Client, name: string, args: object): Promise<ToolAnswer> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...args } });
  const [part] = content;
  return { isError: isError === true, text: part?.type === 'text' ? part.text : '', data: structuredContent };
}

/** A stock client in this process, beside a server whose tools have what the test gives them. */
export async function connectTools(
  needs: object,
  more: Partial<ToolServerOptions> = {},
  client = new Client({ name: 'test', version: '0' }),
): Promise<Client> {
  const options = { version: '0', tools, needs: needs as ToolContext, onError: console.error, ...more };
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([createToolServer(options).connect(here), client.connect(there)]);
  return client;
}
