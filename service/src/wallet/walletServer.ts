// A wallet tool server for development: the tools of hosted ones over a key, so that the whole way runs offline.
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { Address } from '@svc/sdk/domain';
import { type CreateRequest, callSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import type { KeyWallet } from './keyWallet.ts';
import { undecided, type WalletAnswer } from './wallet.ts';

/** What outlives a connection: the requests, and the key that grants each at once. */
export type WalletDesk = {
  readonly address: Address;
  readonly take: (request: CreateRequest) => string;
  /** Undefined where there is none. One that a process left behind which is gone is gone on with. */
  readonly find: (requestId: string) => Promise<WalletAnswer | undefined>;
};

export function createWalletDesk(wallet: KeyWallet, address: Address): WalletDesk {
  const underWay = new Set<string>();
  const watch = (requestId: string, done: Promise<void>) => {
    underWay.add(requestId);
    void done.then(() => underWay.delete(requestId));
  };
  return {
    address,
    take: (request) => {
      const { requestId, done } = wallet.take(request);
      watch(requestId, done);
      return requestId;
    },
    find: async (requestId) => {
      const answer = await wallet.readStatus(requestId).catch(() => undefined);
      if (answer !== undefined && undecided.includes(answer.status) && !underWay.has(requestId))
        watch(requestId, wallet.resume(requestId));
      return answer;
    },
  };
}

const handedSchema = z.object({ requestId: z.string(), approvalUrl: z.string().nullable() });

export function createWalletServer(desk: WalletDesk, version: string): McpServer {
  const server = new McpServer({ name: 'svc-wallet', title: 'svc development wallet', version });
  const head = {
    action: 'wallet-mcp',
    summary: 'asked for by a tool',
    from: desk.address,
    chainId: 8_453,
  } as const;

  server.registerTool(
    'get_wallets',
    {
      description: 'The wallets that can be used.',
      inputSchema: z.object({}),
      outputSchema: z.object({
        wallets: z.array(z.object({ address: z.string(), chains: z.array(z.string()) })),
      }),
      annotations: { readOnlyHint: true },
    },
    () => answer({ wallets: [{ address: desk.address, chains: ['base'] }] }),
  );
  server.registerTool(
    'send_calls',
    {
      description: 'Sends calls in order. This development wallet asks nobody.',
      inputSchema: z.object({ chain: z.literal('base'), calls: z.array(callSchema).min(1).max(16) }),
      outputSchema: handedSchema,
    },
    ({ calls }) =>
      answer({ requestId: desk.take({ ...head, kind: 'calls', calls, steps: [] }), approvalUrl: null }),
  );
  server.registerTool(
    'sign',
    {
      description: 'Signs typed data (EIP-712). This development wallet asks nobody.',
      inputSchema: z.object({ type: z.literal('0x01'), data: z.record(z.string(), z.unknown()) }),
      outputSchema: handedSchema,
    },
    ({ data }) =>
      answer({ requestId: desk.take({ ...head, kind: 'signature', typedData: data }), approvalUrl: null }),
  );
  server.registerTool(
    'get_request_status',
    {
      description: 'What became of a request.',
      inputSchema: z.object({ requestId: z.string() }),
      outputSchema: z.object({
        requestId: z.string(),
        status: z.enum(['pending', 'completed', 'failed']),
        transactionHashes: z.array(z.string()),
        signature: z.string().nullable(),
        error: z.string().nullable(),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ requestId }) => {
      const found = await desk.find(requestId);
      if (found === undefined) return refuse('There is no such request.');
      const { status, transactionHashes, signature, error } = found;
      const word = status === 'settled' ? 'completed' : undecided.includes(status) ? 'pending' : 'failed';
      return answer({ requestId, status: word, transactionHashes, signature, error });
    },
  );
  return server;
}

function answer(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

function refuse(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
