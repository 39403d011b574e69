// Error code -> status, and the one place that turns an error into a reply.
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, SvcError } from '@svc/sdk/domain';

/** Codes that are not here never reach a client as themselves: they are answered 500 with a fixed text. */
export const statuses: Partial<Record<ErrorCode, number>> = {
  ADDRESS_MALFORMED: 400,
  ADDRESS_REQUIRED: 400,
  BODY_INVALID: 400,
  BODY_MALFORMED: 400,
  BODY_TOO_LARGE: 413,
  BUDGET_MALFORMED: 400,
  CHAIN_CHANGED: 503,
  CHAIN_UNREACHABLE: 503,
  CHAT_BUSY: 429,
  CHAT_FAILED: 502,
  CHAT_MESSAGES_INVALID: 400,
  CHAT_NOT_CONFIGURED: 503,
  CHAT_SYSTEM_INVALID: 400,
  CHAT_TIMED_OUT: 504,
  CHAT_TOO_LARGE: 413,
  CLAIM_REFUSED: 409,
  CONTENT_TYPE_WRONG: 415,
  CURSOR_INVALID: 400,
  EXPECTATION_UNKNOWN: 417,
  FACILITATOR_UNREACHABLE: 503,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  LIMIT_INVALID: 400,
  MARKET_MISMATCH: 400,
  MARKET_NOT_IN_V1: 400,
  MARKET_UNKNOWN: 400,
  METHOD_NOT_ALLOWED: 405,
  NOT_READY: 503,
  NOT_READY_TO_ACT: 409,
  ORIGIN_FOREIGN: 403,
  PAYMENT_ENDED: 422,
  PAYMENT_MISMATCH: 422,
  PAYMENT_REQUIRED: 402,
  PAYMENT_UNCONFIRMED: 422,
  PAYMENT_UNSEEN: 422,
  PAYMENT_USED: 409,
  PAY_WITH_UNKNOWN: 400,
  POSTING_LIMIT: 429,
  POST_MISMATCH: 422,
  POST_UNSEEN: 422,
  PRICE_MISSING: 503,
  PROTOCOL_UNKNOWN: 400,
  RATE_LIMITED: 429,
  REQUEST_MALFORMED: 400,
  REQUEST_TOO_SLOW: 408,
  ROUTE_NOT_FOUND: 404,
  SIGNATURE_WRONG: 422,
  STOPPING: 503,
  STORE_UNREACHABLE: 503,
  STREAMS_FULL: 503,
  TASK_AMOUNT_MALFORMED: 400,
  TASK_ID_MALFORMED: 400,
  TASK_ID_REQUIRED: 400,
  TASK_NOT_FOUND: 404,
  TASK_NUMBER_MALFORMED: 400,
  TIER_FREE: 400,
  TIER_UNKNOWN: 400,
  TOK_NOT_ALLOWED: 422,
  TX_HASH_MALFORMED: 400,
  WALLET_REQUEST_DECIDED: 409,
  WALLET_REQUEST_KIND: 422,
  WALLET_REQUEST_NOT_FOUND: 404,
};

export type ErrorReply = {
  readonly status: number;
  readonly message: string;
  readonly isKnown: boolean;
  readonly retryAfterSeconds?: number;
  /** What the body says besides `error`. */
  readonly more?: object;
};

export function statusOf(code: ErrorCode): number {
  return statuses[code] ?? 500;
}

export function toErrorReply(error: unknown): ErrorReply {
  const known: SvcError | null = error instanceof SvcError ? error : fromFastify(error);
  const status = known === null ? undefined : statuses[known.code];
  if (known === null || status === undefined) {
    return { status: 500, message: new SvcError('INTERNAL', {}).message, isKnown: false };
  }
  // The reason behind an unreachable chain speaks of our providers; the client is told the fact alone.
  const message = known.code === 'CHAIN_UNREACHABLE' ? new SvcError('NOT_READY', {}).message : known.message;
  const retryAfterSeconds = findRetryAfter(known, status);
  return {
    status,
    message,
    isKnown: true,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    // Spec 7: who has reached the limit is told its quota.
    ...(known.code === 'POSTING_LIMIT' && { more: { quota: known.details.quota } }),
  };
}

/** An error may know when it is over; what else is out of order is so for a moment, unless somebody must mend it. */
function findRetryAfter({ code, details }: SvcError, status: number): number | undefined {
  if (typeof details.retryAfterSeconds === 'number') return details.retryAfterSeconds;
  return status === 503 && code !== 'CHAT_NOT_CONFIGURED' ? 2 : undefined;
}

/** What Fastify itself refuses, in our words. */
function fromFastify(error: unknown): SvcError | null {
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new SvcError('BODY_TOO_LARGE', {});
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new SvcError('CONTENT_TYPE_WRONG', {});
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new SvcError('BODY_MALFORMED', {});
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new SvcError('REQUEST_MALFORMED', {});
    default:
      return null;
  }
}

export type ErrorBody = {
  readonly contentType: string;
  readonly body: string;
  /** Of this kind of body alone. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** RFC 9457 for those who ask for it, with `error` kept as a member; everyone else gets `{error}`. */
export function buildErrorBody({ status, message, more }: ErrorReply, accept: string | undefined): ErrorBody {
  if (!accept?.includes('application/problem+json')) {
    return {
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify({ error: message, ...more }),
    };
  }
  const problem = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    error: message,
    ...more,
  };
  return { contentType: 'application/problem+json; charset=utf-8', body: JSON.stringify(problem) };
}
