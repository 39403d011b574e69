// One RPC endpoint over HTTP: asked only after it has shown that it serves the right chain, in batches where it takes
// them.
import { SvcError } from '#domain/errors.ts';
import type { Hash } from '#domain/task.ts';
import { explainRpcError, isAnswer, type RpcErrorAnswer } from './rpcError.ts';

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

export type Endpoint = {
  /** Host and port: nothing of a URL's path, query or credentials ever reaches a message. */
  readonly name: string;
  /** The results in the order of the calls. One failure fails all of them. */
  readonly ask: (calls: readonly RpcCall[]) => Promise<unknown[]>;
  /** Before the next answer is believed, the endpoint has to show its chain again. */
  readonly distrust: () => void;
};

export type EndpointOptions = {
  readonly url: string;
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** Carries how long the endpoint wants to be left alone. */
export type Overloaded = Error & { readonly retryAfterMs: number };

/** A whole answer may be a page of hundreds of tasks; more than this is no honest one. */
const maxAnswerBytes = 64 * 1024 * 1024;
const largestBatch = 100;
/** How many single calls are under way at once where batches are refused. */
const parallelCalls = 8;
/** The node behind a URL may be replaced without any failure in between. */
const trustMs = 30_000;

/** What one call came to: an error of its own does not spoil the others of a batch. */
type Outcome = { readonly result: unknown } | { readonly error: Error };

const identityCalls: readonly RpcCall[] = [
  { method: 'eth_chainId', params: [] },
  { method: 'eth_getBlockByNumber', params: ['0x0', false] },
];

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { chainId, genesisHash, timeoutMs, signal } = options;
  const name = new URL(options.url).host;
  const url = stripCredentials(options.url);
  const headers = { 'content-type': 'application/json', ...authorization(options.url) };
  let trustedUntil = 0;
  let batchSize = largestBatch;
  let nextId = 1;

  async function post(body: unknown): Promise<{ status: number; answer: unknown }> {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }).catch((error: Error) => {
      throw new Error(`${name} does not answer (${error.name})`);
    });
    if (response.status === 429 || response.status === 503) throw buildOverloaded(name, response);
    const text = await readText(response, name);
    return { status: response.status, answer: parseJson(text) };
  }

  async function askOne({ method, params }: RpcCall): Promise<Outcome> {
    const { status, answer } = await post({ jsonrpc: '2.0', id: nextId++, method, params });
    if (method === 'eth_getLogs' && status === 413) return { error: tooLarge() };
    return readOutcome(name, method, answer, status);
  }

  /** Null when the endpoint does not take a batch of this size, or none at all. */
  async function askBatch(calls: readonly RpcCall[]): Promise<Outcome[] | null> {
    const first = nextId;
    nextId += calls.length;
    const body = calls.map(({ method, params }, at) => ({ jsonrpc: '2.0', id: first + at, method, params }));
    const { status, answer } = await post(body);
    if (!Array.isArray(answer)) {
      if (status >= 500) throw new Error(`${name} answers ${status}`);
      return null;
    }
    const byId = new Map(answer.map((item) => [(item as { id?: unknown } | null)?.id, item]));
    return calls.map(({ method }, at) => readOutcome(name, method, byId.get(first + at), status));
  }

  async function askAll(calls: readonly RpcCall[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    while (outcomes.length < calls.length) {
      const rest = calls.slice(outcomes.length);
      if (batchSize < 2 || rest.length < 2) {
        outcomes.push(...(await Promise.all(rest.slice(0, parallelCalls).map(askOne))));
        continue;
      }
      const part = rest.slice(0, batchSize);
      const answers = await askBatch(part);
      if (answers === null) batchSize = Math.floor(part.length / 2);
      else outcomes.push(...answers);
    }
    return outcomes;
  }

  function checkIdentity(outcomes: readonly Outcome[]): void {
    const [id, genesis] = outcomes.map((outcome) => ('result' in outcome ? outcome.result : undefined));
    if (Number(id) !== chainId) throw new Error(`${name} serves chain ${Number(id)}, not ${chainId}`);
    if ((genesis as { hash?: unknown } | null)?.hash !== genesisHash) {
      throw new Error(`${name} serves another chain with the same id`);
    }
  }

  /** Until the endpoint is trusted, the questions travel together with the one for its identity. */
  async function askTrusted(calls: readonly RpcCall[]): Promise<unknown[]> {
    if (performance.now() < trustedUntil) return readResults(await askAll(calls));
    const outcomes = await askAll([...identityCalls, ...calls]);
    checkIdentity(outcomes.slice(0, identityCalls.length));
    trustedUntil = performance.now() + trustMs;
    return readResults(outcomes.slice(identityCalls.length));
  }

  return {
    name,
    distrust: () => {
      trustedUntil = 0;
    },
    ask: async (calls) => {
      try {
        return await askTrusted(calls);
      } catch (error) {
        if (!isAnswer(error)) {
          trustedUntil = 0;
          batchSize = largestBatch;
        }
        throw error;
      }
    },
  };
}

function readResults(outcomes: readonly Outcome[]): unknown[] {
  return outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  });
}

export function isOverloaded(error: unknown): error is Overloaded {
  return error instanceof Error && 'retryAfterMs' in error;
}

function buildOverloaded(name: string, response: Response): Error {
  void response.body?.cancel();
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : 0;
  return Object.assign(new Error(`${name} answers ${response.status}`), { retryAfterMs });
}

async function readText(response: Response, name: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > maxAnswerBytes) break;
      text += decoder.decode(part, { stream: true });
    }
  } catch (error) {
    throw new Error(`${name} breaks off its answer (${(error as Error).name})`);
  }
  // Asked for less, it may answer in a size that can be taken.
  if (bytes > maxAnswerBytes) throw tooLarge();
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readOutcome(name: string, method: string, answer: unknown, status: number): Outcome {
  const { result, error } = (answer ?? {}) as { result?: unknown; error?: RpcErrorAnswer | null };
  if (error) return { error: explainRpcError(name, method, error) };
  if (status >= 400) return { error: new Error(`${name} answers ${status}`) };
  if (result === undefined) return { error: new Error(`${name} does not answer in JSON-RPC`) };
  return { result };
}

function tooLarge(): SvcError {
  return new SvcError('CHAIN_REFUSED', { reason: 'the answer would be too large' });
}

function stripCredentials(url: string): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain.href;
}

function authorization(url: string): Record<string, string> {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const bytes = new TextEncoder().encode(pair);
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}
