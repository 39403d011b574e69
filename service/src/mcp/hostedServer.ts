// The tool server that a gateway serves to any client: without keys, sessions or files.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createToolServer, type ToolServerOptions } from './server.ts';
import { hostedTools } from './tools.ts';

const note =
  'This server signs nothing: the owner approves each request at its approvalUrl. Messages, files and listings of your own ' +
  'need the tools on your machine: run svc mcp.';

export type HostedServerOptions = Omit<ToolServerOptions, 'tools' | 'note'> & {
  /** What a client did wrong, which it was told. */
  readonly onRefused: (reason: string) => void;
};

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
