// Answers hot reads by their exact URL before the router sees them.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sendReady } from './conditional.ts';
import { blockHeaders, type ReadContext } from './read.ts';

/** What is in `ready` was validated when it was made, so its URL needs no second look. */
export function answerHot(context: ReadContext, onHit: () => void, next: RequestListener): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const reply = isRead ? context.ready.find(request.url as string) : undefined;
    if (reply === undefined) return next(request, response);
    onHit();
    sendReady(request, response, reply, blockHeaders(context));
  };
}
