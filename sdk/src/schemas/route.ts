// The description of one route, and what routes share.
import type * as z from 'zod';
import { type ErrorCode, isErrorCode } from '../domain/errors.ts';
import { noQuerySchema } from './queries.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The groups of routes, in the order of the contract. */
export const routeTags = {
  Market: 'Tasks of a market.',
  Timeline: 'What happened to a task, event by event.',
  Wallets: 'One wallet’s part in a market.',
  Posting: 'How many tasks a wallet may post a day, and plans for more.',
  Chat: 'A language model behind this server.',
  Following: 'Changes as a stream.',
  Boards: 'Agents, arbitrators, deposits and fees.',
  Claiming: 'Receipts and the claims they authorise.',
  Requests: 'Requests to the owner of a wallet.',
  Sessions: 'A wallet proves once that it is the caller.',
  Files: 'Files of the work, by the hash of their bytes.',
  Messages: 'A mailbox for signed messages between wallets.',
  Profiles: 'What wallets say about themselves, and who has which skill.',
  Notifications: 'Where a wallet is told what concerns it.',
  Listings: 'Work for which a poster wants proposals.',
  Site: 'This contract.',
  Operation: 'For operators.',
} as const;
type RouteTag = keyof typeof routeTags;

export type Body = {
  readonly description: string;
  readonly contentType: string;
  /** Null for texts and bytes without a schema. */
  readonly schema: z.ZodType | null;
  /** The same body in the v1 shape, where there is one. */
  readonly earlier?: z.ZodType;
  /** Absent for JSON replies, whose examples the builder of the contract gets. */
  readonly example?: unknown;
};

/** What a request carries: one JSON object, or bytes. */
export type RequestBody = Omit<Body, 'contentType'> & {
  /** Default: application/json. */
  readonly contentType?: string;
  /** Whether its text is checked by the use case, so that only its content type can be wrong. */
  readonly isText?: boolean;
  readonly example: unknown;
};

export type Sample = {
  readonly label: string;
  /** Path and query. */
  readonly path: string;
  /** The JSON body. */
  readonly body?: unknown;
  /** The file whose bytes are the body. */
  readonly file?: string;
  /** Whether the reply is a stream. */
  readonly isStream?: boolean;
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
  /** Default: post for a route with a body, get for every other one. */
  readonly method?: Method;
  /** Whether the request needs a session, as `Authorization: Bearer <token>`. */
  readonly needsSession?: boolean;
  readonly body?: RequestBody;
  readonly reply: Body;
  /** The same reply as a stream, for requests with `Accept: text/event-stream`. */
  readonly streamed?: Body;
  /** Answers with 201. */
  readonly isCreated?: boolean;
  /** Bodies of other statuses that hold more than an error. */
  readonly others?: Readonly<Partial<Record<202 | 402 | 409 | 429 | 503, Body>>>;
  /** Whether the reply has an ETag, so that If-None-Match works and 304 is possible. */
  readonly isConditional?: boolean;
  /** Whether replies carry RateLimit headers. */
  readonly isLimited?: boolean;
  /** Whether the client repeats it after a lost answer: what it names is done once. */
  readonly mayRepeat?: boolean;
  /** Whether an Idempotency-Key names what is made. */
  readonly takesKey?: boolean;
  readonly errors: readonly ErrorCode[];
  readonly samples: readonly Sample[];
};

export function methodOf(route: Route): Method {
  return route.method ?? (route.body === undefined ? 'get' : 'post');
}

export type Routes = Readonly<Record<string, Route>>;

/** The contract of one server. */
export type Api = {
  readonly title: string;
  readonly summary: string;
  /** What holds for all routes, in Markdown. */
  readonly about: string;
  readonly tags: Readonly<Partial<Record<RouteTag, string>>>;
  readonly routes: Routes;
};

/** A route as its file describes it. The errors of its fields, its key and its session are added. */
type RouteDraft = Omit<Route, 'tag' | 'query' | 'errors' | 'samples'> & {
  /** Default: no parameters. */
  readonly query?: z.ZodObject;
  readonly errors?: readonly ErrorCode[];
  /** Default: one request without parameters, with the example of its body. */
  readonly samples?: readonly Sample[];
};

