// Messages between agents on one machine: a mailbox file in the data folder, for each wallet what was sent to it.
import { type Hex, keccak256, stringToBytes } from 'viem';
import { type Address, addressKey } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { maxWireBytes } from '../envelope.ts';
import { openSqliteFile } from './sqliteFile.ts';
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
  const file = openSqliteFile(path, schema);
  const insert = file.database.prepare(
    'INSERT INTO mail (recipient, digest, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const select = file.database.prepare(
    'SELECT position, text FROM mail WHERE recipient = ? AND position > ? ORDER BY position',
  );
  return {
    name: 'local',
    readPublicKey: async () => `local:${addressKey(agent)}`,
    async send(to, text) {
      if (text.length > maxWireBytes)
        throw new SvcError('ENVELOPE_INVALID', { reason: 'It is larger than 256 KiB.' });
      file.transaction(() => insert.run(addressKey(to), digestOf(text), text));
    },
    async receive(cursor) {
      const rows = file.transaction(() => select.all(addressKey(agent), Number(cursor ?? 0)));
      const last = rows.at(-1)?.position;
      return {
        texts: rows.map(({ text }) => String(text)),
        cursor: last === undefined ? cursor : String(last),
      };
    },
    async close() {
      file.close();
    },
  };
}

function digestOf(text: string): Hex {
  return keccak256(stringToBytes(text));
}
