// The tool server that a gateway serves to any client: without keys or files, and with the mail of owners who have signed in.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createToolServer, type ToolServerOptions } from './server.ts';
import { hostedTools } from './tools.ts';

const note =
  'This server signs nothing: the owner approves each request at its approvalUrl. svc_inbox asks your client to sign in. Sending ' +
  'messages, files and listings of your own need the tools on your machine: run svc mcp.';

export type HostedServerOptions = Omit<ToolServerOptions, 'tools' | 'note'> & {
  /** What a client did wrong, which it was told. */
  readonly onRefused: (reason: string) => void;
};

const scopes = new Map(hostedTools.map(({ name, scope }) => [name, scope ?? null]));

/** What the owner of a wallet must have granted to who calls this tool; null where nothing is needed. */
export const hostedScopeOf = (name: string): string | null => scopes.get(name) ?? null;

export function createHostedHandler(options: HostedServerOptions) {
  const current = new AsyncLocalStorage<Error[]>();
  const handler = createMcpHandler(() => createToolServer({ ...options, tools: hostedTools, note }), {
    onerror: (error: Error) => void current.getStore()?.push(error),
    maxSubscriptions: 0,
  });
  return {
    async answer(request: Request, parsedBody: unknown): Promise<Response> {
      const errors: Error[] = [];
      const response = await current.run(errors, () => handler.fetch(request, { parsedBody }));
      for (const error of errors) {
        if (response.status >= 500) options.onError('a request', error);
        else options.onRefused(error.message);
      }
      return response;
    },
    close: () => handler.close(),
  };
}
