// The bodies and replies of a route in an OpenAPI document: what succeeds, what else it may answer, and its errors.
import type { ErrorCode } from '@svc/sdk/domain';
import { errorMessages, findStatus } from '@svc/sdk/internal/domain/errors';
import { errorSchema, problemSchema } from '@svc/sdk/internal/schemas/primitives';
import { type Body, methodOf, type Route } from '@svc/sdk/internal/schemas/route';
import type { ComponentSchemas, JsonSchema } from './openapiSchemas.ts';

export type MediaType = {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};

export type Content = Readonly<Record<string, MediaType>>;

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
};

/** Examples of JSON replies, by `exampleKey`. */
export type ReplyExamples = Readonly<Record<string, unknown>>;

/** What an example of a reply is filed under. */
export function exampleKey(route: Route, status: number | string): string {
  return `${methodOf(route).toUpperCase()} ${route.path} ${status}`;
}

type Header = { readonly description: string; readonly schema: JsonSchema };

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const header = (description: string, schema: JsonSchema = text): Header => ({ description, schema });

/** The headers of replies. */
const headers = {
  ETag: header('A strong validator; send it as If-None-Match to get 304 while nothing has changed.'),
  'Cache-Control': header('How long the reply may be cached.'),
  'Svc-Block': header('The block that the reply shows.', count),
  'Svc-Block-Age': header('The age of that block in seconds.', count),
  'X-Request-Id': header('The id of this request in the log; an id that you send is kept.'),
  'Retry-After': header('Retry after this many seconds.', count),
  'PAYMENT-REQUIRED': header(
    'The challenge of x402 version 2 as base64 of JSON; the body is the challenge of version 1.',
  ),
  'RateLimit-Policy': header('The limit: its name, and q requests in w seconds.'),
  RateLimit: header('Requests left (r), and seconds until more are allowed (t).'),
};
type HeaderName = keyof typeof headers;

const plainHeaders = ['Cache-Control', 'X-Request-Id'] as const;
const limitHeaders = ['RateLimit-Policy', 'RateLimit'] as const;
const conditionalHeaders = ['ETag', 'Cache-Control', 'Svc-Block', 'Svc-Block-Age', 'X-Request-Id'] as const;
const otherHeaders = {
  202: plainHeaders,
  402: [...plainHeaders, 'PAYMENT-REQUIRED'],
  409: plainHeaders,
  429: [...plainHeaders, 'Retry-After', ...limitHeaders],
  503: plainHeaders,
} as const;

export function buildResponses(
  route: Route,
  schemas: ComponentSchemas,
  examples: ReplyExamples,
): Readonly<Record<string, Response>> {
  const toResponse = (status: number, bodies: readonly Body[], names: readonly HeaderName[]): Response => ({
    description: bodies.map(({ description }) => description).join(' '),
    headers: referHeaders(names),
    content: Object.fromEntries(
      bodies.map((body) => [
        body.contentType,
        buildMedia({ example: examples[exampleKey(route, status)], ...body }, schemas),
      ]),
    ),
  });
  const success = route.isCreated ? 201 : 200;
  const errors = buildErrors(route, schemas);
  const others = Object.entries(route.others ?? {}).map(([text, body]) => {
    const status = Number(text) as keyof typeof otherHeaders;
    return [text, mergeResponses(errors[text], toResponse(status, [body], otherHeaders[status]))];
  });
  const successHeaders = [
    ...(route.isConditional ? conditionalHeaders : plainHeaders),
    ...(route.isLimited ? limitHeaders : []),
  ];
  const bodies = [route.reply, ...(route.streamed ? [route.streamed] : [])];
  return {
    [success]: toResponse(success, bodies, successHeaders),
    ...(route.isConditional && {
      304: {
        description: 'Nothing has changed since the ETag in If-None-Match.',
        headers: referHeaders(conditionalHeaders),
      },
    }),
    ...errors,
    ...Object.fromEntries(others),
    default: buildError('Any other error, such as 405, 408, 417 or 431.', schemas),
  };
}

function referHeaders(names: readonly HeaderName[]): Response['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Those that the paths of a document, as JSON, refer to. */
export function pickUsedHeaders(paths: string): Partial<Record<HeaderName, Header>> {
  const isUsed = ([name]: [string, unknown]) => paths.includes(`"#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(headers).filter(isUsed));
}

function buildMedia({ schema, earlier, contentType, example }: Body, { refer }: ComponentSchemas): MediaType {
  if (schema === null) return { schema: text, example };
  if (contentType !== 'text/event-stream') return { schema: refer([schema, earlier]), example };
  return {
    schema: { ...text, contentMediaType: 'application/json', contentSchema: refer([schema]) },
    example,
  };
}

export function buildRequestContent(
  { contentType = 'application/json', schema, earlier, example }: NonNullable<Route['body']>,
  { refer }: ComponentSchemas,
): Content {
  const media = schema === null ? { schema: text } : { schema: refer([schema, earlier], 'input'), example };
  return { [contentType]: media };
}

const json = 'application/json';

/** A status whose body may hold more than an error, and its errors. */
function mergeResponses(error: Response | undefined, other: Response): Response {
  if (error === undefined) return other;
  const [plain, more] = [error.content?.[json], other.content?.[json]];
  return {
    description: `${other.description} ${error.description}`,
    headers: { ...error.headers, ...other.headers },
    content: {
      ...error.content,
      ...other.content,
      ...(plain && more && { [json]: { ...more, schema: { anyOf: [more.schema, plain.schema] } } }),
    },
  };
}

/** Errors by status, with every message as an example. */
function buildErrors(route: Route, schemas: ComponentSchemas): Record<string, Response> {
  const codes = [...new Set<ErrorCode>([...route.errors, 'REQUEST_MALFORMED', 'INTERNAL'])];
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => String(findStatus(code)))].map(([status, list]) => {
      const examples = list.map((code) => [code, { value: { error: exampleMessage(code), code } }]);
      const names: HeaderName[] = status === '503' || status === '429' ? ['Retry-After'] : [];
      if (status === '429' && route.isLimited) names.push(...limitHeaders);
      const description = list.map(exampleMessage).join(' ');
      return [status, buildError(description, schemas, Object.fromEntries(examples), names)];
    }),
  );
}

function buildError(
  description: string,
  { refer }: ComponentSchemas,
  examples?: MediaType['examples'],
  names: readonly HeaderName[] = [],
): Response {
  return {
    description,
    headers: referHeaders(['X-Request-Id', ...names]),
    content: {
      [json]: { schema: refer([errorSchema]), ...(examples && { examples }) },
      'application/problem+json': { schema: refer([problemSchema]) },
    },
  };
}

/** Example values for the placeholders of error messages. */
const placeholderExamples: Readonly<Record<string, string>> = {
  market: 'micro',
  seconds: '12',
  reason: 'it was reverted',
  have: '1',
  need: '3',
};

function exampleMessage(code: ErrorCode): string {
  return errorMessages[code].replace(
    /\{(\w+)\}/g,
    (whole, name: string) => placeholderExamples[name] ?? whole,
  );
}
