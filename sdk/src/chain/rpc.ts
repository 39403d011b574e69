// JSON-RPC over a list of endpoints, best first. A healthy one is used, and its chain is checked before its results are.
import { custom, type Hex, type Transport } from 'viem';
import type { Address } from '../domain/address.ts';
import { type BackoffOptions, backoffMs, sleep } from '../domain/backoff.ts';
import { SvcError } from '../domain/errors.ts';
import {
  type ChainIdentity,
  createEndpoint,
  type Endpoint,
  isAnswer,
  isOverloaded,
  type OnAsked,
} from './rpcEndpoint.ts';
import { callLatest, type RpcRequest } from './rpcRequests.ts';

type Answers<Requests extends readonly RpcRequest<unknown>[]> = {
  -readonly [At in keyof Requests]: Requests[At] extends RpcRequest<infer T> ? T : never;
};

export type Rpc = {
  /** One request. It is repeated at the next endpoint until one answers or all have failed several times. */
  readonly ask: <T>(request: RpcRequest<T>) => Promise<T>;
  /** Several requests to one endpoint, as a batch where it supports batches. */
  readonly askAll: <const Requests extends readonly RpcRequest<unknown>[]>(
    requests: Requests,
  ) => Promise<Answers<Requests>>;
  readonly callLatest: (call: { readonly to: Address; readonly data: Hex }) => Promise<Hex>;
  /** For clients of viem. */
  readonly transport: Transport;
  /** Makes every endpoint prove its chain again before its next result is used. */
  readonly distrust: () => void;
  /** Reports an impossible answer of the endpoint in use: another one is preferred for a while. */
  readonly blame: (reason: Error) => void;
  /** Cancels pending requests. */
  readonly close: () => void;
  readonly stats: RpcStats;
};

/** What reading needs of it. */
export type Asker = Pick<Rpc, 'ask' | 'askAll'>;

/** Several requests by name; the answers have the same names. */
export async function askNamed<Requests extends Readonly<Record<string, RpcRequest<unknown>>>>(
  { askAll }: Pick<Rpc, 'askAll'>,
  requests: Requests,
) {
  const answers = await askAll(Object.values(requests));
  const named = Object.keys(requests).map((name, at) => [name, answers[at]]);
  return Object.fromEntries(named) as { [Name in keyof Requests]: ReturnType<Requests[Name]['parse']> };
}

export type RpcStats = { requests: number; errors: number; failovers: number };

/** Without chain id and genesis hash, the endpoints are not checked. */
export type RpcOptions = (ChainIdentity | { readonly chainId?: never; readonly genesisHash?: never }) & {
  readonly urls: readonly string[];
  readonly timeoutMs?: number;
  /** How often the whole list is tried. */
  readonly rounds?: number;
  /** Called for each HTTP request, with the endpoint's name without credentials. */
  readonly onAsked?: OnAsked;
  /** Called for each failure, with the methods that were asked; with none for an answer that was impossible. */
  readonly onError?: (endpoint: string, error: Error, methods: readonly string[]) => void;
};

const betweenRounds: BackoffOptions = { firstMs: 100, longestMs: 2_000 };
/** How long an endpoint that failed is not asked while there are others. */
const afterFailure: BackoffOptions = { firstMs: 1_000, longestMs: 60_000 };

type Member = { readonly endpoint: Endpoint; failures: number; restsUntil: number };

/**
 * A JSON-RPC client over one or more endpoints, best first. It checks the chain of each, batches requests, slows down where
 * an endpoint limits their number, and asks the next one where one fails.
 *
 * @example
 * const rpc = createRpc({ urls: ['https://mainnet.base.org'] });
 */
