// A JSON-RPC proxy that misbehaves on demand, in the ways of real providers.
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { getAbiItem, toEventSelector } from 'viem';
import { paymentGatewayAbi } from '#contracts/generated/abi.ts';
import { listen } from './listen.ts';

export type Fault =
  | 'none'
  | 'down'
  | 'slow'
  | 'silent'
  | 'wrong chain id'
  | 'other genesis'
  | 'null results'
  | 'everything reverts'
  | 'no state'
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
  | 'flapping'
  | 'forged state'
  | 'duplicated logs'
  | 'shuffled logs'
  | 'altered logs'
  | 'cut logs'
  | 'impossible places'
  | 'impossible tasks'
  | 'impossible amounts'
  | 'wrong block times'
  | 'partial batches'
  | 'oversized answers'
  | 'dripping answers'
  | 'other branch';

export type FaultyProxy = {
  readonly url: string;
  readonly setFault: (fault: Fault) => void;
  readonly requests: () => number;
  /** How often a method was asked for, each call of a batch counted. */
  readonly countCalls: (method: string) => number;
  /** Calls that were let through, and requests that were refused because there were too many. */
  readonly calls: () => number;
  readonly limited: () => number;
  readonly close: () => void;
};

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };
type Answer = { id: unknown; result?: unknown; error?: unknown };

/** `latencyMs` passes before every answer, whatever the fault. */
export async function startFaultyProxy(target: string, latencyMs = 0): Promise<FaultyProxy> {
  let fault: Fault = 'none';
  let requests = 0;
  /** Which part of an answer is forged, and where the other branch begins: the same as long as the fault lasts. */
  let lasting = { place: 0, branch: null as Promise<number> | null };
  const counts = new Map<string, number>();
  let calls = 0;
  const limiter = createLimiter(25);
  const server = createServer(async (request, response) => {
    // A watcher of new blocks tries WebSocket first.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    requests++;
    const body = await text(request);
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    for (const { method } of listCalls(body)) counts.set(method, (counts.get(method) ?? 0) + 1);
    // One request is served well, the next one not.
    const now =
      fault === 'flapping' ? ((['none', 'down', 'server errors'] as const)[requests % 3] as Fault) : fault;
    if (now === '25 calls a second, 500 blocks, batches of 10' && !limiter.take(listCalls(body).length))
      return void response.writeHead(429, { 'retry-after': '1' }).end();
    calls += listCalls(body).length;
    if (now === 'every second answer four blocks behind' && requests % 2 === 0)
      return void (await serve(target, 'lagging', body, response).catch(() => response.destroy()));
    if (now === 'other branch') lasting.branch ??= readHead(target).then((head) => head - 2);
    try {
      const options = { place: lasting.place, branchFrom: (await lasting.branch) ?? 0 };
      await serve(target, now, body, response, options);
    } catch {
      response.destroy();
    }
  });
  return {
    ...(await listen(server)),
    setFault: (next) => {
      fault = next;
      lasting = { place: Math.random(), branch: null };
      // Requests that still wait for the silent endpoint get no reply.
      server.closeAllConnections();
    },
    requests: () => requests,
    countCalls: (method) => counts.get(method) ?? 0,
    calls: () => calls,
    limited: limiter.refused,
  };
}

type ServeOptions = { readonly place: number; readonly branchFrom: number };

async function serve(
  target: string,
  fault: Fault,
  body: string,
  response: ServerResponse,
  { place, branchFrom }: ServeOptions = { place: 0, branchFrom: 0 },
): Promise<void> {
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
  if (fault === 'oversized answers') return flood(response);
  const asked = fault === 'lagging' ? await lag(target, calls) : calls;
  const answers = (
    fault === 'other branch' ? await askOtherBranch(target, calls, branchFrom) : await forward(target, asked)
  ) as Answer | Answer[];
  const lied = Array.isArray(calls)
    ? (answers as Answer[]).map((answer, at) => lie(fault, calls[at] as Call, answer, place))
    : lie(fault, calls, answers as Answer, place);
  const told =
    fault === 'partial batches' && Array.isArray(lied) ? lied.slice(0, Math.ceil(lied.length / 2)) : lied;
  response.setHeader('content-type', 'application/json');
  if (fault === 'dripping answers') drip(response, JSON.stringify(told));
  else response.end(JSON.stringify(told));
}

/** More than anybody should read: blanks, which are valid JSON so far. */
function flood(response: ServerResponse): void {
  const blanks = Buffer.alloc(1024 * 1024, ' ');
  let left = 300;
  const more = () => {
    while (left-- > 0) if (!response.write(blanks)) return void response.once('drain', more);
    response.end();
  };
  more();
}

/** A byte at a time, and never the last one. */
function drip(response: ServerResponse, answer: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < answer.length - 1) response.write(answer[at++]);
  }, 100);
  response.once('close', () => clearInterval(timer));
}

/** Changes the last digit of one word, of the same one each time: it stays plausible, and two answers agree. */
function forge(hex: string, place: number): string {
  const words = Math.floor((hex.length - 2) / 64);
  if (words === 0) return hex;
  const at = 1 + 64 * (1 + Math.floor(words * place));
  return `${hex.slice(0, at)}${(Number(`0x${hex[at]}`) ^ 1).toString(16)}${hex.slice(at + 1)}`;
}

type Log = { readonly data: string; readonly topics: readonly string[]; readonly logIndex: string };

const feePaid = toEventSelector(getAbiItem({ abi: paymentGatewayAbi, name: 'AccessFeePaid' }));
const most = 'f'.repeat(64);

