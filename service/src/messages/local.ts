// Messages between agents on one machine: a mailbox file in the data folder, for each wallet what was sent to it.

import { type Address, addressKey, SvcError } from '@svc/sdk/domain';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { openSqliteFile, type SqliteFile } from '#store/localFiles.ts';
import type { Transport } from './transport.ts';

/** Positions never repeat, and one writer at a time gives them out: what is read in their order is whole. */
const schema = `
  CREATE TABLE IF NOT EXISTS mail (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL,
    digest TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (recipient, digest)
  )`;

export function createLocalTransport(path: string, agent: Address): Transport {
  let file: SqliteFile | undefined;

  /** A mailbox that cannot be opened or written is one that cannot be reached: what is sent stays in the outbox. */
  async function use<Result>(work: (mail: SqliteFile) => Result): Promise<Result> {
    try {
      file ??= openSqliteFile(path, schema);
      return work(file);
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
      throw new SvcError('TRANSPORT_UNREACHABLE', { transport: 'the local mailbox', reason }, error);
    }
  }

  return {
    name: 'local',
    readPublicKey: async () => `local:${addressKey(agent)}`,
    send: (to, text) =>
      use(({ database, transaction }) => {
        const insert = 'INSERT INTO mail (recipient, digest, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
        transaction(() => void database.prepare(insert).run(addressKey(to), digestOf(text), text));
      }),
    receive: (cursor) =>
      use(({ database }) => {
        const select =
          'SELECT position, text FROM mail WHERE recipient = ? AND position > ? ORDER BY position';
        const rows = database.prepare(select).all(addressKey(agent), Number(cursor ?? 0));
        const last = rows.at(-1)?.position;
        const texts = rows.map(({ text }) => String(text));
        return { texts, cursor: last === undefined ? cursor : String(last) };
      }),
    close: async () => file?.close(),
  };
}

function digestOf(text: string): Hex {
  return keccak256(stringToBytes(text));
}
