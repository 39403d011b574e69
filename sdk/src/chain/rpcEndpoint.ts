// One RPC endpoint over HTTP. It is used only after it has proved that it serves the right chain, with batches where it
// supports them.
import { concat, type Hex } from 'viem';
import { isErrorOf, SvcError } from '../domain/errors.ts';
import { toShown } from '../domain/text.ts';
import { createPace } from './pace.ts';

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

export type ChainIdentity = { readonly chainId: number; readonly genesisHash: Hex };

export type Endpoint = Readonly<ReturnType<typeof createEndpoint>>;

type EndpointOptions = {
  readonly url: string;
  /** Not checked where it is not known yet. */
  readonly chain: ChainIdentity | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called for each HTTP request, with the methods in it, when its answer came or failed to. */
  readonly onAsked?: OnAsked | undefined;
};

export type OnAsked = (endpoint: string, methods: readonly string[], milliseconds: number) => void;

/** Holds how long the endpoint asked to wait; `isRate` where it limits the number of calls. */
export type Overloaded = Error & { readonly retryAfterMs: number; readonly isRate: boolean };

/** Far above the largest valid answer: a page of hundreds of tasks, or all logs of a full block. */
const maxAnswerBytes = 4 * 1024 * 1024;
const maxLogsBytes = 64 * 1024 * 1024;
/** Of all answers of an endpoint that are being read at once. */
const maxHeldBytes = 96 * 1024 * 1024;
const largestBatch = 100;
/** Parallel single calls where batches are refused. */
const parallelCalls = 8;
/** The node behind a URL may be replaced without a failure, so its chain is checked this often. */
const trustMs = 30_000;

/** Longer pauses that an endpoint asks for are cut to this. */
const longestPauseMs = 600_000;

/** The result of one call. Its error does not affect the other calls of a batch. */
type Outcome = { readonly result: unknown } | { readonly error: Error };

const identityCalls: readonly RpcCall[] = [
  { method: 'eth_chainId', params: [] },
  { method: 'eth_getBlockByNumber', params: ['0x0', false] },
];

