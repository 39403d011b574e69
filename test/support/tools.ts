// The tool server over a test site, on a free port.
import type { AddressInfo } from 'node:net';
import { createGuardedServer } from '#commands/serveTools.ts';
import { createToolNeeds } from '#commands/toolNeeds.ts';
import { readConfig } from '#config.ts';
import type { ServerLimits } from '#http/nodeServer.ts';
import { createToolHttpServer } from '#tools/mcp/httpServer.ts';
import { createToolServer } from '#tools/mcp/server.ts';
import { tools } from '#tools/mcp/tools.ts';
import type { TestSite } from './site.ts';

export type TestTools = { readonly url: string; readonly close: () => Promise<void> };

export async function startTools(site: Pick<TestSite, 'url'>, limits?: ServerLimits): Promise<TestTools> {
  const { needs, close: closeNeeds } = createToolNeeds(readConfig({ SVC_SITE_URL: site.url() }));
  const options = { version: '0', tools, needs, onError: console.error };
  const { server, close } = createToolHttpServer({
    createToolServer: () => createToolServer(options),
    host: '127.0.0.1',
    onError: console.error,
    createServer: (listener) => createGuardedServer(listener, limits),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await close();
      closeNeeds();
    },
  };
}
