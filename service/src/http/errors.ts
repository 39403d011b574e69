// Error code -> status, and the one place that turns an error into a reply.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { type ErrorCode, SvcError } from '@svc/sdk/domain';
import { isRead } from './crossOrigin.ts';
import { documentPolicy, html, renderDocument } from './reference/document.ts';
import { type AppLog, pathOf } from './requestLog.ts';

/** Codes that are missing here are answered 500 with a fixed text. */
export const statuses: Partial<Record<ErrorCode, number>> = {
  ADDRESS_MALFORMED: 400,
  ADDRESS_REQUIRED: 400,
  AMOUNT_FILTER_INVALID: 400,
  BODY_ENCODED: 415,
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
  DEADLINE_FILTER_INVALID: 400,
  ENVELOPE_REFUSED: 422,
  EXPECTATION_UNKNOWN: 417,
  FACILITATOR_UNREACHABLE: 503,
  FILE_ENCODING_REFUSED: 415,
  FILE_HASH_MALFORMED: 400,
  FILE_LENGTH_REQUIRED: 411,
  FILE_NOT_FOUND: 404,
  FILE_QUOTA_REACHED: 413,
  FILE_RANGE_INVALID: 416,
  FILE_SUBJECT_MALFORMED: 400,
  FILE_TOO_LARGE: 413,
  FILES_BUSY: 503,
  FILES_UNREACHABLE: 503,
  FUNDED_FILTER_INVALID: 400,
  HASH_MISMATCH: 422,
  HEADERS_TOO_LARGE: 431,
  IDEMPOTENCY_KEYS_FULL: 429,
  IDEMPOTENCY_KEY_BUSY: 409,
  IDEMPOTENCY_KEY_INVALID: 400,
  IDEMPOTENCY_KEY_REUSED: 422,
  INTERNAL: 500,
  LIMIT_INVALID: 400,
  MAIL_LIMIT: 429,
  MARKET_MISMATCH: 400,
  MARKET_NOT_IN_V1: 400,
  MARKET_UNKNOWN: 400,
  MESSAGE_TOO_LARGE: 413,
  METHOD_NOT_ALLOWED: 405,
  NOT_A_PARTY: 403,
  NOT_READY: 503,
  NOT_READY_TO_ACT: 409,
  NO_STANDING: 403,
  ORIGIN_FOREIGN: 403,
  PAYMENT_ENDED: 422,
  PAYMENT_MISMATCH: 422,
  PAYMENT_REQUIRED: 402,
  PAYMENT_UNCONFIRMED: 422,
  PAYMENT_UNSEEN: 422,
  PAYMENT_USED: 409,
  PAY_WITH_UNKNOWN: 400,
  PLACE_GAP: 409,
  PLACE_TAKEN: 409,
  POSTING_LIMIT: 429,
  POST_MISMATCH: 422,
  POST_UNSEEN: 422,
  PRICE_MISSING: 503,
  PROTOCOL_UNKNOWN: 400,
  RATE_LIMITED: 429,
  RECIPIENT_REFUSES: 403,
  REQUEST_CHAIN_WRONG: 400,
  REQUEST_MALFORMED: 400,
  REQUEST_TOO_SLOW: 408,
  ROUTE_NOT_FOUND: 404,
  SEARCH_INVALID: 400,
  SESSION_REFUSED: 422,
  SESSION_REQUIRED: 403,
  SESSION_USED: 409,
  SIGNATURE_WRONG: 422,
  SINCE_INVALID: 400,
  SORT_UNKNOWN: 400,
  STATE_UNKNOWN: 400,
  STOPPING: 503,
  STORE_FULL: 507,
  STORE_UNREACHABLE: 503,
  STORE_NOT_WRITABLE: 503,
  STREAMS_FULL: 503,
  TAG_INVALID: 400,
  TASK_AMOUNT_MALFORMED: 400,
  TASK_IDS_DIFFER: 400,
  TASK_ID_MALFORMED: 400,
  TASK_ID_REQUIRED: 400,
  TASK_ID_REPEATED: 400,
  TASK_MARKETS_DIFFER: 400,
  TASK_NOT_FOUND: 404,
  TASK_NUMBER_MALFORMED: 400,
  TASK_UNKNOWN: 422,
  TIER_FREE: 400,
  TIER_REQUIRED: 400,
  TIER_UNKNOWN: 400,
  TOK_NOT_ALLOWED: 422,
  TOO_MANY_IDS: 400,
  TX_HASH_MALFORMED: 400,
  WALLET_NOT_DEPLOYED: 422,
  UPLOAD_CUT: 400,
  WALLET_REQUEST_DECIDED: 409,
  WALLET_REQUEST_KIND: 422,
  WALLET_REQUEST_NOT_FOUND: 404,
  WALLET_REQUEST_NOT_YOURS: 403,
  WITHHELD: 451,
};

