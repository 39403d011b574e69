// What every server of svc shares: listening on a port, its address, signals, and a shutdown that fails no request.

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../errors/operatorError.ts';
import { loadLaterParts } from '../http/laterParts.ts';

export type ListenOptions = {
  /** Named in the error when the port cannot be used. */
  readonly server: 'site' | 'gateway';
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How many ports are tried, from that one on. */
  readonly portsTried: number;
};

export async function listenOnFree(app: FastifyInstance, options: ListenOptions): Promise<void> {
  const { server, host, port, portsTried } = options;
  const last = port === 0 ? 0 : Math.min(port + portsTried - 1, 65_535);
  for (let tried = port; ; tried++) {
    try {
      await app.listen({ host, port: tried });
      return void loadLaterParts();
    } catch (error) {
      const { code, message: reason } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && tried < last) continue;
      throw new OperatorError('SERVER_CANNOT_LISTEN', { server, host, port: String(tried), reason }, error);
    }
  }
}

export type ListenFailure = { readonly host: string; readonly port: string; readonly reason: string };

/** Resolves to the port in use. `explain` makes the error for a port that cannot be used. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  explain: (details: ListenFailure, cause: Error) => OperatorError,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(explain({ host, port: String(port), reason: error.message }, error)),
    );
    server.listen(port, host, resolve);
  });
  return portOf(server);
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export function formatUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Where a client on this machine reaches the server. A wildcard host is no address to connect to. Remembered, because a
 * server that is closing has no port any more while it answers the last requests.
 */
export function rememberUrl(app: () => FastifyInstance, host: string): () => string {
  let url: string | undefined;
  return () => {
    url ??= formatUrl(host === '0.0.0.0' || host === '::' ? 'localhost' : host, portOf(app().server));
    return url;
  };
}

/** Aborts at the first signal, with its name as the reason. A second signal ends the process at once. */
export function watchSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort(signal);
    });
  }
  return controller.signal;
}

/** The returned promise resolves at the abort. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * What a start waits for may never come: a database, a chain, another process. A signal ends the process then. All that it has
 * written is whole, as after a crash.
 */
export async function untilStarted<T>(stop: AbortSignal, starting: Promise<T>): Promise<T> {
  const end = () => process.exit(0);
  stop.addEventListener('abort', end);
  return starting.finally(() => stop.removeEventListener('abort', end));
}

type Serving = {
  /** Lets another process follow the chain, and reports the server as not ready. */
  readonly drain: () => void;
  readonly drainSeconds: number;
  /** Finishes requests in progress and closes everything. */
  readonly close: () => Promise<void>;
};

/** Open connections are closed after ten seconds. A database that does not answer must not delay the end for longer. */
const longestShutdownMs = 20_000;

/**
 * Serves until the signal. After SIGTERM, which service managers send, it keeps answering for `drainSeconds` while
 * reporting that it is not ready, so that load balancers stop sending requests. After Ctrl-C it ends at once.
 */
export async function serveUntil(stop: AbortSignal, { drain, drainSeconds, close }: Serving): Promise<void> {
  await untilAborted(stop);
  drain();
  if (stop.reason === 'SIGTERM' && drainSeconds > 0) await sleep(drainSeconds * 1_000);
  const timer = setTimeout(() => process.exit(1), longestShutdownMs);
  await close();
  clearTimeout(timer);
}
