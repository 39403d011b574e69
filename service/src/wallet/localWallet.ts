// The default wallet: requests wait at the gateway until their owner decides on its approval page.

import type { CreateRequest, RequestResult } from '@svc/sdk/client';
import { SvcError } from '@svc/sdk/domain';
import { gatewayRoutes } from '@svc/sdk/internal/client/clientRoutes';
import { createRequest } from '@svc/sdk/internal/client/request';
import { approvalTokenHeader, splitApprovalUrl } from '@svc/sdk/internal/domain/approvalLink';
import { toShown } from '@svc/sdk/internal/domain/text';
import { OperatorError } from '../errors/operatorError.ts';
import { isOpen, type RequestState } from './requestMachine.ts';
import { noOutcome, pickAnswer, type RequestPages, type Wallet } from './walletInterface.ts';

const timeoutMs = 15_000;

/** Throws where the gateway serves another market than the one that the request is for. */
type RequireOwn = () => Promise<void>;

const anyGateway: RequireOwn = async () => undefined;

/** The requests of one gateway. An answer that was lost on the way leaves one request with the owner, not two. */
function createRequestClient(gatewayUrl: string, requireOwn: RequireOwn) {
  const connect = (more: Readonly<Record<string, string>> = {}) =>
    createRequest({
      baseUrl: gatewayUrl,
      fetch: (url, init) => {
        const headers = { ...(init.headers as object), ...more };
        return fetch(url, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
      },
    });
  const explained = <Reply>(reply: Promise<Reply>) =>
    reply.catch((error: unknown) => {
      throw explain(gatewayUrl, error);
    });
  const { createRequest: create, request, requestResult: result } = gatewayRoutes;
  return {
    create: async (body: CreateRequest) => {
      await requireOwn();
      return explained(connect()(create, {}, body));
    },
    read: (id: string) => explained(connect()(request, {}, undefined, { params: { id } })),
    report: (id: string, token: string, body: RequestResult) =>
      explained(connect({ [approvalTokenHeader]: token })(result, {}, body, { params: { id } })),
  };
}

/** Without `requireOwn` for reading alone. */
export function createLocalWallet(gatewayUrl: string, requireOwn = anyGateway): Wallet {
  const client = createRequestClient(gatewayUrl, requireOwn);
  return {
    findAddress: async () => null,
    submit: async (request) => {
      const { requestId, approvalUrl, status } = await client.create(request);
      return { ...noOutcome, requestId, approvalUrl, status };
    },
    readStatus: async (requestId) => pickAnswer(await client.read(requestId)),
    close: async () => undefined,
  };
}

/** Requests that another wallet decides. Their pages have no buttons: an owner who approved one as well would send everything twice. */
export function createRequestPages(gatewayUrl: string, requireOwn = anyGateway): RequestPages {
  const client = createRequestClient(gatewayUrl, requireOwn);
  return {
    open: async (request) => {
      const created = await client.create({ ...request, decidedBy: 'wallet' }).catch(() => null);
      return created?.approvalUrl ?? null;
    },
    report: async ({ page, ...outcome }) => {
      if (!page) return;
      const { approvalUrl, token } = splitApprovalUrl(page);
      const id = new URL(approvalUrl).searchParams.get('request');
      const result = toResult(outcome);
      if (result === null || token === null || id === null) return;
      await client.report(id, token, result).catch(() => undefined);
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

function explain(gatewayUrl: string, error: unknown): unknown {
  if (!(error instanceof SvcError)) return error;
  const { code, details } = error;
  const { status } = details;
  if (details.code === 'WALLET_REQUEST_NOT_FOUND') return new SvcError('WALLET_REQUEST_NOT_FOUND', {});
  if (code === 'API_REFUSED' && Number(status) < 500)
    return new OperatorError('WALLET_REFUSED', { reason: toShown(String(details.reason)) });
  const reasons: Partial<Record<string, string>> = {
    API_REFUSED: `it answers HTTP ${status}`,
    API_UNEXPECTED: 'the server there is not a gateway',
  };
  const where = `the gateway at ${new URL(gatewayUrl).origin}`;
  return new OperatorError('WALLET_UNREACHABLE', { where, reason: reasons[code] ?? String(details.reason) });
}
