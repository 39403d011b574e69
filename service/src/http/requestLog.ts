// One line in the log for each request: what was asked and how it ended, never a header, a body or a query.
import type { IncomingMessage, ServerResponse } from 'node:http';

export type AppLog = {
  readonly level: string;
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
};

/** Called when a request arrives; writes when its answer is out, or when the client has gone before. */
export type RequestLog = (request: IncomingMessage, response: ServerResponse, requestId: string) => void;

/** A line for each of ten thousand requests a second would cost more than answering them: they come at `debug` only. */
export function createRequestLog(log: AppLog): RequestLog {
  if (log.level !== 'debug' && log.level !== 'trace') return () => undefined;
  return (request, response, requestId) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const line = {
        requestId,
        method: request.method,
        path: pathOf(request.url ?? ''),
        status: response.statusCode,
        milliseconds: Math.round(performance.now() - startedAt),
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      log.debug(line, 'request');
    });
  };
}

/** Drops the query, because it may contain secrets. */
export function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.slice(0, 200);
}
