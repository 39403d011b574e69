// Builds the OpenAPI 3.1 document of a server from its routes.
import * as z from 'zod';
import { type ErrorCode, errorMessages, findStatus } from '#domain/errors.ts';
import { eventRoutes } from './events.ts';
import { errorSchema, problemSchema } from './primitives.ts';
import { type Api, type Body, type Method, methodOf, type Route, type Sample } from './route.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;
type Reference = { readonly $ref: string };

export type MediaType = {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};

type Content = Readonly<Record<string, MediaType>>;

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Content;
};

export type Operation = ReturnType<typeof buildOperation>;
export type Parameter = Operation['parameters'][number];
export type OpenApiRequestBody = ReturnType<typeof buildRequestBody>;
export type CodeSample = Operation['x-codeSamples'][number];

export type OpenApiDocument = ReturnType<typeof buildContract>;

export type RoutedOperation = ReturnType<typeof listOperations>[number];

/** Every operation with its path and method, in the order of the document. */
export function listOperations({ paths }: Pick<OpenApiDocument, 'paths'>) {
  return Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [Method, Operation][]).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
}

export type ContractOptions = {
  readonly version: string;
  /** The server's address in code samples. */
  readonly sampleUrl: string;
  /** Examples of JSON replies, by `exampleKey`. */
  readonly examples: Readonly<Record<string, unknown>>;
};

/** What an example of a reply is filed under. */
export function exampleKey(route: Route, status: number | string): string {
  return `${methodOf(route).toUpperCase()} ${route.path} ${status}`;
}

/** The OpenAPI 3.1 document of `siteApi` or `gatewayApi`. */
export function buildContract(
  { title, summary, about, tags, routes }: Api,
  { version, sampleUrl, examples }: ContractOptions,
) {
  const schemas = new Map<string, JsonSchema>();
  const paths: Record<string, Partial<Record<Method, Operation>>> = {};
  for (const route of Object.values(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [methodOf(route)]: buildOperation(route, schemas, sampleUrl, examples) };
  }
  const needsSession = Object.values(routes).some((route) => route.needsSession);
  return {
    openapi: '3.1.0',
    info: { title, version, summary, description: about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This server' }],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      headers: pickUsedHeaders(JSON.stringify(paths)),
      schemas: Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1))),
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

const text: JsonSchema = { type: 'string' };
const count = { type: 'integer', minimum: 0 } as const;
const headers = {
  ETag: {
    description: 'A strong validator; send it as If-None-Match to get 304 while nothing has changed.',
    schema: text,
  },
  'Cache-Control': { description: 'How long the reply may be cached.', schema: text },
  'Svc-Block': { description: 'The block that the reply shows.', schema: count },
  'Svc-Block-Age': { description: 'The age of that block in seconds.', schema: count },
  'X-Request-Id': {
    description: 'The id of this request in the log; an id that you send is kept.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: 'true where this is the answer to an earlier request with the same Idempotency-Key.',
    schema: text,
  },
  'Retry-After': { description: 'Retry after this many seconds.', schema: count },
  'PAYMENT-REQUIRED': {
    description: 'The challenge of x402 version 2 as base64 of JSON; the body is the challenge of version 1.',
    schema: text,
  },
  'RateLimit-Policy': { description: 'The limit: its name, and q requests in w seconds.', schema: text },
  RateLimit: { description: 'Requests left (r), and seconds until more are allowed (t).', schema: text },
} as const;
type HeaderName = keyof typeof headers;

