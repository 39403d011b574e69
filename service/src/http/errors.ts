// The one place that turns an error into a reply.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { type ErrorCode, SvcError } from '@svc/sdk/domain';
import { findStatus } from '@svc/sdk/internal/domain/errors';
import { isRead } from './crossOrigin.ts';
import { documentPolicy, html, renderDocument } from './reference/document.ts';
import { type AppLog, pathOf } from './requestLog.ts';

/** Codes that no route answers with become 500 with a fixed text. */
export function statusOf(code: ErrorCode): number {
  return findStatus(code) ?? 500;
}

/** Whether a budget is used up: of this client, or of all. */
export function isRefusal(code: ErrorCode): boolean {
  return [408, 429, 507].includes(statusOf(code)) || code === 'FILES_BUSY' || code === 'STREAMS_FULL';
}

type ErrorReply = {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Logs what is not in the table, with its cause; the client gets a fixed text. */
export function buildErrorReply(
  error: unknown,
  request: IncomingMessage,
  requestId: string,
  log: Pick<AppLog, 'info' | 'error'>,
): ErrorReply {
  const path = pathOf(request.url ?? '');
  const isCut = isCutOff(error, request);
  if (isCut) log.info({ requestId, path }, 'a body was cut off by its client');
  const known = isCut ? new SvcError('BODY_MALFORMED', {}) : toSvcError(error);
  const isKnown = isRouteError(known);
  const what = isChainFault(known) ? 'the node refused what it should answer' : 'request failed';
  if (!isKnown) log.error({ requestId, path, error }, what);
  const shown = isKnown ? known : new SvcError(isChainFault(known) ? 'NOT_READY' : 'INTERNAL', {});
  const retryAfter = findRetryAfter(shown);
  const { headers, body } = findMissingPage(shown, request) ?? buildErrorBody(shown, request.headers.accept);
  return {
    code: shown.code,
    status: statusOf(shown.code),
    headers: {
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...headers,
    },
    body,
  };
}

/** Whether routes answer with it; every other error is a fault of ours, or of a node. */
export function isRouteError(error: unknown): error is SvcError {
  return error instanceof SvcError && findStatus(error.code) !== undefined;
}

/** A refusal of the chain that a route did not expect: a node that refuses what it should answer. */
function isChainFault(error: SvcError | null): boolean {
  return error?.code === 'CHAIN_REFUSED';
}

/** The error's own figure, or a moment for what passes without anyone's help. */
function findRetryAfter({ code, details }: SvcError): number | undefined {
  if (typeof details.retryAfterSeconds === 'number') return details.retryAfterSeconds;
  return statusOf(code) === 503 && code !== 'CHAT_NOT_CONFIGURED' ? 2 : undefined;
}

/** A client that goes away before it has sent all; what it is answered nobody reads. */
function isCutOff(error: unknown, request: IncomingMessage): boolean {
  return (error as { code?: unknown } | null)?.code === 'ECONNRESET' && !request.complete;
}

/** Refusals of Fastify are ours; null for all other errors. */
function toSvcError(error: unknown): SvcError | null {
  if (error instanceof SvcError) return error;
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

type ErrorBody = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

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

/** Details that clients act on: at its posting limit a client gets its quota (docs/specification.md section 7), a wallet that is not ready its checks. */
const membersOf: Partial<Record<ErrorCode, readonly string[]>> = {
  ENVELOPE_REFUSED: ['reason'],
  NOT_READY_TO_ACT: ['readiness'],
  PLACE_GAP: ['head'],
  PLACE_GONE: ['head', 'startAt'],
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
<li><a href="/leaderboard.html">People</a>: who delivers and who judges</li>
<li><a href="/treasury-dashboard.html">Stats</a>: what was paid, completed and disputed; the deposits of every agent</li>
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
