// Asks the chain: a list of RPC endpoints, best first, of which a healthy one is used, checked before it is believed.
import type { Address } from '#domain/address.ts';
import { type BackoffOptions, backoffMs, sleep } from '#domain/backoff.ts';
import { SvcError } from '#domain/errors.ts';
import type { Hash } from '#domain/task.ts';
import { callLatest, type Question } from './questions.ts';
import { createEndpoint, type Endpoint, isOverloaded } from './rpcEndpoint.ts';
import { isAnswer } from './rpcError.ts';

type Answers<Questions extends readonly Question<unknown>[]> = {
  -readonly [At in keyof Questions]: Questions[At] extends Question<infer T> ? T : never;
};

export type Rpc = {
  /** One question; asked of the next endpoint, after a pause, until one answers or all have failed in turn. */
  readonly ask: <T>(question: Question<T>) => Promise<T>;
  /** Several questions to one and the same endpoint, in one request where it takes batches. */
  readonly askAll: <const Questions extends readonly Question<unknown>[]>(
    questions: Questions,
  ) => Promise<Answers<Questions>>;
  readonly callLatest: (call: { readonly to: Address; readonly data: Hash }) => Promise<Hash>;
  /** Every endpoint has to show its chain again before its next answer. */
  readonly distrust: () => void;
  /** The endpoint in use has answered what cannot be true: another one is asked next, if there is one. */
  readonly blame: (reason: Error) => void;
  /** Ends what is under way. */
  readonly close: () => void;
  readonly stats: RpcStats;
};

/** What reading needs of it. */
export type Asker = Pick<Rpc, 'ask' | 'askAll'>;

export type RpcStats = { requests: number; errors: number; failovers: number };

export type RpcOptions = {
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly timeoutMs?: number;
  /** How often the whole list is tried before giving up. */
  readonly rounds?: number;
  /** Told about each failure, with the endpoint's name free of credentials. */
  readonly onError?: (endpoint: string, error: Error) => void;
};

const betweenRounds: BackoffOptions = { firstMs: 100, longestMs: 2_000 };
/** How long an endpoint that failed is not asked while there are others. */
const afterFailure: BackoffOptions = { firstMs: 1_000, longestMs: 60_000 };

type Member = { readonly endpoint: Endpoint; failures: number; restsUntil: number };

export function createRpc(options: RpcOptions): Rpc {
  const { timeoutMs = 10_000, rounds = 3, onError = () => undefined } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const members = options.urls.map(
    (url): Member => ({
      endpoint: createEndpoint({ ...options, url, timeoutMs, signal }),
      failures: 0,
      restsUntil: 0,
    }),
  );
  const stats: RpcStats = { requests: 0, errors: 0, failovers: 0 };
  let last: Member | undefined;

  /** The first in the list that is not resting; else the one that rests the shortest. */
  function choose(): Member {
    const now = performance.now();
    const rested = members.find(({ restsUntil }) => restsUntil <= now);
    const chosen = rested ?? members.toSorted((left, right) => left.restsUntil - right.restsUntil)[0];
    if (chosen === undefined)
      throw new SvcError('CHAIN_UNREACHABLE', { reason: 'no endpoint is configured' });
    if (last !== undefined && last !== chosen) stats.failovers++;
    last = chosen;
    return chosen;
  }

  function punish(member: Member, error: Error): void {
    stats.errors++;
    onError(member.endpoint.name, error);
    const rest = isOverloaded(error) ? error.retryAfterMs : 0;
    member.restsUntil = performance.now() + Math.max(rest, backoffMs(member.failures++, afterFailure));
  }

  async function askAll(questions: readonly Question<unknown>[]): Promise<unknown[]> {
    let lastError: Error | undefined;
    for (let attempt = 0; attempt < members.length * rounds; attempt++) {
      if (attempt > 0 && attempt % members.length === 0)
        await sleep(backoffMs(attempt / members.length - 1, betweenRounds), signal);
      signal.throwIfAborted();
      const member = choose();
      stats.requests++;
      try {
        const results = await member.endpoint.ask(questions);
        const answers = questions.map((question, at) => question.parse(results[at]));
        member.failures = 0;
        member.restsUntil = 0;
        return answers;
      } catch (error) {
        if (isAnswer(error)) throw error;
        lastError = error as Error;
        if (!signal.aborted) punish(member, lastError);
      }
    }
    throw new SvcError('CHAIN_UNREACHABLE', { reason: lastError?.message ?? 'no endpoint' }, lastError);
  }

  async function ask<T>(question: Question<T>): Promise<T> {
    const [answer] = await askAll([question]);
    return answer as T;
  }

  return {
    ask,
    askAll: askAll as Rpc['askAll'],
    callLatest: (call) => ask(callLatest(call)),
    distrust: () => {
      for (const { endpoint } of members) endpoint.distrust();
    },
    blame: (reason) => {
      if (last !== undefined) punish(last, reason);
    },
    close: () => closing.abort(),
    stats,
  };
}
