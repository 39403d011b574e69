// The schemas of an OpenAPI document: JSON Schema from zod, and those that several routes share as components.
import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type ComponentSchemas = ReturnType<typeof createComponentSchemas>;

export function createComponentSchemas() {
  const schemas = new Map<string, JsonSchema>();
  return {
    /** A reference to these schemas, of which any fits. They, and everything they refer to, become components. */
    refer: (shapes: readonly (z.ZodType | undefined)[], io: 'input' | 'output' = 'output'): JsonSchema => {
      const references = shapes.flatMap((shape) => {
        if (shape === undefined) return [];
        const { $defs = {}, properties } = toJsonSchema(z.object({ body: shape }), io);
        for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>))
          schemas.set(name, definition);
        return [(properties as { readonly body: JsonSchema }).body];
      });
      return references.length === 1 ? (references[0] as JsonSchema) : { anyOf: references };
    },
    /** All of them, by name. */
    list: () => Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const built = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // Clients must accept fields that are added later. An object of any names has to say so: programs that generate types
      // write one without names as an empty object.
      const hasNames = Object.keys(jsonSchema.properties ?? {}).length > 0;
      if (jsonSchema.type === 'object' && !hasNames) jsonSchema.additionalProperties ??= {};
      if (hasNames || jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      const { parameter, description, examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (parameter === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      Object.assign(jsonSchema, { description, ...(parameter as object), examples });
    },
  });
  return JSON.parse(JSON.stringify(built).replaceAll('#/$defs/', '#/components/schemas/'));
}
