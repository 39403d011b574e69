// The default wallet: requests wait at the gateway until their owner decides on its approval page.

import { SvcError } from '@svc/sdk/domain';
import { repeatWrite } from '@svc/sdk/internal/client/repeatWrite';
import { approvalTokenHeader, splitApprovalUrl } from '@svc/sdk/internal/domain/approvalLink';
import { toShown } from '@svc/sdk/internal/domain/text';
import { errorSchema } from '@svc/sdk/internal/schemas/primitives';
import { createdRequestSchema } from '@svc/sdk/internal/schemas/walletRequest';
import { type CreateRequest, type RequestResult, walletRequestSchema } from '@svc/sdk/schemas';
import type { z } from 'zod';
import { isOpen, type RequestState } from './requestMachine.ts';
import type { RequestPages, Wallet } from './wallet.ts';

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

/** Requests that another wallet decides. Their pages have no buttons: an owner who approved one as well would send everything twice. */
export function createRequestPages(gatewayUrl: string): RequestPages {
  const ask = createAsk(gatewayUrl);
  return {
    open: async (request) => {
      const created = await createRequest(ask, { ...request, decidedBy: 'wallet' }).catch(() => null);
      // A gateway that gives no secret is of an earlier version, whose page has buttons.
      return created === null || splitApprovalUrl(created.approvalUrl).token === null
        ? null
        : created.approvalUrl;
    },
    report: async (link, outcome) => {
      const { approvalUrl, token } = splitApprovalUrl(link);
      const id = new URL(approvalUrl).searchParams.get('request');
      const result = toResult(outcome);
      if (result === null || token === null || id === null) return;
      const path = `/v1/requests/${encodeURIComponent(id)}/result`;
      await ask(walletRequestSchema, path, result, { [approvalTokenHeader]: token }).catch(() => undefined);
    },
  };
}

/** Null while there is nothing to report. */
function toResult(outcome: RequestState): RequestResult | null {
  const { request, signature } = outcome;
  const transactionHashes = [...outcome.transactionHashes];
  if (signature !== null) return { status: 'signed', signature };
  const isWhole = request.kind === 'calls' && transactionHashes.length === request.calls.length;
  if (isWhole || outcome.status === 'settled') return { status: 'submitted', transactionHashes };
  if (!isOpen(outcome)) return { status: 'rejected' };
  return transactionHashes.length === 0 ? null : { status: 'sending', transactionHashes };
}

function unreachable(gatewayUrl: string, reason: unknown): SvcError {
  const code = (reason as { cause?: { code?: unknown } } | null)?.cause?.code;
  const words = typeof reason === 'string' ? reason : String(code ?? 'no answer');
  const where = `the gateway at ${new URL(gatewayUrl).origin}`;
  return new SvcError('WALLET_UNREACHABLE', { where, reason: words });
}
