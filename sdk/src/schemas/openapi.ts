// Builds the OpenAPI 3.1 contract from the table of routes.
import { type ErrorCode, errorMessages } from '#domain/errors.ts';
import type { Api } from './api.ts';
import { errorSchema, problemSchema } from './errors.ts';
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
import type { Body, Route, Sample } from './route.ts';
import { followingRoutes } from './routes/following.ts';

export type ContractOptions = {
  readonly version: string;
  /** The server's address in examples. */
  readonly sampleUrl: string;
  /** Which status each code is answered with. */
  readonly statusOf: (code: ErrorCode) => number;
};

export function buildContract(
  { title, summary, about, tags, routes }: Api,
  { version, sampleUrl, statusOf }: ContractOptions,
): OpenApiDocument {
  const components = createComponents();
  const paths = Object.values(routes).map((route) => [
    route.path.replace(/:(\w+)/g, '{$1}'),
    { [methodOf(route)]: buildOperation(route, components, statusOf, sampleUrl) },
  ]);
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
    paths: Object.fromEntries(paths),
    components: { headers: pickUsed(JSON.stringify(paths)), schemas: components.schemas() },
  };
}

function methodOf(route: Route): Method {
  return route.body === undefined ? 'get' : 'post';
}

const headers = {
  ETag: {
    description: 'Strong; send it as If-None-Match to learn whether anything has changed.',
    schema: { type: 'string' },
  },
  'Cache-Control': { description: 'How long the answer may be kept.', schema: { type: 'string' } },
  'Svc-Block': {
    description: 'The block that the answer shows.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Svc-Block-Age': {
    description: 'The age of that block in seconds.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Request-Id': {
    description: 'Names this request in the log; the one you send is taken over.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Try again after this many seconds.',
    schema: { type: 'integer', minimum: 0 },
  },
  'PAYMENT-REQUIRED': {
    description: 'The challenge of x402 version 2, base64 of JSON; that of version 1 is the body.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit: its name, how many (q) in how many seconds (w).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of the limit (r), and after how many seconds there is more (t).',
    schema: { type: 'string' },
  },
} as const;
type HeaderName = keyof typeof headers;

function pickUsed(paths: string): Partial<typeof headers> {
  const isUsed = ([name]: [string, unknown]) => paths.includes(`"#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(headers).filter(isUsed));
}

function buildOperation(
  route: Route,
  components: SchemaComponents,
  statusOf: ContractOptions['statusOf'],
  sampleUrl: string,
): Operation {
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
    ...(route.body && { requestBody: buildRequestBody(route.body, components) }),
    responses: {
      [route.isCreated ? 201 : 200]: buildReply(route, components),
      ...(route.isConditional && {
        304: {
          description: 'Nothing has changed since the ETag that If-None-Match names.',
          headers: headerRefs(conditionalHeaders),
        },
      }),
      ...(route.unpaid && { 402: buildOther(route.unpaid, challengeHeaders, components) }),
      ...(route.unready && { 503: buildOther(route.unready, plainHeaders, components) }),
      ...(route.limitReached && { 429: buildOther(route.limitReached, quotaHeaders, components) }),
      ...buildRefusals([...route.errors, 'REQUEST_MALFORMED', 'INTERNAL'], route, components, statusOf),
      default: buildRefusal('Any other refusal, such as 405, 408, 417 or 431.', components),
    },
    'x-codeSamples': route.samples.map((sample) => ({
      lang: 'Shell',
      label: sample.label,
      source: buildCommand(sample, sampleUrl),
    })),
  };
}

function buildCommand({ path, body, isStream }: Sample, sampleUrl: string): string {
  const words = [
    isStream ? '-N' : '',
    isStream && body !== undefined ? "-H 'Accept: text/event-stream'" : '',
    body === undefined ? '' : `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
    `'${sampleUrl}${path}'`,
  ];
  return ['curl', ...words.filter(Boolean)].join(' ');
}

function buildRequestBody(
  { description, schema, earlier, example }: NonNullable<Route['body']>,
  components: SchemaComponents,
): OpenApiRequestBody {
  const shapes = [schema, ...(earlier ? [earlier] : [])].map((shape) => components.refer(shape, 'input'));
  const media = { schema: shapes.length > 1 ? { anyOf: shapes } : (shapes[0] as Reference), example };
  return { description, required: true, content: { 'application/json': media } };
}

const plainHeaders = ['Cache-Control', 'X-Request-Id'] as const;
const challengeHeaders = [...plainHeaders, 'PAYMENT-REQUIRED'] as const;
const limitHeaders = ['RateLimit-Policy', 'RateLimit'] as const;
const quotaHeaders = [...plainHeaders, 'Retry-After', ...limitHeaders] as const;
const conditionalHeaders = ['ETag', 'Cache-Control', 'Svc-Block', 'Svc-Block-Age', 'X-Request-Id'] as const;

function headerParameters(route: Route): Parameter[] {
  if (route === followingRoutes.events) {
    const description = 'The id of the last event you have seen; browsers send it by themselves.';
    return [headerParameter('Last-Event-ID', description)];
  }
  if (!route.isConditional) return [];
  return [
    headerParameter('If-None-Match', 'The ETag of the answer you have; 304 if it is still the right one.'),
  ];
}

function headerParameter(name: string, description: string): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

function buildReply(route: Route, components: SchemaComponents): Response {
  const bodies = [route.reply, ...(route.streamed ? [route.streamed] : [])];
  const names = route.isConditional ? conditionalHeaders : plainHeaders;
  return {
    description: bodies.map(({ description }) => description).join(' '),
    headers: headerRefs(route.isLimited ? [...names, ...limitHeaders] : names),
    content: Object.fromEntries(bodies.map((body) => [body.contentType, buildMedia(body, components)])),
  };
}

/** An answer with a status and a body of its own. */
function buildOther(body: Body, names: readonly HeaderName[], components: SchemaComponents): Response {
  const content = { [body.contentType]: buildMedia(body, components) };
  return { description: body.description, headers: headerRefs(names), content };
}

function buildMedia(
  { schema, earlier, contentType, example }: Body,
  components: SchemaComponents,
): MediaType {
  if (schema === null) return { schema: { type: 'string' }, example };
  const reference = components.refer(schema);
  if (contentType === 'text/event-stream') {
    const data = { contentMediaType: 'application/json', contentSchema: reference };
    return { schema: { type: 'string', ...data }, example };
  }
  if (earlier === undefined) return { schema: reference, example };
  return { schema: { anyOf: [reference, components.refer(earlier)] }, example };
}

/** Refusals by status; the examples name every sentence that may come. */
function buildRefusals(
  codes: readonly ErrorCode[],
  route: Route,
  components: SchemaComponents,
  statusOf: ContractOptions['statusOf'],
): Record<string, Response> {
  const byStatus = Object.groupBy(codes, statusOf);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, list = []]) => {
      const examples = list.map((code) => [code, { value: { error: sentenceOf(code) } }] as const);
      const description = list.map(sentenceOf).join(' ');
      const names: HeaderName[] = status === '503' || status === '429' ? ['Retry-After'] : [];
      if (status === '429' && route.isLimited) names.push(...limitHeaders);
      return [status, buildRefusal(description, components, Object.fromEntries(examples), names)];
    }),
  );
}

function buildRefusal(
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

/** Examples for the words that a sentence leaves open. */
const openWords: Readonly<Record<string, string>> = {
  market: 'micro',
  seconds: '12',
  reason: 'it was reverted',
  have: '1',
  need: '3',
};

function sentenceOf(code: ErrorCode): string {
  return errorMessages[code].replace(/\{(\w+)\}/g, (whole, name: string) => openWords[name] ?? whole);
}

function headerRefs(names: readonly HeaderName[]): Response['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
