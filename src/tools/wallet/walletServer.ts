// A wallet tool server for development: the tools of hosted ones over a key, so that the whole way runs offline.
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { type CreateRequest, callSchema } from '#schemas/walletRequest.ts';
import type { Wallet } from './wallet.ts';

type Done = {
  readonly status: 'completed' | 'failed';
  readonly transactionHashes: readonly string[];
  readonly signature: string | null;
  readonly error: string | null;
};

/** What outlives a connection: the requests, and the key that grants each at once. */
export type WalletDesk = {
  readonly address: Address;
  readonly take: (request: CreateRequest) => string;
  /** Null while it is under way, undefined where there is none. */
  readonly find: (requestId: string) => Done | null | undefined;
};

export function createWalletDesk(wallet: Wallet, address: Address): WalletDesk {
  const requests = new Map<string, Done | null>();
  return {
    address,
    take: (request) => {
      const requestId = crypto.randomUUID();
      requests.set(requestId, null);
      void wallet.hand(request).then(
        ({ status, transactionHashes, signature, error }) =>
          requests.set(requestId, {
            status: status === 'settled' ? 'completed' : 'failed',
            transactionHashes,
            signature,
            error,
          }),
        (error: unknown) =>
          requests.set(requestId, {
            status: 'failed',
            transactionHashes: [],
            signature: null,
            error: error instanceof SvcError ? error.message : 'The development wallet failed.',
          }),
      );
      return requestId;
    },
    find: (requestId) => requests.get(requestId),
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
    ({ requestId }) => {
      const done = desk.find(requestId);
      if (done === undefined) return refuse('There is no such request.');
      const open = { status: 'pending', transactionHashes: [], signature: null, error: null };
      return answer({ requestId, ...(done ?? open) });
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