type Defined<Draft extends RouteDraft> = Draft &
  Pick<Route, 'tag' | 'errors' | 'samples'> & {
    readonly query: Draft extends { readonly query: infer Query } ? Query : typeof noQuerySchema;
  };

/** The routes of one subject. */
export function defineRoutes<const Drafts extends Readonly<Record<string, RouteDraft>>>(
  tag: RouteTag,
  drafts: Drafts,
) {
  const routes = Object.entries<RouteDraft>(drafts).map(([name, draft]) => [
    name,
    { query: noQuerySchema, samples: [usualSample(draft)], ...draft, tag, errors: listErrors(draft) },
  ]);
  return Object.fromEntries(routes) as { readonly [Name in keyof Drafts]: Defined<Drafts[Name]> };
}

function usualSample({ path, summary: label, body }: RouteDraft): Sample {
  return { label, path, ...(body && { body: body.example }) };
}

/** Reads of one subject whose replies have an ETag. */
export function defineReads<const Drafts extends Readonly<Record<string, RouteDraft>>>(
  tag: RouteTag,
  drafts: Drafts,
) {
  const reads = Object.entries(drafts).map(([name, draft]) => [name, { ...draft, isConditional: true }]);
  return defineRoutes<Drafts>(tag, Object.fromEntries(reads));
}

function listErrors(draft: RouteDraft): ErrorCode[] {
  const { params, query, body, takesKey, needsSession, errors = [] } = draft;
  const codes = [
    ...(body?.isText ? (['CONTENT_TYPE_WRONG'] as const) : body?.schema ? bodyErrors : []),
    ...(takesKey ? keyErrors : []),
    ...(needsSession ? sessionErrors : []),
    ...[params, query, body?.schema, body?.earlier].flatMap((schema) => (schema ? codesOf(schema) : [])),
    ...errors,
  ];
  return [...new Set(codes)];
}

type Part = { readonly _zod: { readonly def: object } };
type Definition = {
  readonly error?: (issue: object) => unknown;
  readonly checks?: readonly Part[];
  readonly shape?: Readonly<Record<string, Part>>;
} & Readonly<Partial<Record<'innerType' | 'element' | 'in' | 'out', Part>>>;

/** The codes with which the fields of a schema refuse a value: those that `refuse` gave them. */
export function codesOf(schema: Part): ErrorCode[] {
  const {
    error,
    checks = [],
    shape = {},
    innerType,
    element,
    in: given,
    out,
  } = schema._zod.def as Definition;
  const code = error?.({});
  const parts = [...checks, ...Object.values(shape), innerType, element, given, out];
  const codes = parts.flatMap((part) => (part === undefined ? [] : codesOf(part)));
  return typeof code === 'string' && isErrorCode(code) ? [code, ...codes] : codes;
}

/** A JSON reply. Its example is in service/src/http/replyExamples.json. */
export function jsonReply<const Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, contentType: 'application/json', schema } as const;
}

/** A reply, or a request, of text or bytes. */
export function plainBody<const Type extends string>(
  description: string,
  contentType: Type,
  example: string,
) {
  return { description, contentType, schema: null, example } as const;
}

/** Errors of every read. */
export const unreadyErrors: readonly ErrorCode[] = ['NOT_READY', 'STORE_UNREACHABLE'];
/** Errors of a body before its fields are checked. */
const bodyErrors: readonly ErrorCode[] = [
  'BODY_MALFORMED',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_WRONG',
  'BODY_ENCODED',
];
/** Errors of a write that an Idempotency-Key names. */
const keyErrors: readonly ErrorCode[] = ['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED'];
/** Errors of every write to the database. */
export const storeErrors: readonly ErrorCode[] = ['STORE_UNREACHABLE', 'STORE_NOT_WRITABLE'];
/** Errors of a request with a session, which the database keeps. */
const sessionErrors: readonly ErrorCode[] = ['SESSION_REQUIRED', ...storeErrors];
export const earlierErrors: readonly ErrorCode[] = ['MARKET_NOT_IN_V1', 'PRICE_MISSING'];
