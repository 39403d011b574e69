// What the table of routes says of each one.
import type { z } from 'zod';
import type { ErrorCode } from '#domain/errors.ts';

export type RouteTag =
  | 'Market'
  | 'Wallets'
  | 'Posting'
  | 'Chat'
  | 'Site'
  | 'Following'
  | 'Operation'
  | 'Boards'
  | 'Claiming'
  | 'Requests';

export type Body = {
  readonly description: string;
  readonly contentType: string;
  /** Null for texts that no schema describes. */
  readonly schema: z.ZodType | null;
  /** The same answer in the earlier shape, where there is one. */
  readonly earlier?: z.ZodType;
  readonly example: unknown;
};

export type Sample = {
  readonly label: string;
  /** What follows the server's address. */
  readonly path: string;
  /** What is sent along with a POST. */
  readonly body?: unknown;
  /** Whether the answer comes bit by bit. */
  readonly isStream?: boolean;
};

/** What a POST carries: one JSON object. */
export type RequestBody = {
  readonly description: string;
  readonly schema: z.ZodType;
  /** The same in the earlier shape, where there is one. */
  readonly earlier?: z.ZodType;
  readonly example: unknown;
};

export type Route = {
  /** `:name` stands for a field of `params`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: RouteTag;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query: z.ZodObject;
  /** A route that takes a body is a POST, every other one a GET. */
  readonly body?: RequestBody;
  readonly reply: Body;
  /** The same answer bit by bit, for who asks with `Accept: text/event-stream`. */
  readonly streamed?: Body;
  /** Answered with 201. */
  readonly isCreated?: boolean;
  /** The challenge of status 402. */
  readonly unpaid?: Body;
  /** A body for the status 503 that is more than a refusal. */
  readonly unready?: Body;
  /** A body for the status 429 that is more than a refusal. */
  readonly limitReached?: Body;
  /** Ready bytes with an ETag: If-None-Match is understood, and 304 may come. */
  readonly isConditional: boolean;
  /** Whether answers carry RateLimit headers. */
  readonly isLimited?: boolean;
  readonly errors: readonly ErrorCode[];
  readonly samples: readonly Sample[];
};

export const json = 'application/json';

/** What may keep every read from being answered. */
export const unreadyErrors: readonly ErrorCode[] = ['NOT_READY', 'STORE_UNREACHABLE'];
/** What can be wrong with any body, before its fields are looked at. */
export const bodyErrors: readonly ErrorCode[] = [
  'BODY_MALFORMED',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_WRONG',
];
/** What can be wrong with a page, a wallet, or a question in the earlier shape. */
export const pageErrors: readonly ErrorCode[] = [
  'MARKET_UNKNOWN',
  'LIMIT_INVALID',
  'CURSOR_INVALID',
  ...unreadyErrors,
];
export const walletErrors: readonly ErrorCode[] = ['ADDRESS_REQUIRED', 'ADDRESS_MALFORMED'];
export const earlierErrors: readonly ErrorCode[] = ['PROTOCOL_UNKNOWN', 'MARKET_NOT_IN_V1', 'PRICE_MISSING'];
