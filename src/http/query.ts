// Reads a query by its schema: the first value of a repeated parameter counts, unknown ones are ignored.
import type { z } from 'zod';
import { type ErrorCode, errorMessages, SvcError } from '#domain/errors.ts';

export function parseQueryString(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value;
  return query;
}

/** Throws the first mistake, in the order of the schema's fields. */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  const parsed = schema.safeParse({ ...(query as object) });
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message;
  const code = message === undefined ? undefined : codes.get(message);
  throw new SvcError(code ?? 'REQUEST_MALFORMED', {} as never);
}

/** The schemas speak in the table's sentences; this leads back from a sentence to its code. */
const codes = new Map(
  Object.entries(errorMessages).map(([code, text]) => [text as string, code as ErrorCode]),
);