/** What no contract writes into a log. */
const impossible: Readonly<Partial<Record<Fault, (log: Log) => Log>>> = {
  'cut logs': (log) => ({ ...log, data: '0x' }),
  'impossible places': (log) => ({ ...log, logIndex: `0x${most}` }),
  'impossible tasks': ({ topics, ...log }) => ({
    ...log,
    topics: topics[0] === feePaid ? [...topics.slice(0, 3), `0x${most}`] : topics,
  }),
  'impossible amounts': (log) => ({
    ...log,
    data: log.topics[0] === feePaid ? `0x${most}${log.data.slice(66)}` : log.data,
  }),
};

function lie(fault: Fault, { method, params }: Call, answer: Answer, place: number): Answer {
  if (answer.result === undefined) return answer;
  if (fault === 'forged state' && method === 'eth_call')
    return { ...answer, result: forge(String(answer.result), place) };
  if (fault === 'everything reverts' && method !== 'eth_chainId' && params[0] !== '0x0')
    return { id: answer.id, error: { code: 3, message: 'execution reverted', data: '0x' } };
  if (fault === 'no state' && method === 'eth_call')
    return { id: answer.id, error: { code: -32000, message: 'missing trie node' } };
  if (fault === 'null results') return { ...answer, result: null };
  if (fault === 'wrong chain id' && method === 'eth_chainId') return { ...answer, result: '0x1' };
  if (fault === 'other genesis' && method === 'eth_getBlockByNumber' && params[0] === '0x0') {
    return { ...answer, result: { ...(answer.result as object), hash: `0x${'0b'.repeat(32)}` } };
  }
  if (fault === 'wrong block times' && /^eth_get(BlockBy|Logs$)/.test(method) && params[0] !== '0x0')
    return { ...answer, result: shiftTimes(answer.result) };
  const change = impossible[fault];
  if (change !== undefined && method === 'eth_getTransactionReceipt') {
    const receipt = answer.result as { readonly logs: readonly Log[] };
    return { ...answer, result: { ...receipt, logs: receipt.logs.map(change) } };
  }
  if (method !== 'eth_getLogs') return answer;
  if (isRefused(fault, params[0] as LogFilter)) {
    return { id: answer.id, error: { code: -32_005, message: 'query exceeds max block range' } };
  }
  const logs = answer.result as unknown[];
  if (fault === 'no logs') return { ...answer, result: [] };
  if (fault === 'truncated logs') return { ...answer, result: logs.slice(0, Math.floor(logs.length / 2)) };
  if (fault === 'duplicated logs') return { ...answer, result: logs.flatMap((log) => [log, log]) };
  if (fault === 'shuffled logs') return { ...answer, result: logs.toReversed() };
  if (change !== undefined) return { ...answer, result: (logs as Log[]).map(change) };
  if (fault === 'altered logs') {
    const altered = (logs as { data: string }[]).map((log) => ({ ...log, data: forge(log.data, place) }));
    return { ...answer, result: altered };
  }
  return answer;
}

/** Five minutes ahead, of blocks and logs alike: in order, and not far from any clock. */
function shiftTimes(found: unknown): unknown {
  if (Array.isArray(found)) return found.map(shiftTimes);
  const times = Object.entries((found ?? {}) as Record<string, string>).filter(([name]) =>
    /timestamp$/i.test(name),
  );
  const shifted = times.map(([name, time]) => [name, `0x${(Number(time) + 300).toString(16)}`]);
  return found === null ? null : { ...(found as object), ...Object.fromEntries(shifted) };
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
  const newest = await readHead(target);
  const head = newest - 4;
  const unknown = new Set(await readHashes(target, head + 1, newest));
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

async function readHead(target: string): Promise<number> {
  const { result } = (await forward(target, { id: 1, method: 'eth_blockNumber', params: [] })) as Answer;
  return Number(result);
}

async function readHashes(target: string, from: number, to: number): Promise<string[]> {
  const calls = Array.from({ length: to - from + 1 }, (_, at) => ({
    id: at,
    method: 'eth_getBlockByNumber',
    params: [`0x${(from + at).toString(16)}`, false],
  }));
  const blocks = (await forward(target, calls)) as Answer[];
  return blocks.flatMap(({ result }) => (result as { hash?: string } | null)?.hash ?? []);
}

/** A node on a branch of its own: from a block on, it has other hashes, and does not know those of the chain. */
async function askOtherBranch(target: string, calls: Call | Call[], from: number): Promise<unknown> {
  const hashes = await readHashes(target, from, (await readHead(target)) + 1);
  const twin = (hash: string) => `0xee${hash.slice(4)}`;
  let asked = JSON.stringify(calls);
  for (const hash of hashes)
    asked = asked.replaceAll(hash, `0x${'0f'.repeat(32)}`).replaceAll(twin(hash), hash);
  let answered = JSON.stringify(await forward(target, JSON.parse(asked)));
  for (const hash of hashes) answered = answered.replaceAll(hash, twin(hash));
  return JSON.parse(answered);
}

function withUnknownHash(params: readonly unknown[], hash: string): unknown[] {
  return JSON.parse(JSON.stringify(params).replaceAll(hash, `0x${'0f'.repeat(32)}`)) as unknown[];
}

/** None where it is no question, such as the handshake of a WebSocket. */
function listCalls(body: string): readonly Call[] {
  if (body === '') return [];
  const calls = JSON.parse(body) as Call | Call[];
  return Array.isArray(calls) ? calls : [calls];
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