function pickUsedHeaders(paths: string): Partial<typeof headers> {
  const isUsed = ([name]: [string, unknown]) => paths.includes(`"#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(headers).filter(isUsed));
}

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

type Schemas = Map<string, JsonSchema>;

function buildOperation(
  route: Route,
  schemas: Schemas,
  sampleUrl: string,
  examples: ContractOptions['examples'],
) {
  const toResponse = (status: number, bodies: readonly Body[], names: readonly HeaderName[]): Response => ({
    description: bodies.map(({ description }) => description).join(' '),
    headers: headerRefs(names),
    content: Object.fromEntries(
      bodies.map((body) => [
        body.contentType,
        buildMedia({ example: examples[exampleKey(route, status)], ...body }, schemas),
      ]),
    ),
  });
  const success = route.isCreated ? 201 : 200;
  const codes = new Set<ErrorCode>([...route.errors, 'REQUEST_MALFORMED', 'INTERNAL']);
  const errors = buildErrors([...codes], route, schemas);
  const others = Object.entries(route.others ?? {}).map(([text, body]) => {
    const status = Number(text) as keyof typeof otherHeaders;
    return [status, toResponse(status, [body], otherHeaders[status])] as const;
  });
  const responses: Readonly<Record<string, Response>> = {
    [success]: toResponse(
      success,
      [route.reply, ...(route.streamed ? [route.streamed] : [])],
      [
        ...(route.isConditional ? conditionalHeaders : plainHeaders),
        ...(route.isLimited ? limitHeaders : []),
        ...(route.takesKey ? (['Idempotent-Replayed'] as const) : []),
      ],
    ),
    ...(route.isConditional && {
      304: {
        description: 'Nothing has changed since the ETag in If-None-Match.',
        headers: headerRefs(conditionalHeaders),
      },
    }),
    ...errors,
    ...Object.fromEntries(
      others.map(([status, response]) => [status, mergeResponses(errors[status], response)]),
    ),
    default: buildError('Any other error, such as 405, 408, 417 or 431.', schemas),
  };
  return {
    operationId: route.operationId,
    tags: [route.tag] as readonly [string],
    summary: route.summary,
    description: route.description,
    parameters: [
      ...(route.params ? buildParameters(route.params, 'path') : []),
      ...buildParameters(route.query, 'query'),
      ...headerParameters(route),
    ],
    ...(route.needsSession && { security: [{ [sessionScheme]: [] }] }),
    ...(route.body && { requestBody: buildRequestBody(route.body, schemas) }),
    responses,
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
  schemas: Schemas,
) {
  const media =
    schema === null ? { schema: text } : { schema: referAny([schema, earlier], schemas, 'input'), example };
  return { description, required: true, content: { [contentType]: media } };
}

function headerParameters(route: Route) {
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
  return [
    headerParameter('If-None-Match', 'The ETag of a reply you have; 304 while that reply is current.'),
    headerParameter('Svc-At-Least-Block', 'Not before this block.'),
  ];
}

function headerParameter(name: string, description: string) {
  return { name, in: 'header', required: false, description, schema: text };
}

function buildMedia({ schema, earlier, contentType, example }: Body, schemas: Schemas): MediaType {
  if (schema === null) return { schema: text, example };
  if (contentType !== 'text/event-stream') return { schema: referAny([schema, earlier], schemas), example };
  const contentSchema = referAny([schema], schemas);
  return { schema: { ...text, contentMediaType: 'application/json', contentSchema }, example };
}

/** A status whose body may hold more than an error, and its errors. */
function mergeResponses(error: Response | undefined, other: Response): Response {
  if (error === undefined) return other;
  const json = 'application/json';
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
function buildErrors(codes: readonly ErrorCode[], route: Route, schemas: Schemas): Record<string, Response> {
  const statuses = [...new Set(codes.map(findStatus))].map(String).sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const list = codes.filter((code) => String(findStatus(code)) === status);
      const examples = list.map((code) => [code, { value: { error: exampleMessage(code), code } }] as const);
      const description = list.map(exampleMessage).join(' ');
      const names: HeaderName[] = status === '503' || status === '429' ? ['Retry-After'] : [];
      if (status === '429' && route.isLimited) names.push(...limitHeaders);
      return [status, buildError(description, schemas, Object.fromEntries(examples), names)];
    }),
  );
}

function buildError(
  description: string,
  schemas: Schemas,
  examples?: MediaType['examples'],
  names: readonly HeaderName[] = [],
): Response {
  return {
    description,
    headers: headerRefs(['X-Request-Id', ...names]),
    content: {
      'application/json': { schema: referAny([errorSchema], schemas), ...(examples && { examples }) },
      'application/problem+json': { schema: referAny([problemSchema], schemas) },
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

/** A reference to these schemas, of which any fits. Adds them, and everything they refer to, to the components. */
function referAny(
  shapes: readonly (z.ZodType | undefined)[],
  schemas: Schemas,
  io: 'input' | 'output' = 'output',
): JsonSchema {
  const references = shapes.flatMap((shape) => {
    if (shape === undefined) return [];
    const { $defs = {}, properties } = toJsonSchema(z.object({ body: shape }), io);
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>))
      schemas.set(name, definition);
    return [(properties as { body: Reference }).body];
  });
  return references.length === 1 ? (references[0] as Reference) : { anyOf: references };
}

function buildParameters(fields: z.ZodObject, place: 'path' | 'query') {
  const { properties = {}, required = [] } = toJsonSchema(fields, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description: String(description),
    schema,
  }));
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const built = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // Clients must accept fields that are added later.
      delete jsonSchema.additionalProperties;
      const { parameter, description, examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (parameter === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      Object.assign(jsonSchema, { description, ...(parameter as object), examples });
    },
  });
  return JSON.parse(JSON.stringify(built).replaceAll('#/$defs/', '#/components/schemas/'));
}
