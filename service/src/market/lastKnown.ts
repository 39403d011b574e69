// A chain read that many may ask for at once: one question at a time, kept for a moment, and when the chain is slow or
// out of reach the last good answer instead.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Market, SvcError } from '@svc/sdk/domain';
import { within } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { mapMarkets } from '@svc/sdk/internal/domain/market';
import type { Database } from '../store/database.ts';
import { createFactStore } from '../store/rememberedAnswers.ts';

/** The block that an answer shows, and its time. */
export type ShownBlock = { readonly number: bigint; readonly time: number };

/** What an answer needs of what it is made of: the block that it must show at least, and a place to say which it shows. */
export type Moment = {
  readonly atLeast: bigint;
  /** Of several the oldest counts; null where it is not known. Where none is said, it is the newest block before the reading. */
  readonly shows: (block: ShownBlock | null) => void;
};

/** A value, with the newest block of which it is certain that the chain was read then or later. */
export type Known<T> = { readonly value: T; readonly block: ShownBlock | null };

export type LastKnownOptions<T> = {
  /** What it is made of tells the moment its own block. */
  readonly read: (moment: Moment) => Promise<T>;
  /** The newest block whose rows are here. */
  readonly head: () => ShownBlock | null;
  readonly maxAgeMs: number;
  /** How long to wait for a newer answer if an older one is known. */
  readonly patienceMs?: number;
  /** How long to wait if none is known: a chain that never answers must not block the caller. */
  readonly longestWaitMs?: number;
  readonly load: () => Promise<Known<T> | null>;
  readonly save: (known: Known<T>) => Promise<void>;
};

export type Remembered<T> = (moment?: Moment) => Promise<T>;

const defaultPatienceMs = 300;
const defaultLongestWaitMs = 3_000;
/** The same value of a later block is saved again: a later start says how old it is. */
const savedEverySeconds = 60;

const anyMoment: Moment = { atLeast: 0n, shows: () => undefined };

export function createLastKnown<T>(options: LastKnownOptions<T>): Remembered<T> {
  const { read, head, maxAgeMs, load, save } = options;
  const { patienceMs = defaultPatienceMs, longestWaitMs = defaultLongestWaitMs } = options;
  let known: Known<T> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let flight: Promise<Known<T>> | null = null;
  let startedAt = 0;
  /** The time of the block that was saved last. */
  let savedAt: number | null = null;

  async function ask(): Promise<Known<T>> {
    // Taken before the chain is read: what it answers may be newer, but never older.
    const before = head();
    let said: ShownBlock | null | undefined;
    const shows = (other: ShownBlock | null) => {
      said = said === undefined ? other : older(said, other);
    };
    const fresh = await read({ atLeast: before?.number ?? 0n, shows });
    const block = said === undefined ? before : said;
    const isNew = known === null || JSON.stringify(fresh) !== JSON.stringify(known.value);
    known = { value: isNew || known === null ? fresh : known.value, block };
    // Remembering is for a later start; no answer waits for it or fails over it.
    const isLater = block !== null && (savedAt === null || block.time >= savedAt + savedEverySeconds);
    if (isNew || isLater) {
      savedAt = block?.time ?? null;
      save(known).catch(() => undefined);
    }
    return known;
  }

  /** One flight at a time; however it ends, the next one waits for the answer to grow old. */
  function fly(): Promise<Known<T>> {
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

  async function find(): Promise<Known<T>> {
    if (known !== null && performance.now() - readAt < maxAgeMs) return known;
    const fresh = fly();
    const stored = known === null ? await load().catch(() => null) : null;
    // Not before the wait is over: a fresh answer may have come meanwhile.
    known ??= stored;
    const last = known;
    if (last === null) return within(longestWaitMs, fresh.catch(failReading), giveUp);
    // Only the first caller waits for an unresponsive chain.
    const patience = startedAt + patienceMs - performance.now();
    if (patience <= 0) return last;
    return Promise.race([
      fresh.catch((error) => standIn(error, last)),
      sleep(patience, last, { ref: false }),
    ]);
  }

  /** Reads again, once a reading that began before the block is over. */
  async function findAt(atLeast: bigint): Promise<Known<T>> {
    const isLate = ({ block }: Known<T>) => atLeast > 0n && (block === null || block.number < atLeast);
    const found = known === null || !isLate(known) ? await find() : known;
    if (!isLate(found)) return found;
    const again = fly().then((next) => (isLate(next) ? fly() : next));
    const next = await within(longestWaitMs, again, giveUp).catch(() => found);
    if (isLate(next)) throw new SvcError('BLOCK_NOT_REACHED', { block: String(atLeast) });
    return next;
  }

  return async ({ atLeast, shows } = anyMoment) => {
    const { value, block } = await findAt(atLeast);
    shows(block);
    return value;
  };
}

/** The older one; null where one is not known. */
export function older(one: ShownBlock | null, other: ShownBlock | null): ShownBlock | null {
  if (one === null || other === null) return null;
  return other.number < one.number ? other : one;
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

/** A block and a value as text: JSON has no large numbers. */
type Stored<T> = {
  readonly value: T;
  readonly block: { readonly number: string; readonly time: number } | null;
};

/** Keeps chain reads in the database, so that a restart can answer without the chain. Values must be plain JSON. */
export function createMemory(database: Database, head: () => ShownBlock | null) {
  const facts = createFactStore(database);
  const remember = <T>(name: string, maxAgeMs: number, read: LastKnownOptions<T>['read']): Remembered<T> =>
    createLastKnown({
      read,
      head,
      maxAgeMs,
      load: async () => {
        const text = await facts.loadFact(nameOf(name));
        if (text === null) return null;
        const { value, block } = JSON.parse(text) as Stored<T>;
        return { value, block: block && { ...block, number: BigInt(block.number) } };
      },
      save: ({ value, block }) => {
        const stored = { value, block: block && { number: String(block.number), time: block.time } };
        return facts.saveFact(nameOf(name), JSON.stringify(stored satisfies Stored<T>));
      },
    });
  const rememberBoth = <T>(
    name: string,
    maxAgeMs: number,
    read: (market: Market, moment: Moment) => Promise<T>,
  ) => {
    const both = mapMarkets((market) =>
      remember(`${name}:${market}`, maxAgeMs, (moment) => read(market, moment)),
    );
    return (market: Market, moment?: Moment) => both[market](moment);
  };
  return { remember, rememberBoth };
}

/** Earlier versions read values without a block under the plain name. */
const nameOf = (name: string) => `${name} with its block`;
