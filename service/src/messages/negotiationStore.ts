// What one agent remembers: the envelopes it sent and accepted, what it refused, and what it could not send yet.

import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isTooDeep } from '@svc/sdk/internal/domain/canonical';
import { type Refusal, refuse } from '@svc/sdk/internal/negotiation/envelope';
import type { Arrival, RefusalReason, SignedEnvelope } from '@svc/sdk/negotiation';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { createSqliteFile } from '../store/localFiles.ts';
import type { TransportName } from './transport.ts';

export type RefusedText = Refusal & {
  readonly position: number;
  /** Its beginning. */
  readonly text: string;
  /** Unix seconds. */
  readonly at: number;
  /** Whether it will be checked again. */
  readonly isUndecided: boolean;
};

export type Outgoing = { readonly signed: SignedEnvelope; readonly text: string; readonly to: Address };
export type OutboxItem = { readonly position: number; readonly to: Address; readonly text: string };

/** A received text with the result of its check. */
export type Checked = Arrival & { readonly text: string };

export type NegotiationStore = ReturnType<typeof createNegotiationStore>;

const schema = `
  CREATE TABLE IF NOT EXISTS entry (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    agent TEXT NOT NULL,
    negotiation TEXT NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (agent, hash)
  );
  CREATE INDEX IF NOT EXISTS entry_negotiation ON entry (agent, negotiation, position);
  CREATE TABLE IF NOT EXISTS unusable (
    agent TEXT NOT NULL,
    hash TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (agent, hash)
  );
  CREATE TABLE IF NOT EXISTS refused (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    agent TEXT NOT NULL,
    digest TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind INTEGER,
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
  )`;

/** Unknown senders may send without end, so only the latest refusals are kept, shortened. */
const maxRefused = 1_000;
const maxRefusedLength = 4_096;
/**
 * Undecided texts have a kind. They are kept whole for a week to be checked again. Each kind has its own limit, so that texts
 * anybody can write push out none with a verified signature or of a negotiation under way. Each negotiation that this wallet
 * has written in has a limit of its own: anybody can open others.
 */
const maxUndecidedOfKind = 32;
const answeredKind = 4;
const maxUndecidedSeconds = 7 * 24 * 3_600;
const decide = `UPDATE refused SET kind = NULL, text = substr(text, 1, ${maxRefusedLength})`;

