// JSON-RPC over HTTP and WebSocket for the EVM in this process.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcError } from '@svc/sdk/domain';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Evm } from './evm.ts';

export type RpcServer = {
  readonly port: number;
  /** Lets the pages at these addresses call the chain. */
  readonly allowPages: (urls: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

export type RpcServerOptions = {
  readonly host: string;
  /** The first port to try; 0 lets the system choose. */
  readonly port: number;
};

type Ask = Evm['ask'];

/** Enough for a batch of the largest transactions a block takes. */
const maxBodyBytes = 16 * 1024 * 1024;
const portsTried = 100;

export async function createRpcServer(evm: Evm, { host, port }: RpcServerOptions): Promise<RpcServer> {
  const origins = new Set<string>();
  const server = createServer((request, response) => {
    serveHttp(evm, origins, request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes });
  server.on('upgrade', (request, socket, head) => {
    if (!isAllowed(request, origins))
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (client) => serveSocket(evm, client));
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    allowPages: (urls) => {
      for (const origin of urls.flatMap(listOrigins)) origins.add(origin);
    },
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Tries the following ports while one is in use. */
async function listen(server: Server, host: string, first: number): Promise<void> {
  const last = Math.min(first === 0 ? 0 : first + portsTried - 1, 65_535);
  for (let port = first; port <= last; port++) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve);
      server.listen(port, host, () => {
        server.off('error', resolve);
        resolve(undefined);
      });
    });
    if (error === undefined) return;
    if (error.code !== 'EADDRINUSE')
      throw new SvcError('CHAIN_CANNOT_LISTEN', { host, port: String(port), reason: error.message }, error);
  }
  throw new SvcError('CHAIN_NO_FREE_PORT', { host, first: String(first), last: String(last) });
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** A page on this machine has all names of this machine. */
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

function buildHeaders({ headers: { origin } }: IncomingMessage) {
  return {
    Vary: 'Origin',
    ...(origin !== undefined && {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'POST, OPTIONS',
      'Access-Control-Allow-Headers': 'Content-Type',
    }),
  };
}

async function serveHttp(
  evm: Evm,
  origins: ReadonlySet<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isAllowed(request, origins)) {
    response.writeHead(403, { Connection: 'close', 'Content-Type': 'text/plain' });
    return void response.end(
      'This chain answers programs and the pages of its market, not other web pages.\n',
    );
  }
  const headers = buildHeaders(request);
  if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end();
  if (request.method !== 'POST') {
    response.writeHead(405, { ...headers, Allow: 'POST, OPTIONS', 'Content-Type': 'text/plain' });
    return void response.end('This is a JSON-RPC server: POST a request, or open a WebSocket.\n');
  }
  const body = await readBody(request);
  if (body === undefined) return void response.writeHead(413, { ...headers, Connection: 'close' }).end();
  const answer = await answerText(evm.ask, body);
  response.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end(answer);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
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

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