export function createRpc(options: RpcOptions): Rpc {
  const { timeoutMs = 10_000, rounds = 3, onAsked, onError = () => undefined } = options;
  const chain = options.genesisHash === undefined ? null : options;
  const closing = new AbortController();
  const { signal } = closing;
  const members = options.urls.map(
    (url): Member => ({
      endpoint: createEndpoint({ url, chain, timeoutMs, signal, onAsked }),
      failures: 0,
      restsUntil: 0,
    }),
  );
  const stats: RpcStats = { requests: 0, errors: 0, failovers: 0 };
  let last: Member | undefined;

  /** The first endpoint that can be asked now, or else the one that can be asked first. */
  function choose(): Member {
    const now = performance.now();
    const readyAt = ({ restsUntil, endpoint }: Member) => Math.max(restsUntil, now + endpoint.waitMs());
    const ready = members.find((member) => readyAt(member) <= now);
    const chosen = ready ?? members.toSorted((left, right) => readyAt(left) - readyAt(right))[0];
    if (chosen === undefined)
      throw new SvcError('CHAIN_UNREACHABLE', { reason: 'no endpoint is configured' });
    if (last !== undefined && last !== chosen) stats.failovers++;
    last = chosen;
    return chosen;
  }

  function noteFailure(member: Member, error: Error, requests: readonly RpcRequest<unknown>[]): void {
    stats.errors++;
    const methods = new Set(requests.map(({ method }) => method));
    onError(member.endpoint.name, error, [...methods]);
    const isLimited = isOverloaded(error) && error.isRate;
    const failures = isLimited ? 0 : member.failures++;
    const rest = isOverloaded(error) ? error.retryAfterMs : 0;
    member.restsUntil = performance.now() + Math.max(rest, backoffMs(failures, afterFailure));
  }

  async function askAll(requests: readonly RpcRequest<unknown>[]): Promise<unknown[]> {
    let lastError: Error | undefined;
    const patientUntil = performance.now() + timeoutMs;
    for (let attempt = 0; attempt < members.length * rounds; attempt++) {
      if (attempt > 0 && attempt % members.length === 0)
        await sleep(backoffMs(attempt / members.length - 1, betweenRounds), signal);
      signal.throwIfAborted();
      const member = choose();
      stats.requests++;
      try {
        const results = await member.endpoint.ask(requests);
        const answers = requests.map((request, at) => request.parse(results[at]));
        member.failures = 0;
        member.restsUntil = 0;
        return answers;
      } catch (error) {
        if (isAnswer(error)) throw error;
        lastError = error as Error;
        if (signal.aborted) continue;
        noteFailure(member, lastError, requests);
        // An endpoint that limits the number of calls answers a little later, and each attempt waits for that.
        if (isOverloaded(lastError) && lastError.isRate && performance.now() < patientUntil) attempt--;
      }
    }
    throw new SvcError('CHAIN_UNREACHABLE', { reason: lastError?.message ?? 'no endpoint' }, lastError);
  }

  async function ask<T>(request: RpcRequest<T>): Promise<T> {
    const [answer] = await askAll([request]);
    return answer as T;
  }

  return {
    ask,
    askAll: askAll as Rpc['askAll'],
    callLatest: (call) => ask(callLatest(call)),
    transport: custom(
      {
        request: ({ method, params = [] }) =>
          ask({ method, params, parse: (result) => result }).catch(throwAsProvider),
      },
      // Requests are repeated above.
      { retryCount: 0 },
    ),
    distrust: () => {
      for (const { endpoint } of members) endpoint.distrust();
    },
    blame: (reason) => {
      if (last !== undefined) noteFailure(last, reason, []);
    },
    close: () => closing.abort(),
    stats,
  };
}

/** viem finds the message and the data of a refusal where wallets put them (EIP-1193). */
function throwAsProvider(error: unknown): never {
  if (!(error instanceof SvcError) || error.code !== 'CHAIN_REFUSED') throw error;
  const { reason, data } = error.details;
  throw Object.assign(new Error(String(reason)), { code: data === undefined ? -32_000 : 3, data });
}
