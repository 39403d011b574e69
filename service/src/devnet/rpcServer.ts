// JSON-RPC over HTTP and WebSocket for the EVM in this process.

import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isTooDeep } from '@svc/sdk/internal/domain/canonical';
import { type FastifyInstance, fastify } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { OperatorError } from '../errors/operatorError.ts';
import type { Evm } from './evm.ts';

export type RpcServer = Awaited<ReturnType<typeof createRpcServer>>;

type Ask = Evm['ask'];

/** Enough for a batch of the largest transactions a block takes. */
const maxBodyBytes = 16 * 1024 * 1024;
const portsTried = 100;

/** `port` is the first one to try; 0 lets the system choose. */
export async function createRpcServer(
  evm: Evm,
  { host, port }: { readonly host: string; readonly port: number },
) {
  const origins = new Set<string>();
  const app = createApp(evm, origins);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes });
  app.server.on('upgrade', (request, socket, head) => {
    if (!isAllowed(request, origins))
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (client) => serveSocket(evm, client));
  });
  await listen(app, host, port);
  return {
    port: (app.server.address() as AddressInfo).port,
    /** Lets the pages at these addresses call the chain. */
    allowPages: (urls: readonly string[]): void => {
      for (const origin of urls.flatMap(listOrigins)) origins.add(origin);
    },
    close: async (): Promise<void> => {
      for (const client of sockets.clients) client.terminate();
      await app.close();
    },
  };
}

function createApp(evm: Evm, origins: ReadonlySet<string>): FastifyInstance {
  const app = fastify({ bodyLimit: maxBodyBytes, forceCloseConnections: true });
  app.addHook('onRequest', async ({ raw, headers: { origin } }, reply) => {
    if (!isAllowed(raw, origins))
      return reply
        .code(403)
        .headers({ Connection: 'close', 'Content-Type': 'text/plain' })
        .send('This chain answers programs and the pages of its market, not other web pages.\n');
    reply.header('Vary', 'Origin');
    if (origin !== undefined)
      reply.headers({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'POST, OPTIONS',
        'Access-Control-Allow-Headers': 'Content-Type',
      });
  });
  // The body is JSON, whatever its content type says.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
  app.post<{ Body: string | undefined }>('*', async ({ body }, reply) => {
    const answer = await answerText(evm.ask, body ?? '');
    return reply
      .code(answer === tooDeep ? 400 : 200)
      .type('application/json')
      .send(answer);
  });
  app.options('*', (_, reply) => reply.code(204).send());
  app.setNotFoundHandler((_, reply) =>
    reply
      .code(405)
      .headers({ Allow: 'POST, OPTIONS', 'Content-Type': 'text/plain' })
      .send('This is a JSON-RPC server: POST a request, or open a WebSocket.\n'),
  );
  return app;
}

/** Tries the following ports while one is in use. */
async function listen(app: FastifyInstance, host: string, first: number): Promise<void> {
  const last = Math.min(first === 0 ? 0 : first + portsTried - 1, 65_535);
  for (let port = first; port <= last; port++) {
    try {
      return void (await app.listen({ host, port }));
    } catch (error) {
      const { code, message: reason } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE')
        throw new OperatorError('CHAIN_CANNOT_LISTEN', { host, port: String(port), reason }, error);
    }
  }
  throw new OperatorError('CHAIN_NO_FREE_PORT', { host, first: String(first), last: String(last) });
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** A page on this machine can be opened under each name of this machine. */
function listOrigins(url: string): string[] {
  const { origin, protocol, hostname, port } = new URL(url);
  if (!loopbackNames.includes(hostname)) return [origin];
  return loopbackNames.map((name) => new URL(`${protocol}//${name}:${port}`).origin);
}

/**
 * A caller of the chain can spend from its accounts and move its clock, so web pages may not, except ours. Programs
 * send no Origin. Wallet extensions send their own, which no page can. Another Host is a name that was made to point here.
 */
function isAllowed(
  { headers: { host = '', origin } }: IncomingMessage,
  origins: ReadonlySet<string>,
): boolean {
  if (!loopbackNames.includes(host.replace(/:\d+$/, '').toLowerCase())) return false;
  return origin === undefined || origins.has(origin) || /^[a-z-]+-extension:\/\//.test(origin);
}

/** A socket receives its own subscriptions only, and they end when it closes. */
function serveSocket(evm: Evm, socket: WebSocket): void {
  const subscriptions = new Set<string>();
  const removeListener = evm.onNotification((params) => {
    if (!subscriptions.has(params.subscription)) return;
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
  });
  const ask: Ask = async (method, params) => {
    const answer = await evm.ask(method, params);
    const { result } = method.endsWith('subscribe') ? JSON.parse(answer) : {};
    if (method === 'eth_subscribe' && typeof result === 'string') subscriptions.add(result);
    if (method === 'eth_unsubscribe' && result === true) subscriptions.delete((params as string[])[0] ?? '');
    return answer;
  };
  socket.on('message', async (data) => {
    const answer = await answerText(ask, String(data));
    if (socket.readyState === socket.OPEN) socket.send(answer);
  });
  socket.on('close', () => {
    removeListener();
    for (const id of subscriptions) void evm.ask('eth_unsubscribe', [id]);
  });
  // A failed connection also emits `close`.
  socket.on('error', () => {});
}

async function answerText(ask: Ask, text: string): Promise<string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return failure(null, -32_700, 'Parse error');
  }
  if (isTooDeep(parsed)) return tooDeep;
  if (!Array.isArray(parsed)) return await answerOne(ask, parsed);
  if (parsed.length === 0) return failure(null, -32_600, 'Invalid request');
  return `[${(await Promise.all(parsed.map((one) => answerOne(ask, one)))).join(',')}]`;
}

async function answerOne(ask: Ask, request: unknown): Promise<string> {
  if (typeof request !== 'object' || request === null) return failure(null, -32_600, 'Invalid request');
  const { id = null, method, params = [] } = request as Record<string, unknown>;
  if (typeof method !== 'string') return failure(id, -32_600, 'Invalid request');
  try {
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${(await ask(method, params)).slice(1)}`;
  } catch (error) {
    return failure(id, -32_603, error instanceof Error ? error.message : String(error));
  }
}

const tooDeep = failure(null, -32_600, 'Invalid request: it is nested too deeply');

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
