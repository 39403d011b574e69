// The tool server that a gateway serves to any client: without keys, sessions, files or subscriptions.
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createToolServer, type ToolServerOptions } from './server.ts';
import { tools } from './tools.ts';

/** Those that need neither a session nor a file of the caller. */
export const hostedTools = tools.filter(({ isLocal }) => isLocal !== true);

const note =
  'This server signs nothing: the owner approves each request at its approvalUrl. Messages, files, listings of your own and paid ' +
  'claims need the tools on your machine: run svc mcp.';

export function createHostedHandler(options: Omit<ToolServerOptions, 'tools' | 'note' | 'follower'>) {
  const create = ({ era }: { readonly era: 'legacy' | 'modern' }) =>
    createToolServer({ ...options, tools: hostedTools, note }, { era, isLasting: false });
  const handler = createMcpHandler(create, {
    onerror: (error: Error) => options.onError('a request', error),
    maxSubscriptions: 0,
  });
  return {
    answer: (request: Request, parsedBody: unknown): Promise<Response> =>
      handler.fetch(request, { parsedBody }),
    close: () => handler.close(),
  };
}
