// Renders zod schemas as JSON Schema: components and parameters of OpenAPI, and the files of docs/schemas.
import * as z from 'zod';
import { envelopeSchema, messageTypes, payloadSchemas, signedEnvelopeSchema } from './envelope.ts';
import type { JsonSchema, Parameter, Reference } from './openapiDocument.ts';
import { termsSchema } from './terms.ts';

export type SchemaComponents = {
  /** Returns a reference to a schema with an id, and adds it and everything it refers to. */
  readonly refer: (schema: z.ZodType, io?: 'input' | 'output') => Reference;
  readonly schemas: () => Readonly<Record<string, JsonSchema>>;
};

export function createComponents(): SchemaComponents {
  const known = new Map<string, JsonSchema>();
  return {
    refer: (schema, io = 'output') => {
      const { $defs = {}, properties } = toJsonSchema(z.object({ body: schema }), io);
      for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
        known.set(name, definition);
      }
      return (properties as { body: Reference }).body;
    },
    schemas: () => Object.fromEntries([...known].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

export function buildParameters(fields: z.ZodObject, place: 'path' | 'query'): Parameter[] {
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

/** The files of docs/schemas, by name: JSON Schema 2020-12 for each message type, the envelope, the signed envelope and the terms. */
export function buildEnvelopeFiles(): ReadonlyMap<string, object> {
  const payloads = messageTypes.map((type) => [`${type}.json`, toFile(type, payloadSchemas[type])] as const);
  return new Map([
    ['envelope.json', { ...toFile('envelope', envelopeSchema), allOf: messageTypes.map(describePayload) }],
    ['signedEnvelope.json', buildSignedEnvelope()],
    ['taskTerms.json', toFile('taskTerms', termsSchema)],
    ...payloads,
  ]);
}

function describePayload(type: string) {
  return {
    if: { properties: { type: { const: type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    then: { properties: { payload: { $ref: `${type}.json` } } },
  };
}

function buildSignedEnvelope() {
  const { $defs: _, properties, ...rest } = toFile('signedEnvelope', signedEnvelopeSchema);
  return { ...rest, properties: { ...(properties as object), envelope: { $ref: 'envelope.json' } } };
}

function toFile(name: string, schema: z.ZodType): Record<string, unknown> {
  const { $schema, $ref, $defs, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  // zod renders a schema that has an id as a reference to itself; in a file of its own the schema stands at the top.
  const { [$ref?.replace('#/$defs/', '') ?? '']: own, ...parts } = $defs ?? {};
  const hasParts = Object.keys(parts).length > 0;
  return { $schema, $id: `${name}.json`, title: name, ...own, ...rest, ...(hasParts && { $defs: parts }) };
}
