// Checks fields from outside, a query's or a body's, by a schema that speaks in the error table's sentences.

import { type ErrorCode, errorMessages, SvcError } from '@svc/sdk/domain';
import type { z } from 'zod';

/** Throws the first mistake, in the order of the schema's fields; `explain` words one that has no sentence there. */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: object,
  explain: (mistake: Mistake) => SvcError = () => new SvcError('REQUEST_MALFORMED', {}),
): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [mistake] = parsed.error.issues as unknown as [Mistake];
  const code = codes.get(mistake.message);
  throw code === undefined ? explain(mistake) : new SvcError(code, {} as never);
}

export type Mistake = { readonly message: string; readonly path: readonly PropertyKey[] };

/** The schemas speak in the table's sentences; this leads back from a sentence to its code. */
const codes = new Map(
  Object.entries(errorMessages).map(([code, text]) => [text as string, code as ErrorCode]),
);
