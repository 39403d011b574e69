// Builds the OpenAPI 3.1 document of a server from its routes.
import { type ErrorCode, errorMessages, findStatus } from '#domain/errors.ts';
import { eventRoutes } from './events.ts';
import { buildParameters, createComponents, type SchemaComponents } from './jsonSchema.ts';
import type {
  Example,
  MediaType,
  Method,
  OpenApiDocument,
  OpenApiRequestBody,
  Operation,
  Parameter,
  Reference,
  Response,
} from './openapiDocument.ts';
import { errorSchema, problemSchema } from './primitives.ts';
import { type Api, type Body, methodOf, type Route, type Sample } from './route.ts';

export type ContractOptions = {
  readonly version: string;
  /** The server's address in code samples. */
  readonly sampleUrl: string;
};

export function buildContract(
  { title, summary, about, tags, routes }: Api,
  { version, sampleUrl }: ContractOptions,
): OpenApiDocument {
  const components = createComponents();
  const paths: Record<string, Partial<Record<Method, Operation>>> = {};
  for (const route of Object.values(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [methodOf(route)]: buildOperation(route, components, sampleUrl),
    };
  }
  const needsSession = Object.values(routes).some((route) => route.needsSession);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary,
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      headers: pickUsedHeaders(JSON.stringify(paths)),
      schemas: components.schemas(),
      ...(needsSession && { securitySchemes: { [sessionScheme]: bearer } }),
    },
  };
}

const sessionScheme = 'session';
const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'The token of a session at this gateway; a wallet signs in with POST /v1/sessions.',
} as const;

