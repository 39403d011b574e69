// Answers hot reads by their exact URL before the router sees them.
import type { IncomingMessage, RequestListener } from 'node:http';
import { sendReady } from './conditional.ts';
import type { Metrics } from './metrics.ts';
import type { ReadContext } from './read.ts';
import type { RequestLog } from './requestLog.ts';

export type HotOptions = {
  readonly context: Pick<ReadContext, 'ready' | 'stamp'>;
  readonly requestIdOf: (request: IncomingMessage) => string;
  readonly metrics: Metrics;
  readonly logRequest: RequestLog;
};

/** What is in `ready` was validated when it was made, so its URL needs no second look. */
export function answerHot(
  { context, requestIdOf, metrics, logRequest }: HotOptions,
  next: RequestListener,
): RequestListener {
  const { ready, stamp } = context;
  const countHit = metrics.counter('requests', { route: 'hot' });
  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const reply = isRead ? ready.find(request.url as string) : undefined;
    if (reply === undefined) return next(request, response);
    const requestId = requestIdOf(request);
    countHit();
    logRequest(request, response, requestId);
    sendReady(request, response, reply, stamp, requestId);
  };
}
