// The default wallet: requests wait at the gateway until their owner decides on its approval page.

import { SvcError, toShown } from '@svc/sdk/domain';
import { createdRequestSchema, errorSchema, walletRequestSchema } from '@svc/sdk/schemas';
import type { z } from 'zod';
import type { Wallet } from './wallet.ts';

const timeoutMs = 15_000;

export function createLocalWallet(gatewayUrl: string): Wallet {
  async function ask<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    init?: RequestInit,
  ): Promise<z.output<Schema>> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${gatewayUrl}${path}`, { redirect: 'error', signal, ...init }).catch(
      (error: unknown) => {
        throw unreachable(gatewayUrl, error);
      },
    );
    const body: unknown = await response.json().catch(() => null);
    if (response.status >= 500) throw unreachable(gatewayUrl, `it answers HTTP ${response.status}`);
    if (!response.ok) {
      const refusal = errorSchema.safeParse(body);
      const reason = refusal.success ? toShown(refusal.data.error) : `HTTP ${response.status}`;
      throw new SvcError('WALLET_REFUSED', { reason });
    }
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw unreachable(gatewayUrl, 'the server there is not a gateway');
    return parsed.data;
  }

  return {
    findAddress: async () => null,
    submit: async (request) => {
      const created = await ask(createdRequestSchema, '/v1/requests', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      return { ...created, transactionHashes: [], signature: null, error: null };
    },
    readStatus: async (requestId) => {
      const path = `/v1/requests/${encodeURIComponent(requestId)}`;
      const { approvalUrl, status, transactionHashes, signature, error } = await ask(
        walletRequestSchema,
        path,
      );
      return { requestId, approvalUrl, status, transactionHashes, signature, error };
    },
    close: async () => undefined,
  };
}

function unreachable(gatewayUrl: string, reason: unknown): SvcError {
  const code = (reason as { cause?: { code?: unknown } } | null)?.cause?.code;
  const words = typeof reason === 'string' ? reason : String(code ?? 'no answer');
  const where = `the gateway at ${new URL(gatewayUrl).origin}`;
  return new SvcError('WALLET_UNREACHABLE', { where, reason: words });
}
