// The body of a POST in and its answer out: JSON both ways, and never kept by anybody in between.

import { SvcError, toShown } from '@svc/sdk/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { parseFields } from './fields.ts';

/** Type, size and syntax have been looked at before (app.ts); here the fields are. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  // Nothing at all lacks its first field, which is a better answer than that it is nothing.
  const fields = body ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new SvcError('BODY_INVALID', { reason: 'it must be a JSON object' });
  return parseFields(schema, fields, ({ path, message }) => {
    const field = path.map(String).join('.');
    const reason = message.replace(/\.$/, '');
    return new SvcError('BODY_INVALID', { reason: toShown(field === '' ? reason : `${field}: ${reason}`) });
  });
}

export function sendJson(request: FastifyRequest, reply: FastifyReply, value: object): FastifyReply {
  return reply
    .header('X-Request-Id', request.id)
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value));
}
