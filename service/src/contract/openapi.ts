// Builds the OpenAPI 3.1 document of a server from its routes.

import { type Api, type Method, methodOf, type Route, type Sample } from '@svc/sdk/internal/schemas/route';
import { buildParameters } from './openapiParameters.ts';
import {
  buildRequestContent,
  buildResponses,
  pickUsedHeaders,
  type ReplyExamples,
} from './openapiResponses.ts';
import { type ComponentSchemas, createComponentSchemas } from './openapiSchemas.ts';

export type Operation = ReturnType<typeof buildOperation>;
export type OpenApiRequestBody = NonNullable<Operation['requestBody']>;
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
  readonly examples: ReplyExamples;
};

/** The OpenAPI 3.1 document of `siteApi` or `gatewayApi`. */
export function buildContract(
  { title, summary, about, tags, routes }: Api,
  { version, ...options }: ContractOptions,
) {
  const schemas = createComponentSchemas();
  const paths: Record<string, Partial<Record<Method, Operation>>> = {};
  for (const route of Object.values(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [methodOf(route)]: buildOperation(route, schemas, options) };
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
      schemas: schemas.list(),
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

function buildOperation(
  route: Route,
  schemas: ComponentSchemas,
  { sampleUrl, examples }: Omit<ContractOptions, 'version'>,
) {
  const { operationId, tag, summary, description, body } = route;
  return {
    operationId,
    tags: [tag] as readonly [string],
    summary,
    description,
    parameters: buildParameters(route),
    ...(route.needsSession && { security: [{ [sessionScheme]: [] }] }),
    ...(body && {
      requestBody: {
        description: body.description,
        required: true,
        content: buildRequestContent(body, schemas),
      },
    }),
    responses: buildResponses(route, schemas, examples),
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
