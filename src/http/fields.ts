// Checks fields from outside, a query's or a body's, by a schema that speaks in the error table's sentences.
import type { z } from 'zod';
import { type ErrorCode, errorMessages, SvcError } from '#domain/errors.ts';

/** Throws the first mistake, in the order of the schema's fields; `explain` tells what the table has no sentence for. */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
  explain: (issue: z.core.$ZodIssue) => SvcError,
): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  const code = codes.get(issue.message);
  throw code === undefined ? explain(issue) : new SvcError(code, {} as never);
}

/** The schemas speak in the table's sentences; this leads back from a sentence to its code. */
const codes = new Map(
  Object.entries(errorMessages).map(([code, text]) => [text as string, code as ErrorCode]),
);
