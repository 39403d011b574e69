// What one agent remembers: every envelope it sent or took in, what it refused, and what it could not send yet.

import { type Address, addressKey } from '@svc/sdk/domain';
import type { Arrival, Refusal, RefusalReason, SignedEnvelope } from '@svc/sdk/negotiation';
import { isTooDeep } from '@svc/sdk/negotiation';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { openSqliteFile } from '#store/localFiles.ts';
import type { TransportName } from './transport.ts';
import { createUndecided, undecidedSchema } from './undecided.ts';

export type BookEntry = {
  readonly signed: SignedEnvelope;
  /** To whom it was sent; null where it was received. */
  readonly to: Address | null;
};

export type RefusedText = Refusal & {
  readonly position: number;
  /** Its beginning. */
  readonly text: string;
  /** Unix seconds. */
  readonly at: number;
  /** Whether it will be judged again. */
  readonly isUndecided: boolean;
};
export type OutboxItem = { readonly position: number; readonly to: Address; readonly text: string };
export type Outgoing = { readonly signed: SignedEnvelope; readonly text: string; readonly to: Address };

export type Judged = Arrival & { readonly text: string };

export type Book = {
  /** In the order in which they were sent or arrived. */
  readonly loadEntries: (negotiationId?: string) => BookEntry[];
  readonly loadRefused: () => RefusedText[];
  /** What was refused for a reason that may pass, whole. */
  readonly loadUndecided: () => string[];
  readonly loadOutbox: (transport: TransportName) => OutboxItem[];
  readonly loadCursor: (transport: TransportName) => string | null;
  /** The last one that the transport has told; it is needed also while the transport is away. */
  readonly loadPublicKey: (transport: TransportName) => string | null;
  readonly savePublicKey: (transport: TransportName, publicKey: string) => void;
  /** Into the transcript and the outbox at once, if the condition still holds; false where it does not. */
  readonly saveOutgoing: (transport: TransportName, outgoing: Outgoing, condition: () => boolean) => boolean;
  /** What arrived and how far we have read, at once. An envelope that is known already changes nothing. */
  readonly saveArrivals: (
    transport: TransportName,
    arrivals: readonly Judged[],
    cursor: string | null,
    now: Date,
  ) => void;
  /** What became of those that were undecided; one that has been so for too long is given up. */
  readonly saveJudgedAgain: (arrivals: readonly Judged[], now: Date) => void;
  readonly removeFromOutbox: (position: number) => void;
  readonly close: () => void;
};

const schema = `
  CREATE TABLE IF NOT EXISTS entry (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    agent TEXT NOT NULL,
    negotiation TEXT NOT NULL,
    hash TEXT NOT NULL,
    recipient TEXT,
    text TEXT NOT NULL,
    UNIQUE (agent, hash)
  );
  CREATE INDEX IF NOT EXISTS entry_negotiation ON entry (agent, negotiation, position);
  CREATE TABLE IF NOT EXISTS refused (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    agent TEXT NOT NULL,
    digest TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (agent, digest)
  );
  CREATE TABLE IF NOT EXISTS outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    agent TEXT NOT NULL,
    transport TEXT NOT NULL,
    recipient TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS line (
    agent TEXT NOT NULL,
    transport TEXT NOT NULL,
    cursor TEXT,
    public_key TEXT,
    PRIMARY KEY (agent, transport)
  );
  ${undecidedSchema}`;

/** Strangers may send without end: the beginning of the last ones is enough to see what happened. */
const maxRefused = 1_000;
const maxRefusedLength = 4_096;

