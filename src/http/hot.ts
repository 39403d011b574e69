// Answers hot reads by their exact URL before the router sees them.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sendReady } from './conditional.ts';
import type { ReadContext } from './read.ts';

export type HotOptions = {
  readonly context: Pick<ReadContext, 'ready' | 'stamp'>;
  readonly requestIdOf: (request: IncomingMessage) => string;
  readonly onHit: (request: IncomingMessage, response: ServerResponse, requestId: string) => void;
};

/** What is in `ready` was validated when it was made, so its URL needs no second look. */
export function answerHot(
  { context, requestIdOf, onHit }: HotOptions,
  next: RequestListener,
): RequestListener {
  const { ready, stamp } = context;
  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const reply = isRead ? ready.find(request.url as string) : undefined;
    if (reply === undefined) return next(request, response);
    const requestId = requestIdOf(request);
    onHit(request, response, requestId);
    sendReady(request, response, reply, stamp, requestId);
  };
}
