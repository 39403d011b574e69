// Turns zod schemas into the JSON Schema of the contract: named parts become components, queries become parameters.
import * as z from 'zod';
import type { JsonSchema, Parameter, Reference } from './openapiDocument.ts';

export type SchemaComponents = {
  /** Answers the reference to a schema that has an id, and remembers it with all that it refers to. */
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
      // Readers must expect fields that come later.
      delete jsonSchema.additionalProperties;
      const { parameter, description, examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (parameter === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      Object.assign(jsonSchema, { description, ...(parameter as object), examples });
    },
  });
  return JSON.parse(JSON.stringify(built).replaceAll('#/$defs/', '#/components/schemas/'));
}