export function statusOf(code: ErrorCode): number {
  return statuses[code] ?? 500;
}

export type ErrorReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Logs what is not in the table, with its cause; the client gets a fixed text. */
export function buildErrorReply(
  error: unknown,
  request: IncomingMessage,
  requestId: string,
  log: Pick<AppLog, 'error'>,
): ErrorReply {
  const known: SvcError | null = error instanceof SvcError ? error : fromFastify(error);
  const status = known === null ? undefined : statuses[known.code];
  if (known === null || status === undefined)
    log.error({ requestId, path: pathOf(request.url ?? ''), error }, 'request failed');
  const shown = known === null || status === undefined ? new SvcError('INTERNAL', {}) : known;
  const retryAfter = findRetryAfter(shown);
  const { headers, body } = findMissingPage(shown, request) ?? buildErrorBody(shown, request.headers.accept);
  return {
    status: statusOf(shown.code),
    headers: {
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...headers,
    },
    body,
  };
}

/** The error's own figure, or a moment for what passes without anyone's help. */
function findRetryAfter({ code, details }: SvcError): number | undefined {
  if (typeof details.retryAfterSeconds === 'number') return details.retryAfterSeconds;
  return statusOf(code) === 503 && code !== 'CHAT_NOT_CONFIGURED' ? 2 : undefined;
}

/** Refusals of Fastify as our errors. */
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

export type ErrorBody = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** RFC 9457 for clients that ask for it, with `error` and `code` kept; everyone else gets `{error, code}`. */
export function buildErrorBody(error: SvcError, accept: string | undefined): ErrorBody {
  // The reason behind an unreachable chain names our providers; clients get the fact alone.
  const { message, code } = error.code === 'CHAIN_UNREACHABLE' ? new SvcError('NOT_READY', {}) : error;
  const more = { code, ...pickMembers(error) };
  if (!accept?.includes('application/problem+json')) {
    return {
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ error: message, ...more }),
    };
  }
  const status = statusOf(error.code);
  const problem = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    error: message,
    ...more,
  };
  return {
    headers: { 'Content-Type': 'application/problem+json; charset=utf-8' },
    body: JSON.stringify(problem),
  };
}

/** Details that clients act on. A client that has reached its posting limit gets its quota (Spec 7). */
const membersOf: Partial<Record<ErrorCode, readonly string[]>> = {
  ENVELOPE_REFUSED: ['reason'],
  PLACE_GAP: ['head'],
  PLACE_TAKEN: ['head'],
  POSTING_LIMIT: ['quota'],
};

function pickMembers({ code, details }: SvcError): Record<string, unknown> {
  return Object.fromEntries((membersOf[code] ?? []).map((name) => [name, details[name]]));
}

const missingPage: ErrorBody = {
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': documentPolicy,
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept',
  },
  body: renderDocument(
    'No page here · svc',
    html`<main id="content" class="alone"><h1>There is no page here</h1>
<p class="lead">The address may be mistyped, or the page has moved. These are the pages of this site.</p>
<ul><li><a href="/">Start</a>: what this market is, and how to begin</li>
<li><a href="/market.html">Market</a>: open tasks, and every task by its id</li>
<li><a href="/my.html">My work</a>: what needs you now</li>
<li><a href="/messages.html">Messages</a>: questions, offers and agreements</li>
<li><a href="/leaderboard.html">Leaderboard</a>: who delivers and who judges</li>
<li><a href="/market-health.html">Health</a>: what was paid, completed and disputed, week by week</li>
<li><a href="/treasury-dashboard.html">Treasury</a>: collateral of every agent, and the Union vault</li>
<li><a href="/docs">Guides</a>, and the <a href="/docs/api">API</a> for programs</li></ul></main>`,
  ),
};

/** Paths of the API: programs ask for them and always get `{error}`. */
const apiPaths = /^\/(api|v1)(\/|$)/;

/** A page for a browser that asks for one; null for every other client. */
function findMissingPage(
  { code }: SvcError,
  { method, url = '', headers }: IncomingMessage,
): ErrorBody | null {
  if (code !== 'ROUTE_NOT_FOUND' || !isRead(method) || apiPaths.test(pathOf(url))) return null;
  const { accept = '' } = headers;
  return /text\/html/i.test(accept) && !/json/i.test(accept) ? missingPage : null;
}
