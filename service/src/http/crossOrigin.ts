// What pages of other origins may do. Ours instead of @fastify/cors, which answers OPTIONS for paths without a route and
// cannot say in Allow which methods a path takes.
import { receiptHeader } from '../contract/claiming.ts';

export type Headers = Readonly<Record<string, string>>;

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with Fastify's own
  interface FastifyContextConfig {
    /** `read` unless given. */
    readonly crossOrigin?: CrossOrigin;
  }
}

/**
 * - `read`: any page may read by GET and HEAD, and nothing else.
 * - `call`: any page may call it: a browser never adds the token or the payment on its own.
 * - `none`: for the pages of this server only.
 */
export type CrossOrigin = 'read' | 'call' | 'none';

export const anyOrigin: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, Svc-Block, Svc-Block-Age, Svc-Unknown-Parameters, X-Request-Id, Content-Length, Content-Range, RateLimit, ' +
    'RateLimit-Policy, Retry-After, PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, ' +
    'Mcp-Session-Id, WWW-Authenticate',
};

const preflightSeconds = '86400';

// A star does not cover Authorization.
const sentHeaders =
  'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, PAYMENT-SIGNATURE, X-PAYMENT, SIGN-IN-WITH-X, ' +
  `${receiptHeader}, Access-Control-Expose-Headers, ` +
  // Of the Model Context Protocol.
  'Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name';

export function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The headers of an answer; set before the body is read, so that pages can read errors about it as well. */
export function buildCorsHeaders(method: string, policy: CrossOrigin = 'read'): Headers {
  return policy === 'call' || (policy === 'read' && isRead(method)) ? anyOrigin : {};
}

/** The headers of an answer to OPTIONS. */
export function buildPreflightHeaders(
  wanted: string,
  methods: readonly string[],
  policy: CrossOrigin = 'read',
): Headers {
  const granted = { ...anyOrigin, 'Access-Control-Max-Age': preflightSeconds };
  if (policy === 'call')
    return {
      ...granted,
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': sentHeaders,
    };
  if (policy === 'none' || !methods.includes('GET') || !isRead(wanted)) return {};
  return {
    ...granted,
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': '*',
  };
}
