// A wallet tool server for development: the tools of hosted wallets over a private key, so that every flow runs offline.
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { CreateRequest } from '@svc/sdk/client';
import type { Address } from '@svc/sdk/domain';
import { networkOf } from '@svc/sdk/internal/domain/chains';
import { callSchema } from '@svc/sdk/internal/schemas/primitives';
import * as z from 'zod';
import type { KeyWallet } from './keyWallet.ts';
import { isOpen } from './requestMachine.ts';
import type { WalletAnswer } from './walletInterface.ts';

type DevelopmentWallet = ReturnType<typeof createDevelopmentWallet>;

/** Outlives connections: the key wallet and the requests that are running. */
export function createDevelopmentWallet(wallet: KeyWallet, address: Address) {
  const running = new Set<string>();
  const track = (requestId: string, done: Promise<void>): string => {
    running.add(requestId);
    void done.then(() => running.delete(requestId));
    return requestId;
  };
  return {
    address,
    start: (request: CreateRequest): string => {
      const { requestId, done } = wallet.start(request);
      return track(requestId, done);
    },
    /** Undefined where there is none. A request that an ended process left behind is continued. */
    find: async (requestId: string): Promise<WalletAnswer | undefined> => {
      const answer = await wallet.readStatus(requestId).catch(() => undefined);
      if (answer !== undefined && isOpen(answer) && !running.has(requestId))
        track(requestId, wallet.resume(requestId));
      return answer;
    },
  };
}

const submittedSchema = z.object({ requestId: z.string(), approvalUrl: z.string().nullable() });

export function createWalletServer(wallet: DevelopmentWallet, chainId: number, version: string): McpServer {
  const chain = networkOf(chainId);
  const server = new McpServer({ name: 'svc-wallet', title: 'svc development wallet', version });
  const head = { action: 'wallet-mcp', summary: 'requested by a tool', from: wallet.address, chainId };
  const start = (request: CreateRequest) => answer({ requestId: wallet.start(request), approvalUrl: null });

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
    () => answer({ wallets: [{ address: wallet.address, chains: [chain] }] }),
  );
  server.registerTool(
    'send_calls',
    {
      description: 'Sends calls in order. This development wallet asks nobody.',
      inputSchema: z.object({ chain: z.literal(chain), calls: z.array(callSchema).min(1).max(16) }),
      outputSchema: submittedSchema,
    },
    ({ calls }) => start({ ...head, kind: 'calls', calls, steps: [] }),
  );
  server.registerTool(
    'sign',
    {
      description: 'Signs typed data (EIP-712). This development wallet asks nobody.',
      inputSchema: z.object({ type: z.literal('0x01'), data: z.record(z.string(), z.unknown()) }),
      outputSchema: submittedSchema,
    },
    ({ data }) => start({ ...head, kind: 'signature', typedData: data }),
  );
  server.registerTool(
    'get_request_status',
    {
      description: 'The status of a request.',
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
      const found = await wallet.find(requestId);
      if (found === undefined)
        return { isError: true, content: [{ type: 'text', text: 'There is no such request.' }] };
      const { transactionHashes, signature, error } = found;
      const status = found.status === 'settled' ? 'completed' : isOpen(found) ? 'pending' : 'failed';
      return answer({ requestId, status, transactionHashes, signature, error });
    },
  );
  return server;
}

function answer(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}
