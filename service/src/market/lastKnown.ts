// A chain read that many may ask for at once: one question at a time, kept for a moment, and when the chain is slow or
// out of reach the last good answer instead.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Market, SvcError } from '@svc/sdk/domain';
import { within } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { mapMarkets } from '@svc/sdk/internal/domain/market';
import type { Database } from '../store/database.ts';
import { createFactStore } from '../store/rememberedAnswers.ts';

export type LastKnownOptions<T> = {
  readonly read: () => Promise<T>;
  readonly maxAgeMs: number;
  /** How long to wait for a newer answer if an older one is known. */
  readonly patienceMs?: number;
  /** How long to wait if none is known: a chain that never answers must not block the caller. */
  readonly longestWaitMs?: number;
  readonly load: () => Promise<T | null>;
  readonly save: (value: T) => Promise<void>;
};

const defaultPatienceMs = 300;
const defaultLongestWaitMs = 3_000;

export function createLastKnown<T>(options: LastKnownOptions<T>): () => Promise<T> {
  const { read, maxAgeMs, load, save } = options;
  const { patienceMs = defaultPatienceMs, longestWaitMs = defaultLongestWaitMs } = options;
  let value: T | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let flight: Promise<T> | null = null;
  let startedAt = 0;

  async function ask(): Promise<T> {
    const fresh = await read();
    if (JSON.stringify(fresh) !== JSON.stringify(value)) {
      value = fresh;
      // Remembering is for a later start; no answer waits for it or fails over it.
      save(fresh).catch(() => undefined);
    }
    return value as T;
  }

  /** One flight at a time; however it ends, the next one waits for the answer to grow old. */
  function fly(): Promise<T> {
    if (flight !== null) return flight;
    startedAt = performance.now();
    flight = ask().finally(() => {
      readAt = performance.now();
      flight = null;
    });
    flight.catch((error) => {
      // The known answer is invalid then, and must not be served again.
      if (isErrorOf(error, 'NOT_READY')) readAt = Number.NEGATIVE_INFINITY;
    });
    return flight;
  }

  return async () => {
    if (value !== null && performance.now() - readAt < maxAgeMs) return value;
    const fresh = fly();
    const stored = value === null ? await load().catch(() => null) : null;
    // Not before the wait is over: a fresh answer may have come meanwhile.
    value ??= stored;
    const known = value;
    if (known === null) return within(longestWaitMs, fresh.catch(failReading), giveUp);
    // Only the first caller waits for an unresponsive chain.
    const patience = startedAt + patienceMs - performance.now();
    if (patience <= 0) return known;
    return Promise.race([
      fresh.catch((error) => standIn(error, known)),
      sleep(patience, known, { ref: false }),
    ]);
  };
}

/** Rethrows NOT_READY: while the chain is being read again, the last answer is no longer true. */
function standIn<T>(error: unknown, known: T): T {
  if (isErrorOf(error, 'NOT_READY')) throw error;
  return known;
}

/** Whatever was wrong with the answer, the caller can only retry. */
function failReading(error: unknown): never {
  if (isErrorOf(error, 'CHAIN_UNREACHABLE', 'NOT_READY')) throw error;
  throw new SvcError('CHAIN_UNREACHABLE', { reason: 'it answers what it should not' }, error);
}

function giveUp(): SvcError {
  return new SvcError('CHAIN_UNREACHABLE', { reason: 'it does not answer' });
}

/** Keeps chain reads in the database, so that a restart can answer without the chain. Values must be plain JSON. */
export function createMemory(database: Database, identity: string) {
  const facts = createFactStore(database, identity);
  const remember = <T>(name: string, maxAgeMs: number, read: () => Promise<T>): (() => Promise<T>) =>
    createLastKnown({
      read,
      maxAgeMs,
      load: async () => {
        const text = await facts.loadFact(name);
        return text === null ? null : JSON.parse(text);
      },
      save: (value) => facts.saveFact(name, JSON.stringify(value)),
    });
  const rememberBoth = <T>(name: string, maxAgeMs: number, read: (market: Market) => Promise<T>) => {
    const both = mapMarkets((market) => remember(`${name}:${market}`, maxAgeMs, () => read(market)));
    return (market: Market) => both[market]();
  };
  return { remember, rememberBoth };
}
