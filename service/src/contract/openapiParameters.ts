// The parameters of a route in an OpenAPI document: of its path, its query and its headers.

import { eventRoutes } from '@svc/sdk/internal/schemas/events';
import type { Route } from '@svc/sdk/internal/schemas/route';
import type * as z from 'zod';
import { type JsonSchema, toJsonSchema } from './openapiSchemas.ts';

export type Parameter = ReturnType<typeof buildParameters>[number];

export function buildParameters(route: Route) {
  const headers = Object.entries(listHeaders(route)).map(([name, description]) => ({
    name,
    in: 'header' as const,
    required: false,
    description,
    schema: text,
  }));
  return [
    ...(route.params ? readFields(route.params, 'path') : []),
    ...readFields(route.query, 'query'),
    ...headers,
  ];
}

const text: JsonSchema = { type: 'string' };

function readFields(fields: z.ZodObject, place: 'path' | 'query') {
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

/** What each header that a client may send is for. */
function listHeaders({ path, takesKey, isConditional }: Route): Readonly<Record<string, string>> {
  if (path === eventRoutes.events.path)
    return { 'Last-Event-ID': 'The id of the last event you received; browsers send it automatically.' };
  if (takesKey)
    return {
      'Idempotency-Key':
        'A UUID, or 16 to 128 other visible characters. It names what is made: the same key from the same network makes nothing twice, and gets what there is.',
    };
  if (!isConditional) return {};
  return {
    'If-None-Match': 'The ETag of a reply you have; 304 while that reply is current.',
    'Svc-At-Least-Block': 'Not before this block.',
  };
}
