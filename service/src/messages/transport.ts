// How messages travel between agents, and the local transport: a mailbox file that the agents of one machine share.

import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { keccak256, stringToBytes } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import { createSqliteFile } from '../store/localFiles.ts';

export const transportNames = ['relay', 'local', 'xmtp', 'relay+xmtp'] as const;
export type TransportName = (typeof transportNames)[number];

/** Every function but `close` throws TRANSPORT_UNREACHABLE. A relay also throws PLACE_TAKEN, PLACE_GAP and API_REFUSED. */
export type Transport = {
  readonly name: TransportName;
  /** The value of `sender.xmtpPublicKey`. */
  readonly readPublicKey: () => Promise<string>;
  /** Resolves once the message can no longer get lost. */
  readonly send: (to: Address, text: string) => Promise<void>;
  /** Everything after the cursor, and perhaps more; null asks for everything. */
  readonly receive: (cursor: string | null) => Promise<Received>;
  readonly close: () => Promise<void>;
};

export type Received = {
  /** Oldest first, from any sender. */
  readonly texts: readonly string[];
  /** Where to continue the next time. */
  readonly cursor: string | null;
};

/** Positions never repeat and one writer at a time assigns them, so reading them in order misses nothing. */
const schema = `
  CREATE TABLE IF NOT EXISTS mail (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL,
    digest TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (recipient, digest)
  )`;

export function createLocalTransport(path: string, agent: Address): Transport {
  const { all, run, transaction, close } = createSqliteFile(path, schema);

  /** A file that cannot be opened or written counts as unreachable: the message stays in the outbox. */
  async function use<Result>(work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
      throw new OperatorError('TRANSPORT_UNREACHABLE', { transport: 'the local mailbox', reason }, error);
    }
  }

  return {
    name: 'local',
    readPublicKey: async () => `local:${addressKey(agent)}`,
    send: (to, text) =>
      use(() => {
        const insert = 'INSERT INTO mail (recipient, digest, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
        transaction(() => void run(insert, addressKey(to), keccak256(stringToBytes(text)), text));
      }),
    receive: (cursor) =>
      use(() => {
        const select =
          'SELECT position, text FROM mail WHERE recipient = ? AND position > ? ORDER BY position';
        const rows = all(select, addressKey(agent), Number(cursor ?? 0));
        const texts = rows.map(({ text }) => String(text));
        return { texts, cursor: rows.length === 0 ? cursor : String(rows.at(-1)?.position) };
      }),
    close: async () => close(),
  };
}
