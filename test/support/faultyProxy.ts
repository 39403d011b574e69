// A JSON-RPC proxy that misbehaves on demand, in the ways of real providers.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Fault =
  | 'none'
  | 'down'
  | 'slow'
  | 'silent'
  | 'wrong chain id'
  | 'other genesis'
  | 'null results'
  | 'truncated logs'
  | 'no logs'
  | 'logs refused'
  | 'plan logs alone'
  | 'too many requests'
  | 'server errors'
  | 'garbage'
  | 'batches refused'
  | 'lagging'
  | 'every second answer four blocks behind'
  | '25 calls a second, 500 blocks, batches of 10'
  | 'flapping';

export type FaultyProxy = {
  readonly url: string;
  readonly setFault: (fault: Fault) => void;
  readonly requests: () => number;
  /** How many requests were refused because there were too many. */
  readonly limited: () => number;
  readonly close: () => void;
};

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };
type Answer = { id: unknown; result?: unknown; error?: unknown };

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let fault: Fault = 'none';
  let requests = 0;
  const limiter = createLimiter(25);
  const server = createServer(async (request, response) => {
    requests++;
    const body = await text(request);
    // One request is served well, the next one not.
    const now =
      fault === 'flapping' ? ((['none', 'down', 'server errors'] as const)[requests % 3] as Fault) : fault;
    if (now === '25 calls a second, 500 blocks, batches of 10' && !limiter.take(countCalls(body)))
      return void response.writeHead(429, { 'retry-after': '1' }).end();
    if (now === 'every second answer four blocks behind' && requests % 2 === 0)
      return void (await serve(target, 'lagging', body, response).catch(() => response.destroy()));
    try {
      await serve(target, now, body, response);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setFault: (next) => {
      fault = next;
      // Requests that still wait for the silent endpoint get no reply.
      server.closeAllConnections();
    },
    requests: () => requests,
    limited: limiter.refused,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function serve(target: string, fault: Fault, body: string, response: ServerResponse): Promise<void> {
  const calls = JSON.parse(body) as Call | Call[];
  if (fault === 'down') return void response.destroy();
  if (fault === 'silent') return;
  if (fault === 'too many requests') return void response.writeHead(429).end('{"message":"slow down"}');
  if (fault === 'server errors') return void response.writeHead(503).end('<html>503</html>');
  if (fault === 'garbage') return void response.end('{"jsonrpc":"2.0","id":1,"res');
  if (fault === 'batches refused' && Array.isArray(calls)) {
    return void response.writeHead(400).end('{"error":{"code":-32600,"message":"no batches here"}}');
  }
  if (fault.includes('batches of 10') && Array.isArray(calls) && calls.length > 10)
    return void response.writeHead(413).end('{"error":{"code":-32600,"message":"batch too large"}}');
  if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 60));
  const asked = fault === 'lagging' ? await lag(target, calls) : calls;
  const answers = (await forward(target, asked)) as Answer | Answer[];
  const lied = Array.isArray(calls)
    ? (answers as Answer[]).map((answer, at) => lie(fault, calls[at] as Call, answer))
    : lie(fault, calls, answers as Answer);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(lied));
}

function lie(fault: Fault, { method, params }: Call, answer: Answer): Answer {
  if (answer.result === undefined) return answer;
  if (fault === 'null results') return { ...answer, result: null };
  if (fault === 'wrong chain id' && method === 'eth_chainId') return { ...answer, result: '0x1' };
  if (fault === 'other genesis' && method === 'eth_getBlockByNumber' && params[0] === '0x0') {
    return { ...answer, result: { ...(answer.result as object), hash: `0x${'0b'.repeat(32)}` } };
  }
  if (method !== 'eth_getLogs') return answer;
  if (isRefused(fault, params[0] as LogFilter)) {
    return { id: answer.id, error: { code: -32_005, message: 'query exceeds max block range' } };
  }
  const logs = answer.result as unknown[];
  if (fault === 'no logs') return { ...answer, result: [] };
  if (fault === 'truncated logs') return { ...answer, result: logs.slice(0, Math.floor(logs.length / 2)) };
  return answer;
}

type LogFilter = { readonly fromBlock?: string; readonly toBlock?: string; readonly topics?: unknown };

/** A bucket of one second of calls. */
function createLimiter(perSecond: number) {
  let free = perSecond;
  let at = performance.now();
  let refused = 0;
  return {
    take: (calls: number): boolean => {
      const now = performance.now();
      free = Math.min(perSecond, free + ((now - at) / 1_000) * perSecond);
      at = now;
      if (free < calls) {
        refused++;
        return false;
      }
      free -= calls;
      return true;
    },
    refused: () => refused,
  };
}

/** Of some hundred blocks of history, nine at once; without topics nothing, so that no history comes into rows. */
function isRefused(fault: Fault, { fromBlock, toBlock, topics }: LogFilter): boolean {
  if (fault === 'logs refused') return true;
  if (fault.includes('500 blocks')) return Number(toBlock) - Number(fromBlock) >= 500;
  return fault === 'plan logs alone' && (topics === undefined || Number(toBlock) - Number(fromBlock) > 8);
}

/** A node that is four blocks behind and does not know it: it has no later block, and no log or state of one. */
async function lag(target: string, calls: Call | Call[]): Promise<Call | Call[]> {
  const { result } = (await forward(target, { id: 1, method: 'eth_blockNumber', params: [] })) as Answer;
  const head = Number(result) - 4;
  const newest = (await forward(
    target,
    [0, 1, 2, 3].map((back) => ({
      id: back,
      method: 'eth_getBlockByNumber',
      params: [`0x${(Number(result) - back).toString(16)}`, false],
    })),
  )) as Answer[];
  const unknown = new Set(newest.map(({ result }) => (result as { hash?: string } | null)?.hash));
  const shift = (call: Call): Call => {
    const [first] = call.params as [string | { toBlock?: string }];
    if (call.method === 'eth_getBlockByNumber') {
      if (first === 'latest') return { ...call, params: [`0x${head.toString(16)}`, false] };
      if (Number(first) > head) return { ...call, params: ['0xffffffff', false] };
    }
    if (call.method === 'eth_getLogs' && typeof first === 'object' && Number(first.toBlock) > head) {
      return { ...call, params: [{ ...first, toBlock: `0x${head.toString(16)}` }] };
    }
    const at = call.params.find((value) => (value as { blockHash?: string } | null)?.blockHash !== undefined);
    const hash = (at as { blockHash?: string } | undefined)?.blockHash;
    if (hash !== undefined && unknown.has(hash))
      return { ...call, params: withUnknownHash(call.params, hash) };
    return call;
  };
  return Array.isArray(calls) ? calls.map(shift) : shift(calls);
}

function withUnknownHash(params: readonly unknown[], hash: string): unknown[] {
  return JSON.parse(JSON.stringify(params).replaceAll(hash, `0x${'0f'.repeat(32)}`)) as unknown[];
}

function countCalls(body: string): number {
  const calls = JSON.parse(body) as unknown;
  return Array.isArray(calls) ? calls.length : 1;
}

async function forward(target: string, calls: unknown): Promise<unknown> {
  const list = (Array.isArray(calls) ? calls : [calls]).map((call) => ({ jsonrpc: '2.0', ...call }));
  const answer = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Array.isArray(calls) ? list : list[0]),
  });
  return answer.json();
}
