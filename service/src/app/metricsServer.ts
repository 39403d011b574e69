// Serves the metrics of a process that has no other server: the keeper, the price publisher, the audit.
import { OperatorError } from '../errors/operatorError.ts';
import type { Metrics } from '../http/metrics.ts';
import { answerClientError, createNodeServer } from '../http/nodeServer.ts';
import { observeProcess } from './observe.ts';
import { formatUrl, type ListenFailure, listen } from './serve.ts';

/** At /metrics, and at every other path. Returns the function that closes the server. */
export async function serveMetrics(
  metrics: Metrics,
  process: string,
  host: string,
  port: number | undefined,
): Promise<() => void> {
  if (port === undefined) return () => undefined;
  const stopObserving = observeProcess(metrics);
  const server = createNodeServer(async (_, response) => {
    const text = await metrics.format();
    response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(text);
  }).on('clientError', answerClientError);
  const explain = (details: ListenFailure, cause: Error) =>
    new OperatorError('SERVER_CANNOT_LISTEN', { server: process, ...details }, cause);
  const bound = await listen(server, { host, port }, explain);
  console.error(`Metrics are at ${formatUrl(host, bound)}/metrics`);
  return () => {
    void stopObserving();
    server.closeAllConnections();
    server.close();
  };
}
