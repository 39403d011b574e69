// Fields from outside, a query's or a body's, checked by a schema whose messages are error codes.
import { SvcError } from '@svc/sdk/domain';
import { isErrorCode } from '@svc/sdk/internal/domain/errors';
import { toShown } from '@svc/sdk/internal/domain/text';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** What the schema of a route reads; undefined where the route has none. */
export type Fields<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Path and query of a request, as its route describes them. */
export function parseUrl<R extends { readonly params?: z.ZodObject; readonly query: z.ZodObject }>(
  { params, query }: R,
  request: Pick<FastifyRequest, 'params' | 'query'>,
) {
  return {
    params: (params && parseQuery(params, request.params)) as Fields<R['params']>,
    query: parseQuery(query, request.query) as z.output<R['query']>,
  };
}

/** Unknown parameters are ignored; reads name them in a header (reads.ts). Of two values none can be told to be the one that is meant. */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, query: unknown): z.output<Schema> {
  const given = query as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(schema.shape))
    if (Object.hasOwn(given, name) && Array.isArray(given[name]))
      throw new SvcError('PARAMETER_REPEATED', { name });
  return parseFields(schema, given, () => new SvcError('REQUEST_MALFORMED', {}));
}

/** Type, size and syntax are checked by the application (app.ts). */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  // An absent body counts as {}, so that the error names the first missing field.
  const fields = body ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new SvcError('BODY_INVALID', { reason: 'it must be a JSON object' });
  return parseFields(schema, fields, ({ path, message }) => {
    const field = path.map(String).join('.');
    const reason = message.replace(/\.$/, '');
    return new SvcError('BODY_INVALID', { reason: toShown(field === '' ? reason : `${field}: ${reason}`) });
  });
}

type Issue = { readonly message: string; readonly path: readonly PropertyKey[] };

/** Throws the first mistake, in the order of the schema's fields; `explain` words one without an error code. */
function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: object,
  explain: (issue: Issue) => SvcError,
): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as unknown as [Issue];
  throw isErrorCode(issue.message) ? new SvcError(issue.message, {} as never) : explain(issue);
}
