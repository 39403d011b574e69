// Keys of writes that clients may repeat. A key is reserved before its write and holds the answer after it.
import { randomBytes } from 'node:crypto';
import { SvcError } from '@svc/sdk/domain';
import type { Database } from './database.ts';
import { findRow, queryValue, removeRows, removeSome, returnsRow, updateRows } from './rows.ts';
import { raw, sql } from './sql.ts';

export type KeyedWrite = {
  /** A hash of route, caller and key. */
  readonly id: string;
  readonly caller: string;
  /** A hash of the request. */
  readonly fingerprint: string;
};

export type KeptAnswer = { readonly status: number; readonly body: string };

/** The right to do the write. Everyone who gets it for one key gets the same seed. */
export type Reservation = { readonly id: string; readonly seed: string; readonly lockedAt: number };

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export type KeyLimits = Readonly<Record<'keptMs' | 'lockMs' | 'ofCaller' | 'inTotal', number>>;

export const keyLimits: KeyLimits = {
  keptMs: 86_400_000,
  /** A write that takes longer counts as interrupted. */
  lockMs: 5_000,
  /** Callers behind one proxy may share an address. */
  ofCaller: 10_000,
  inTotal: 100_000,
};

const seedBytes = 16;
const rowsAtOnce = 10_000;
/** A row may appear or disappear between two statements. */
const maxTries = 3;

type KeyRow = {
  fingerprint: string;
  seed: string;
  lockedAt: number;
  status: number | null;
  body: string | null;
  createdAt: number;
};

/** Times are in milliseconds, of the machine: answers are kept for clients, whose time is not the chain's. */
export function createIdempotencyStore(database: Database, identity: string, limits: KeyLimits = keyLimits) {
  async function insert({ id, caller, fingerprint }: KeyedWrite, now: number): Promise<Reservation | null> {
    const seed = randomBytes(seedBytes).toString('base64url');
    const insert = sql`INSERT INTO idempotency_keys (identity, id, caller, fingerprint, seed, locked_at, created_at)
      SELECT ${identity}, ${id}, ${caller}, ${fingerprint}, ${seed}, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT)
        WHERE (SELECT COUNT(*) FROM idempotency_keys WHERE identity = ${identity}
          AND caller = ${caller}) < ${limits.ofCaller}
      ON CONFLICT (identity, id) DO NOTHING RETURNING id`;
    return (await returnsRow(database.write, insert)) ? { id, seed, lockedAt: now } : null;
  }

  const load = (id: string): Promise<KeyRow | undefined> =>
    findRow(database.query, 'idempotency_keys', { identity, id });

  /** By this reservation, without an answer. */
  const held = ({ id, seed, lockedAt }: Reservation) => ({ identity, id, seed, lockedAt, status: null });

  async function takeOver(id: string, { lockedAt, seed }: KeyRow, now: number): Promise<Reservation | null> {
    const before = held({ id, seed, lockedAt });
    const taken = await updateRows(database.write, 'idempotency_keys', { lockedAt: now }, before);
    return taken === 1 ? { id, seed, lockedAt: now } : null;
  }

  function removeOld(now: number, caller: string | null): Promise<boolean> {
    const ofCaller = caller === null ? raw('') : sql`AND caller = ${caller}`;
    const isOld = sql`identity = ${identity} AND created_at < ${now - limits.keptMs} ${ofCaller}`;
    return removeSome(database, 'idempotency_keys', 'identity, id', isOld, rowsAtOnce);
  }

  return {
    /** Resolves to the answer where the write is done. */
    async reserve(write: KeyedWrite, now: number): Promise<Reservation | KeptAnswer> {
      let isFull = false;
      for (let attempt = 0; attempt < maxTries; attempt++) {
        const fresh = await insert(write, now);
        if (fresh !== null) return fresh;
        const row = await load(write.id);
        isFull = row === undefined;
        if (row === undefined || now - row.createdAt > limits.keptMs) {
          await removeOld(now, write.caller);
          continue;
        }
        if (row.fingerprint !== write.fingerprint) throw new SvcError('IDEMPOTENCY_KEY_REUSED', {});
        if (row.status !== null) return { status: row.status, body: row.body ?? '' };
        // In both directions: a clock that was set back must not lock a key for long.
        if (Math.abs(now - row.lockedAt) < limits.lockMs) break;
        const taken = await takeOver(write.id, row, now);
        if (taken !== null) return taken;
      }
      throw isFull
        ? new SvcError('IDEMPOTENCY_KEYS_FULL', { retryAfterSeconds: 3_600 })
        : new SvcError('IDEMPOTENCY_KEY_BUSY', { retryAfterSeconds: 1 });
    },

    /** Keeps the answer, and returns the one that counts: of two that did the same write, the first one's. */
    async keep({ id, seed }: Reservation, { status, body }: KeptAnswer): Promise<KeptAnswer> {
      const open = { identity, id, seed, status: null };
      const kept = await updateRows(database.write, 'idempotency_keys', { status, body }, open);
      const row = kept === 1 ? undefined : await load(id);
      return row?.seed === seed && row.status !== null
        ? { status: row.status, body: row.body ?? '' }
        : { status, body };
    },

    /** The write had no effect: the key is as if it had never been used. */
    async forget(reservation: Reservation): Promise<void> {
      await removeRows(database.write, 'idempotency_keys', held(reservation));
    },

    /** The write may have had its effect: the next request with this key does it again, with the same seed. */
    async unlock(reservation: Reservation): Promise<void> {
      await updateRows(database.write, 'idempotency_keys', { lockedAt: 0 }, held(reservation));
    },

    /** Removes keys that are too old, and the oldest of too many. */
    async sweep(now: number): Promise<void> {
      while (await removeOld(now, null));
      const surplus = sql`SELECT created_at FROM idempotency_keys WHERE identity = ${identity}
        ORDER BY created_at DESC LIMIT 1 OFFSET ${raw(limits.inTotal)}`;
      const newest = await queryValue<number>(database.query, surplus);
      if (newest === undefined) return;
      await database.write(
        sql`DELETE FROM idempotency_keys WHERE identity = ${identity} AND created_at <= ${newest}`,
      );
    },
  };
}
