// Reads a query by its schema: the first value of a repeated parameter counts, unknown ones are ignored.
import type { z } from 'zod';
import { parseFields } from './fields.ts';

export function parseQueryString(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value;
  return query;
}

export function parseQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  return parseFields(schema, { ...(query as object) });
}