const headers = {
  ETag: {
    description: 'A strong validator; send it as If-None-Match to get 304 while nothing has changed.',
    schema: { type: 'string' },
  },
  'Cache-Control': { description: 'How long the reply may be cached.', schema: { type: 'string' } },
  'Svc-Block': {
    description: 'The block that the reply shows.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Svc-Block-Age': {
    description: 'The age of that block in seconds.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Request-Id': {
    description: 'The id of this request in the log; an id that you send is kept.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'true where this is the answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Retry after this many seconds.',
    schema: { type: 'integer', minimum: 0 },
  },
  'PAYMENT-REQUIRED': {
    description: 'The challenge of x402 version 2 as base64 of JSON; the body is the challenge of version 1.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit: its name, and q requests in w seconds.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Requests left (r), and seconds until more are allowed (t).',
    schema: { type: 'string' },
  },
} as const;
type HeaderName = keyof typeof headers;

function pickUsedHeaders(paths: string): Partial<typeof headers> {
  const isUsed = ([name]: [string, unknown]) => paths.includes(`"#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(headers).filter(isUsed));
}

function buildOperation(route: Route, components: SchemaComponents, sampleUrl: string): Operation {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    parameters: [
      ...(route.params ? buildParameters(route.params, 'path') : []),
      ...buildParameters(route.query, 'query'),
      ...headerParameters(route),
    ],
    ...(route.needsSession && { security: [{ [sessionScheme]: [] }] }),
    ...(route.body && { requestBody: buildRequestBody(route.body, components) }),
    responses: {
      [route.isCreated ? 201 : 200]: buildReply(route, components),
      ...(route.accepted && { 202: buildOther(route.accepted, plainHeaders, components) }),
      ...(route.isConditional && {
        304: {
          description: 'Nothing has changed since the ETag in If-None-Match.',
          headers: headerRefs(conditionalHeaders),
        },
      }),
      ...(route.unpaid && { 402: buildOther(route.unpaid, challengeHeaders, components) }),
      ...(route.unready && { 503: buildOther(route.unready, plainHeaders, components) }),
      ...(route.limitReached && { 429: buildOther(route.limitReached, quotaHeaders, components) }),
      ...buildErrors([...route.errors, 'REQUEST_MALFORMED', 'INTERNAL'], route, components),
      default: buildError('Any other error, such as 405, 408, 417 or 431.', components),
    },
    'x-codeSamples': route.samples.map((sample) => ({
      lang: 'Shell',
      label: sample.label,
      source: buildCommand(route, sample, sampleUrl),
    })),
  };
}

function buildCommand(route: Route, { path, body, file, isStream }: Sample, sampleUrl: string): string {
  const method = methodOf(route);
  const words = [
    isStream ? '-N' : '',
    // curl sends a file with PUT, and data with POST.
    method === 'delete' || (method === 'put' && file === undefined) ? `-X ${method.toUpperCase()}` : '',
    route.needsSession ? '-H "Authorization: Bearer $TOKEN"' : '',
    file === undefined ? '' : `-T ${file}`,
    isStream && body !== undefined ? "-H 'Accept: text/event-stream'" : '',
    body === undefined ? '' : `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
    `'${sampleUrl}${path}'`,
  ];
  return ['curl', ...words.filter(Boolean)].join(' ');
}

function buildRequestBody(
  { description, contentType = 'application/json', schema, earlier, example }: NonNullable<Route['body']>,
  components: SchemaComponents,
): OpenApiRequestBody {
  if (schema === null)
    return { description, required: true, content: { [contentType]: { schema: { type: 'string' } } } };
  const shapes = [schema, ...(earlier ? [earlier] : [])].map((shape) => components.refer(shape, 'input'));
  const media = { schema: shapes.length > 1 ? { anyOf: shapes } : (shapes[0] as Reference), example };
  return { description, required: true, content: { [contentType]: media } };
}

const plainHeaders = ['Cache-Control', 'X-Request-Id'] as const;
const challengeHeaders = [...plainHeaders, 'PAYMENT-REQUIRED'] as const;
const limitHeaders = ['RateLimit-Policy', 'RateLimit'] as const;
const quotaHeaders = [...plainHeaders, 'Retry-After', ...limitHeaders] as const;
const conditionalHeaders = ['ETag', 'Cache-Control', 'Svc-Block', 'Svc-Block-Age', 'X-Request-Id'] as const;

function headerParameters(route: Route): Parameter[] {
  if (route.path === eventRoutes.events.path) {
    const description = 'The id of the last event you received; browsers send it automatically.';
    return [headerParameter('Last-Event-ID', description)];
  }
  if (route.takesKey) {
    const description =
      'A UUID, or 16 to 128 other visible characters. A request that is repeated with its key is done once and gets the same answer, for a day.';
    return [headerParameter('Idempotency-Key', description)];
  }
  if (!route.isConditional) return [];
  return [headerParameter('If-None-Match', 'The ETag of a reply you have; 304 while that reply is current.')];
}

function headerParameter(name: string, description: string): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

function buildReply(route: Route, components: SchemaComponents): Response {
  const bodies = [route.reply, ...(route.streamed ? [route.streamed] : [])];
  const names: readonly HeaderName[] = [
    ...(route.isConditional ? conditionalHeaders : plainHeaders),
    ...(route.isLimited ? limitHeaders : []),
    ...(route.takesKey ? (['Idempotent-Replayed'] as const) : []),
  ];
  return {
    description: bodies.map(({ description }) => description).join(' '),
    headers: headerRefs(names),
    content: Object.fromEntries(bodies.map((body) => [body.contentType, buildMedia(body, components)])),
  };
}

/** A reply of another status with its own body. */
function buildOther(body: Body, names: readonly HeaderName[], components: SchemaComponents): Response {
  const content = { [body.contentType]: buildMedia(body, components) };
  return { description: body.description, headers: headerRefs(names), content };
}

function buildMedia(
  { schema, several, earlier, contentType, example }: Body,
  components: SchemaComponents,
): MediaType {
  if (schema === null) return { schema: { type: 'string' }, example };
  const reference = components.refer(schema);
  if (contentType === 'text/event-stream') {
    const data = { contentMediaType: 'application/json', contentSchema: reference };
    return { schema: { type: 'string', ...data }, example };
  }
  const others = [several, earlier].filter((other) => other !== undefined);
  if (others.length === 0) return { schema: reference, example };
  return { schema: { anyOf: [reference, ...others.map((other) => components.refer(other))] }, example };
}

/** Errors by status, with every message as an example. */
function buildErrors(
  codes: readonly ErrorCode[],
  route: Route,
  components: SchemaComponents,
): Record<string, Response> {
  const statuses = [...new Set(codes.map(findStatus))].map(String).sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const list = codes.filter((code) => String(findStatus(code)) === status);
      const examples = list.map((code) => [code, { value: { error: exampleMessage(code) } }] as const);
      const description = list.map(exampleMessage).join(' ');
      const names: HeaderName[] = status === '503' || status === '429' ? ['Retry-After'] : [];
      if (status === '429' && route.isLimited) names.push(...limitHeaders);
      return [status, buildError(description, components, Object.fromEntries(examples), names)];
    }),
  );
}

function buildError(
  description: string,
  components: SchemaComponents,
  examples?: Readonly<Record<string, Example>>,
  names: readonly HeaderName[] = [],
): Response {
  return {
    description,
    headers: headerRefs(['X-Request-Id', ...names]),
    content: {
      'application/json': { schema: components.refer(errorSchema), ...(examples && { examples }) },
      'application/problem+json': { schema: components.refer(problemSchema) },
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

function headerRefs(names: readonly HeaderName[]): Response['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
