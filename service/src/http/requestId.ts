// The id that ties a request, its answer and its lines in the log together.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A proxy's id is taken over; anything that could disturb a log is not. */
const shape = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Unique by its first part among processes, by its second within this one. */
export function createRequestIds(): (request: IncomingMessage) => string {
  const prefix = `${randomBytes(6).toString('base64url')}.`;
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    return typeof given === 'string' && shape.test(given) ? given : prefix + (count++).toString(36);
  };
}
