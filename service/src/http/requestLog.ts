// The id of the current request, and one line in the log for each: what was asked and how it ended, never a header, a body
// or a query.
import { AsyncLocalStorage } from 'node:async_hooks';
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

const current = new AsyncLocalStorage<string>();

export function inRequest(requestId: string, work: () => void): void {
  current.run(requestId, work);
}

/** For log lines, statements and questions to the chain that a request causes; undefined in background work. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