export function createBook(path: string, agent: Address): Book {
  const { database, transaction, close } = openSqliteFile(path, schema);
  const key = addressKey(agent);
  const undecided = createUndecided({ database }, key);
  const all = (sql: string, ...params: string[]) => database.prepare(sql).all(...params);
  const has = (sql: string, ...params: string[]) => all(sql, ...params).length > 0;
  const run = (sql: string, ...params: (string | number | null)[]) => database.prepare(sql).run(...params);

  function saveEntry(signed: SignedEnvelope, text: string, to: Address | null) {
    run(
      'INSERT INTO entry (agent, negotiation, hash, recipient, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      ...[key, signed.envelope.negotiationId, signed.hash, to && addressKey(to), text],
    );
  }

  function saveArrival(arrival: Judged, now: Date) {
    const { text } = arrival;
    const digest = digestOf(text);
    if ('signed' in arrival) {
      saveEntry(arrival.signed, text, null);
      run('DELETE FROM refused WHERE agent = ? AND digest = ?', key, digest);
      undecided.remove(digest);
      return;
    }
    const { refusal } = arrival;
    if ('undecided' in arrival) {
      const { hash, envelope } = arrival.undecided;
      // Once it was found good, a chain that lags does not make it bad again.
      if (has('SELECT 1 FROM entry WHERE agent = ? AND hash = ? AND text = ?', key, hash, text)) return;
      const isUnderWay = has(
        'SELECT 1 FROM entry WHERE agent = ? AND negotiation = ?',
        ...[key, envelope.negotiationId],
      );
      undecided.save({ digest, text, refusal, isUnderWay }, toSeconds(now));
    }
    saveRefused(digest, text, refusal, now);
  }

  function saveRefused(digest: Hex, text: string, { reason, detail }: Refusal, now: Date) {
    run(
      `INSERT INTO refused (agent, digest, reason, detail, text, at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET reason = excluded.reason, detail = excluded.detail`,
      ...[key, digest, reason, detail, text.slice(0, maxRefusedLength), toSeconds(now)],
    );
    run(
      `DELETE FROM refused WHERE agent = ?1 AND position <=
       (SELECT position FROM refused WHERE agent = ?1 ORDER BY position DESC LIMIT 1 OFFSET ${maxRefused})`,
      key,
    );
  }

  function loadLine(transport: TransportName) {
    return all('SELECT cursor, public_key FROM line WHERE agent = ? AND transport = ?', key, transport)[0];
  }

  return {
    loadEntries: (negotiationId) =>
      (negotiationId === undefined
        ? all('SELECT text, recipient FROM entry WHERE agent = ? ORDER BY position', key)
        : all(
            'SELECT text, recipient FROM entry WHERE agent = ? AND negotiation = ? ORDER BY position',
            ...[key, negotiationId],
          )
      )
        .map(({ text, recipient }) => ({
          signed: JSON.parse(String(text)) as SignedEnvelope,
          to: recipient as Address | null,
        }))
        // Taken in before there was a limit.
        .filter(({ signed }) => !isTooDeep(signed.envelope.payload)),
    loadRefused: () =>
      all(
        `SELECT refused.position, reason, detail, refused.text, refused.at, undecided.digest AS undecided
         FROM refused LEFT JOIN undecided USING (agent, digest) WHERE agent = ? ORDER BY refused.position`,
        key,
      ).map((row) => ({
        position: Number(row.position),
        reason: row.reason as RefusalReason,
        detail: String(row.detail),
        text: String(row.text),
        at: Number(row.at),
        isUndecided: row.undecided !== null,
      })),
    loadUndecided: undecided.load,
    loadOutbox: (transport) =>
      all(
        'SELECT position, recipient, text FROM outbox WHERE agent = ? AND transport = ? ORDER BY position',
        ...[key, transport],
      ).map(({ position, recipient, text }) => ({
        position: Number(position),
        to: recipient as Address,
        text: String(text),
      })),
    loadCursor: (transport) => (loadLine(transport)?.cursor ?? null) as string | null,
    loadPublicKey: (transport) => (loadLine(transport)?.public_key ?? null) as string | null,
    savePublicKey: (transport, publicKey) =>
      transaction(() => {
        run(
          `INSERT INTO line (agent, transport, public_key) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET public_key = excluded.public_key`,
          ...[key, transport, publicKey],
        );
      }),
    saveOutgoing: (transport, { signed, text, to }, condition) =>
      transaction(() => {
        if (!condition()) return false;
        saveEntry(signed, text, to);
        run(
          'INSERT INTO outbox (agent, transport, recipient, text) VALUES (?, ?, ?, ?)',
          ...[key, transport, addressKey(to), text],
        );
        return true;
      }),
    saveArrivals: (transport, arrivals, cursor, now) =>
      transaction(() => {
        for (const arrival of arrivals) saveArrival(arrival, now);
        run(
          `INSERT INTO line (agent, transport, cursor) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET cursor = excluded.cursor`,
          ...[key, transport, cursor],
        );
      }),
    saveJudgedAgain: (arrivals, now) =>
      transaction(() => {
        for (const arrival of arrivals) {
          saveArrival(arrival, now);
          undecided.removeIfOld(digestOf(arrival.text), toSeconds(now));
        }
      }),
    removeFromOutbox: (position) =>
      transaction(() => void run('DELETE FROM outbox WHERE position = ?', position)),
    close,
  };
}

function digestOf(text: string): Hex {
  return keccak256(stringToBytes(text));
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