export function createNegotiationStore(path: string, agent: Address) {
  const { all, run, transaction, close } = createSqliteFile(path, schema);
  // Opens the file: one that cannot be used is reported before anything is signed.
  transaction(() => undefined);
  const key = addressKey(agent);
  const hasEntry = (where: string, ...params: string[]) =>
    all(`SELECT 1 FROM entry WHERE agent = ? AND ${where}`, key, ...params).length > 0;

  function saveEntry(signed: SignedEnvelope, text: string): void {
    run(
      'INSERT INTO entry (agent, negotiation, hash, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      ...[key, signed.envelope.negotiationId, signed.hash, text],
    );
  }

  function saveArrival(arrival: Checked, now: Date): void {
    const { text } = arrival;
    if ('signed' in arrival) {
      const { signed, unusable } = arrival;
      const { hash } = signed;
      if (unusable === undefined) run('DELETE FROM unusable WHERE agent = ? AND hash = ?', key, hash);
      // A chain that lags does not undo an earlier answer.
      else if (!hasEntry('hash = ?', hash))
        run('INSERT INTO unusable (agent, hash, reason) VALUES (?, ?, ?)', key, hash, unusable.reason);
      saveEntry(signed, text);
      run('DELETE FROM refused WHERE agent = ? AND digest = ?', key, digestOf(text));
      return;
    }
    const { refusal } = arrival;
    if (!('undecided' in arrival)) {
      saveRefused(text, refusal, now);
      return;
    }
    const { hash, envelope } = arrival.undecided;
    // A chain that lags does not undo an earlier acceptance.
    if (hasEntry('hash = ? AND text = ?', hash, text)) return;
    const { negotiationId } = envelope;
    const isUnderWay = hasEntry('negotiation = ?', negotiationId);
    const isOwn = `lower(json_extract(text, '$.envelope.sender.evmAddress')) = agent`;
    const isAnswered = isUnderWay && hasEntry(`negotiation = ? AND ${isOwn}`, negotiationId);
    const kind = (refusal.reason === 'time' ? 2 : 0) + (isUnderWay ? 1 : 0) + (isAnswered ? answeredKind : 0);
    saveRefused(text, refusal, now, kind);
    const ofNegotiation = isAnswered ? `AND json_extract(text, '$.envelope.negotiationId') = ?3` : '';
    const params = [key, kind, ...(isAnswered ? [negotiationId] : [])];
    run(`${decide} WHERE ${before(maxUndecidedOfKind, ofNegotiation)}`, ...params);
  }

  /** Of those of one agent and kind, all before the newest `limit`. */
  const before = (limit: number, and = '') =>
    `agent = ?1 AND kind IS ?2 ${and} AND position <= (SELECT position FROM refused
     WHERE agent = ?1 AND kind IS ?2 ${and} ORDER BY position DESC LIMIT 1 OFFSET ${limit})`;

  function saveRefused(text: string, { reason, detail }: Refusal, now: Date, kind: number | null = null) {
    const kept = kind === null ? text.slice(0, maxRefusedLength) : text;
    run(
      `INSERT INTO refused (agent, digest, reason, detail, text, at, kind) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET reason = excluded.reason, detail = excluded.detail, text = excluded.text,
       kind = excluded.kind`,
      ...[key, digestOf(text), reason, detail, kept, toSeconds(now), kind],
    );
    run(`DELETE FROM refused WHERE ${before(maxRefused)}`, key, null);
  }

  const loadLine = (transport: TransportName) =>
    all('SELECT cursor, public_key FROM line WHERE agent = ? AND transport = ?', key, transport)[0];

  const saveLine = (transport: TransportName, column: 'cursor' | 'public_key', value: string | null) =>
    run(
      `INSERT INTO line (agent, transport, ${column}) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`,
      ...[key, transport, value],
    );

  return {
    /** In the order in which they were sent or received. */
    loadEntries: (negotiationId?: string): SignedEnvelope[] =>
      all(
        `SELECT text FROM entry WHERE agent = ?
         ${negotiationId === undefined ? '' : 'AND negotiation = ?'} ORDER BY position`,
        ...[key, ...(negotiationId === undefined ? [] : [negotiationId])],
      )
        .map(({ text }) => JSON.parse(String(text)) as SignedEnvelope)
        // Accepted before there was a limit.
        .filter(({ envelope }) => !isTooDeep(envelope.payload)),

    /** Entries without effect: a signature inside them fails. */
    loadUnusable: (): ReadonlyMap<Hex, Refusal> =>
      new Map(
        all('SELECT hash, reason FROM unusable WHERE agent = ?', key).map(({ hash, reason }) => [
          hash as Hex,
          refuse(reason as RefusalReason),
        ]),
      ),

    hasEntry: (hash: Hex): boolean => hasEntry('hash = ?', hash),

    /** The negotiation id of the envelope with this hash. */
    findNegotiation: (hash: string): string | undefined =>
      all('SELECT negotiation FROM entry WHERE agent = ? AND hash = ?', key, hash).map(({ negotiation }) =>
        String(negotiation),
      )[0],

    loadRefused: (): RefusedText[] =>
      all('SELECT * FROM refused WHERE agent = ? ORDER BY position', key).map((row) => ({
        position: Number(row.position),
        reason: row.reason as RefusalReason,
        detail: String(row.detail),
        text: String(row.text).slice(0, maxRefusedLength),
        at: Number(row.at),
        isUndecided: row.kind !== null,
      })),

    /**
     * Texts refused for a reason that may pass, whole, and of the entries without effect those whose last check was the longest
     * ago. Texts about which most is known come first.
     */
    loadUndecided: (): string[] =>
      [
        ...all(
          `SELECT text FROM entry JOIN unusable USING (agent, hash) WHERE agent = ?
           ORDER BY unusable.rowid LIMIT ${maxUndecidedOfKind}`,
          key,
        ),
        ...all(
          'SELECT text FROM refused WHERE agent = ? AND kind IS NOT NULL ORDER BY kind DESC, position',
          key,
        ),
      ].map(({ text }) => String(text)),

    loadOutbox: (transport: TransportName): OutboxItem[] =>
      all(
        'SELECT position, recipient, text FROM outbox WHERE agent = ? AND transport = ? ORDER BY position',
        ...[key, transport],
      ).map(({ position, recipient, text }) => ({
        position: Number(position),
        to: recipient as Address,
        text: String(text),
      })),

    loadCursor: (transport: TransportName) => (loadLine(transport)?.cursor ?? null) as string | null,

    /** The last known one; it is needed also while the transport is unreachable. */
    loadPublicKey: (transport: TransportName) => (loadLine(transport)?.public_key ?? null) as string | null,
    savePublicKey: (transport: TransportName, publicKey: string) =>
      transaction(() => saveLine(transport, 'public_key', publicKey)),

    /** Into the transcript and the outbox together, if the condition still holds; otherwise returns false. */
    saveOutgoing: (
      transport: TransportName,
      { signed, text, to }: Outgoing,
      condition: () => boolean,
    ): boolean =>
      transaction(() => {
        if (!condition()) return false;
        saveEntry(signed, text);
        run(
          'INSERT INTO outbox (agent, transport, recipient, text) VALUES (?, ?, ?, ?)',
          ...[key, transport, addressKey(to), text],
        );
        return true;
      }),

    /** The arrivals and the new cursor together. A known envelope changes nothing. */
    saveArrivals: (
      transport: TransportName,
      arrivals: readonly Checked[],
      cursor: string | null,
      now: Date,
    ): void =>
      transaction(() => {
        for (const arrival of arrivals) saveArrival(arrival, now);
        saveLine(transport, 'cursor', cursor);
      }),

    /** The results for undecided texts; one that stays undecided for too long is dropped. */
    saveCheckedAgain: (arrivals: readonly Checked[], now: Date): void =>
      transaction(() => {
        for (const arrival of arrivals) {
          saveArrival(arrival, now);
          // Those that still have no effect wait behind the others. A forged copy, of the same hash, moves none.
          const read =
            'signed' in arrival ? arrival.signed : 'undecided' in arrival ? arrival.undecided : null;
          run(
            `REPLACE INTO unusable SELECT unusable.* FROM unusable JOIN entry USING (agent, hash)
             WHERE agent = ? AND hash = ? AND text = ?`,
            ...[key, read?.hash ?? '', arrival.text],
          );
          // In both directions: the clock may have been set back.
          run(
            `${decide} WHERE agent = ? AND digest = ? AND abs(at - ?) > ?`,
            ...[key, digestOf(arrival.text), toSeconds(now), maxUndecidedSeconds],
          );
        }
      }),

    /** Takes back a message that was never delivered: out of the transcript and the outbox, and noted as refused. */
    withdraw: ({ position, text }: OutboxItem, refusal: Refusal, now: Date): void =>
      transaction(() => {
        const { hash } = JSON.parse(text) as SignedEnvelope;
        run('DELETE FROM entry WHERE agent = ? AND hash = ?', key, hash);
        run('DELETE FROM outbox WHERE position = ?', position);
        saveRefused(text, refusal, now);
      }),

    removeFromOutbox: (position: number): void =>
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
