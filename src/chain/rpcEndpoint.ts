// One RPC endpoint over HTTP: asked only after it has shown that it serves the right chain.
import { SvcError } from '#domain/errors.ts';
import type { Hash } from '#domain/task.ts';

export type Endpoint = {
  /** Host and port: nothing of a URL's path, query or credentials ever reaches a message. */
  readonly name: string;
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>;
};

export type EndpointOptions = {
  readonly url: string;
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly timeoutMs: number;
};

/** A revert or a malformed question: the node understood and said no, so asking elsewhere would not help. */
const refusalCodes: ReadonlySet<number> = new Set([3, -32600, -32602]);

/** A whole answer may be a page of hundreds of tasks; more than this is no honest one. */
const maxAnswerBytes = 64 * 1024 * 1024;

export function createEndpoint({ url, chainId, genesisHash, timeoutMs }: EndpointOptions): Endpoint {
  const name = new URL(url).host;
  let checked: Promise<void> | null = null;
  let nextId = 1;

  async function post(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params });
    const response = await fetch(stripCredentials(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization(url) },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: Error) => {
      throw new Error(`${name} does not answer (${error.name})`);
    });
    if (Number(response.headers.get('content-length') ?? 0) > maxAnswerBytes) {
      throw new Error(`${name} answers too much`);
    }
    const answer = (await response.json().catch(() => null)) as RpcAnswer | null;
    if (answer?.error) throw toError(name, answer.error);
    if (!response.ok) throw new Error(`${name} answers ${response.status}`);
    if (answer === null || answer.result === undefined)
      throw new Error(`${name} does not answer in JSON-RPC`);
    return answer.result;
  }

  /** A node behind the same URL may be replaced by another chain's; after each failure it has to show itself again. */
  async function check(): Promise<void> {
    const id = await post('eth_chainId', []);
    if (Number(id) !== chainId) throw new Error(`${name} serves chain ${Number(id)}, not ${chainId}`);
    const genesis = (await post('eth_getBlockByNumber', ['0x0', false])) as { hash?: unknown } | null;
    if (genesis?.hash !== genesisHash) throw new Error(`${name} serves another chain with the same id`);
  }

  return {
    name,
    ask: async (method, params) => {
      checked ??= check();
      try {
        await checked;
        return await post(method, params);
      } catch (error) {
        if (!isRefusal(error)) checked = null;
        throw error;
      }
    },
  };
}

export function isRefusal(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'CHAIN_REFUSED';
}

type RpcAnswer = {
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: unknown };
};

function toError(name: string, { code = 0, message = '', data }: NonNullable<RpcAnswer['error']>): Error {
  if (refusalCodes.has(code)) return new SvcError('CHAIN_REFUSED', { reason: message, data });
  return new Error(`${name} fails with code ${code}`);
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
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