export function createEndpoint(options: EndpointOptions) {
  const { chain, timeoutMs, signal, onAsked = () => undefined } = options;
  const name = new URL(options.url).host;
  const url = stripCredentials(options.url);
  const headers = { 'content-type': 'application/json', ...authorization(options.url) };
  let trustedUntil = 0;
  let batchSize = largestBatch;
  let nextId = 1;
  const pace = createPace();
  const held: Held = { bytes: 0 };

  type Received = { readonly status: number; readonly answer: unknown };
  type Posted = Received & { readonly sentAt: number };

  async function post(body: unknown, calls: readonly RpcCall[]): Promise<Posted> {
    if (pace.waitMs() > timeoutMs)
      throw buildOverloaded(`${name} takes no more calls for now`, pace.waitMs(), false);
    const sentAt = await pace.take(calls.length, signal);
    try {
      return { ...(await exchange(body, calls)), sentAt };
    } catch (error) {
      noteLimit(error, sentAt);
      throw error;
    } finally {
      const methods = calls.map(({ method }) => method);
      onAsked(name, methods, performance.now() - sentAt);
    }
  }

  function noteLimit(error: unknown, sentAt: number): void {
    if (isOverloaded(error) && error.isRate) pace.slowDown(sentAt, error.retryAfterMs);
  }

  function readAnswer({ status, sentAt }: Posted, method: string, answer: unknown): Outcome {
    const outcome = readOutcome(name, method, answer, status);
    if ('error' in outcome) noteLimit(outcome.error, sentAt);
    return outcome;
  }

  async function exchange(body: unknown, calls: readonly RpcCall[]): Promise<Received> {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }).catch((error: Error) => {
      const isTimeout = error.name === 'TimeoutError';
      throw Object.assign(new Error(isTimeout ? `${name} does not answer` : `no connection to ${name}`), {
        isTimeout,
      });
    });
    const { status } = response;
    if (status === 429 || status === 503) {
      void response.body?.cancel();
      throw buildOverloaded(`${name} answers HTTP ${status}`, readRetryAfter(response), status === 429);
    }
    const hasLogs = calls.some(({ method }) => method === 'eth_getLogs');
    const text = await readText(response, name, hasLogs ? maxLogsBytes : maxAnswerBytes, held);
    if (text === null && calls.some(isDivisible)) throw tooLarge();
    // A fault of the endpoint, so that the next one is asked.
    if (text === null)
      throw Object.assign(new Error(`${name} sends a too large answer`), { isOversized: true });
    return { status, answer: parseJson(text) };
  }

  async function askOne(call: RpcCall): Promise<Outcome> {
    const { method, params } = call;
    const posted = await post({ jsonrpc: '2.0', id: nextId++, method, params }, [call]);
    if (method === 'eth_getLogs' && posted.status === 413) return { error: tooLarge() };
    return readAnswer(posted, method, posted.answer);
  }

  /** Null when the endpoint refuses a batch of this size. */
  async function askBatch(calls: readonly RpcCall[]): Promise<Outcome[] | null> {
    const first = nextId;
    nextId += calls.length;
    const body = calls.map(({ method, params }, at) => ({ jsonrpc: '2.0', id: first + at, method, params }));
    const posted = await post(body, calls);
    const { status, answer } = posted;
    if (!Array.isArray(answer)) {
      if (status >= 500) throw new Error(`${name} answers HTTP ${status}`);
      return null;
    }
    const byId = new Map(answer.map((item) => [(item as { id?: unknown } | null)?.id, item]));
    return calls.map(({ method }, at) => readAnswer(posted, method, byId.get(first + at)));
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

  function checkIdentity({ chainId, genesisHash }: ChainIdentity, outcomes: readonly Outcome[]): void {
    const [id, genesis] = outcomes.map((outcome) => ('result' in outcome ? outcome.result : undefined));
    if (Number(id) !== chainId) throw new Error(`${name} serves chain ${Number(id)}, not ${chainId}`);
    if ((genesis as { hash?: unknown } | null)?.hash !== genesisHash) {
      throw new Error(`${name} serves another chain with the same id`);
    }
  }

  /** While the endpoint is not trusted, the calls are sent together with the check of its identity. */
  async function askTrusted(calls: readonly RpcCall[]): Promise<unknown[]> {
    if (chain === null || performance.now() < trustedUntil) return readResults(await askAll(calls));
    const outcomes = await askAll([...identityCalls, ...calls]);
    checkIdentity(chain, outcomes.slice(0, identityCalls.length));
    trustedUntil = performance.now() + trustMs;
    return readResults(outcomes.slice(identityCalls.length));
  }

  return {
    /** Host and port. Path, query and credentials of a URL never appear in a message. */
    name,
    /** Makes the endpoint prove its chain again before its next result is used. */
    distrust: (): void => {
      trustedUntil = 0;
    },
    /** How long a call would wait now, because the endpoint limits their number. */
    waitMs: pace.waitMs,
    /** The results in the order of the calls. One failure fails all of them. */
    ask: async (calls: readonly RpcCall[]): Promise<unknown[]> => {
      try {
        return await askTrusted(calls);
      } catch (error) {
        if (!isOverloaded(error) && !isAnswer(error)) {
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

/** Whether an endpoint, or every one of a list, did not answer in time. */
export function isTimeout(error: unknown): boolean {
  if (error instanceof SvcError) return isTimeout(error.cause);
  return error instanceof Error && 'isTimeout' in error && error.isTimeout === true;
}

function buildOverloaded(message: string, retryAfterMs: number, isRate: boolean): Overloaded {
  return Object.assign(new Error(message), { retryAfterMs, isRate });
}

function readRetryAfter({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, longestPauseMs) : 0;
}

/** The bytes that wait for the end of their answers. */
type Held = { bytes: number };

/** Null where the answer is longer, or all together are; the rest of it is not read. */
async function readText(
  response: Response,
  name: string,
  maxBytes: number,
  held: Held,
): Promise<string | null> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    void response.body?.cancel();
    return null;
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.length;
      held.bytes += part.length;
      if (bytes > maxBytes || held.bytes > maxHeldBytes) return null;
      parts.push(part);
    }
  } catch (error) {
    const reason = (error as Error).name;
    throw Object.assign(new Error(`${name} interrupts its answer (${reason})`), {
      isTimeout: reason === 'TimeoutError',
    });
  } finally {
    held.bytes -= bytes;
  }
  return new TextDecoder().decode(concat(parts));
}

/** Whether the same can be asked in smaller parts: logs of several blocks. */
function isDivisible({ method, params }: RpcCall): boolean {
  const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: unknown; toBlock?: unknown };
  return method === 'eth_getLogs' && fromBlock !== toBlock;
}

/** Whether an endpoint, or every one of a list, sent more than is read. */
export function isOversized(error: unknown): boolean {
  if (error instanceof SvcError) return isOversized(error.cause);
  return error instanceof Error && 'isOversized' in error;
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
  if (status >= 400) return { error: new Error(`${name} answers HTTP ${status}`) };
  if (result === undefined) return { error: new Error(`${name} is not a chain node`) };
  return { result };
}

export type RpcErrorAnswer = { readonly code?: number; readonly message?: string; readonly data?: unknown };

/** A revert or an invalid request: another node would answer the same. */
const refusalCodes: ReadonlySet<number> = new Set([3, -32600, -32602]);
/** Nodes share no code for a transaction that they refuse. A node with a failure of its own has this one. */
const sendingMethods: ReadonlySet<string> = new Set(['eth_sendRawTransaction', 'eth_estimateGas']);
const internalError = -32603;

/** Messages of nodes about a block they do not have: on another branch, or not there yet. */
const blockMissing =
  /\b(blocks?|header)\b.*\b(not found|unknown|missing|not canonical|cannot be found)\b|unknown block|invalid block tag/i;

/** Messages of providers about a range of logs that is too large; they share no code for it. */
const rangeTooLarge = /range|results|response size|too (many|large|big)|exceed|more than|limited to/i;
const rateLimited = /\brate\b|per (second|minute|day)|too many requests|quota|capacity|throttl/i;

/** `name` is the endpoint's, without credentials. The node's own message is repeated only when the chain refuses. */
export function explainRpcError(name: string, method: string, answer: RpcErrorAnswer): Error {
  const { code = 0, message = '', data } = answer;
  if (blockMissing.test(message)) return new SvcError('CHAIN_CHANGED', {});
  const isLimited = code === 429 || rateLimited.test(message);
  const isTooLarge = method === 'eth_getLogs' && rangeTooLarge.test(message) && !isLimited;
  if (isLimited) return buildOverloaded(`${name} limits the number of calls`, 0, true);
  const isUnsendable = sendingMethods.has(method) && code !== internalError;
  if (refusalCodes.has(code) || isTooLarge || isUnsendable) {
    return new SvcError('CHAIN_REFUSED', { reason: toShown(message), data });
  }
  return new Error(`${name} fails with code ${code}`);
}

/** Whether the chain itself answered: another endpoint would answer the same, or the block is gone. */
export function isAnswer(error: unknown): boolean {
  return isErrorOf(error, 'CHAIN_REFUSED', 'CHAIN_CHANGED');
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
