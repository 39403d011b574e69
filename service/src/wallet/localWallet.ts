// The default wallet: requests wait at the gateway until their owner decides on its approval page.

import { repeatWrite } from '@svc/sdk/client';
import { SvcError, toShown } from '@svc/sdk/domain';
import { type CreateRequest, createdRequestSchema, errorSchema, walletRequestSchema } from '@svc/sdk/schemas';
import type { z } from 'zod';
import type { PageOutcome, RequestPage, Wallet } from './wallet.ts';

const timeoutMs = 15_000;

type Ask = <Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<z.output<Schema>>;

function createAsk(gatewayUrl: string): Ask {
  return async (schema, path, given, headers) => {
    const init =
      given === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(given),
          };
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
  };
}

/** An answer that was lost on the way must not leave two requests with the owner. */
function createRequest(ask: Ask, request: CreateRequest) {
  return repeatWrite((headers) => ask(createdRequestSchema, '/v1/requests', request, headers));
}

export function createLocalWallet(gatewayUrl: string): Wallet {
  const ask = createAsk(gatewayUrl);
  return {
    findAddress: async () => null,
    submit: async (request) => {
      const created = await createRequest(ask, request);
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

/**
 * Opens the page of a request that a key is about to sign, so that its owner can look at it. Nobody knows its address before
 * the outcome is reported: an owner who approved it as well would send everything twice. Null without a gateway.
 */
export function createPageOpener(gatewayUrl: string) {
  const ask = createAsk(gatewayUrl);
  return async (request: CreateRequest): Promise<RequestPage | null> => {
    const created = await createRequest(ask, request).catch(() => null);
    if (created === null) return null;
    const { requestId, approvalUrl } = created;
    const isDone = ({ transactionHashes, signature }: PageOutcome) =>
      signature !== null || (request.kind === 'calls' && transactionHashes.length === request.calls.length);
    return {
      approvalUrl,
      report: async (outcome) => {
        const { transactionHashes, signature, isOpen } = outcome;
        const sent =
          signature === null ? { status: 'submitted', transactionHashes } : { status: 'signed', signature };
        const result = isDone(outcome) ? sent : { status: 'rejected' };
        const path = `/v1/requests/${encodeURIComponent(requestId)}/result`;
        const reported = await ask(walletRequestSchema, path, result).catch(() => null);
        return reported !== null && (isDone(outcome) || !isOpen);
      },
    };
  };
}

function unreachable(gatewayUrl: string, reason: unknown): SvcError {
  const code = (reason as { cause?: { code?: unknown } } | null)?.cause?.code;
  const words = typeof reason === 'string' ? reason : String(code ?? 'no answer');
  const where = `the gateway at ${new URL(gatewayUrl).origin}`;
  return new SvcError('WALLET_UNREACHABLE', { where, reason: words });
}
