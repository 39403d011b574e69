// Answers hot reads before the router sees them: by their exact URL from ready bytes, or by a shortcut.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sendReady } from './conditional.ts';
import type { Metrics } from './metrics.ts';
import type { ReadContext } from './read.ts';
import type { ReadyReply } from './readyReply.ts';
import type { RequestLog } from './requestLog.ts';

/** False where the URL is not one of its own; calls back with null to leave the answer, or the refusal, to the router. */
export type Shortcut = (url: string, onReply: (reply: ReadyReply | null) => void) => boolean;

export type HotOptions = {
  readonly context: Pick<ReadContext, 'ready' | 'stamp'>;
  readonly shortcut?: Shortcut;
  readonly requestIdOf: (request: IncomingMessage) => string;
  readonly metrics: Metrics;
  readonly logRequest: RequestLog;
};

/** What is in `ready` was validated when it was made, so its URL needs no second look. */
export function answerHot(options: HotOptions, next: RequestListener): RequestListener {
  const { context, shortcut = () => false, requestIdOf, metrics, logRequest } = options;
  const { ready, stamp } = context;
  const countHit = metrics.counter('requests', { route: 'hot' });

  function answer(request: IncomingMessage, response: ServerResponse, reply: ReadyReply): void {
    const requestId = requestIdOf(request);
    countHit();
    logRequest(request, response, requestId);
    sendReady(request, response, reply, stamp, requestId);
  }

  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next(request, response);
    const url = request.url as string;
    const reply = ready.find(url);
    if (reply !== undefined) return answer(request, response, reply);
    const isTaken = shortcut(url, (fresh) =>
      fresh === null ? next(request, response) : answer(request, response, fresh),
    );
    if (!isTaken) next(request, response);
  };
}
