// Reads a JSON body by its schema.
import type { z } from 'zod';
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';

/** Throws the first mistake with the path of its field. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  const message = issue?.message.replace(/\.$/, '') ?? 'it is malformed';
  throw new SvcError('BODY_INVALID', { reason: toShown(path === '' ? message : `${path}: ${message}`) });
}
