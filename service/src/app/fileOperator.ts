// What an operator does to files and documents: list them, take them down, bring them back. Works on the rows, beside the
// servers.
import { isAddress, SvcError } from '@svc/sdk/domain';
import type { Config } from '../config.ts';
import type { WithheldKind } from '../store/withheld.ts';
import { openFileStore } from './fileStore.ts';
import { openOperatorDatabase } from './openDatabase.ts';

type TakeDown = {
  /** The SHA-256 of a file, 0x and the keccak-256 of a document, or the address of a wallet. */
  readonly hash: string;
  readonly reason: string;
  /** Also removes the bytes of a file, for good. */
  readonly isErased: boolean;
};

export async function openFileOperator(config: Config) {
  const database = await openOperatorDatabase(config);
  const { rows, withheld, bytes } = openFileStore(database, config);
  const now = () => Math.floor(Date.now() / 1_000);

  return {
    async list(after: string, limit: number) {
      const found = await rows.list(after, limit + 1);
      const listed = await withheld.listWithheld();
      const hidden = new Map(listed.map((each) => [each.hash, each]));
      const files = found.slice(0, limit).map(({ wallets, ...file }) => ({
        ...file,
        wallets: (wallets ?? '').split(/[ ,]/).filter(Boolean),
        withheld: hidden.get(file.sha256)?.reason ?? null,
      }));
      const next = found.length > limit ? (files.at(-1)?.sha256 ?? null) : null;
      const documents = listed
        .filter(({ kind }) => kind !== 'file')
        .map(({ hash, reason }) => ({ hash, withheld: reason }));
      return { files, documents, next };
    },

    async remove({ hash, reason, isErased }: TakeDown): Promise<void> {
      const kind = parseKind(hash);
      if (isErased && kind !== 'file')
        throw new SvcError('USAGE', { reason: 'A document cannot be erased, only withheld.' });
      await withheld.withhold({ kind, hash, reason, since: now() });
      if (!isErased) return;
      await rows.endAllUses(hash, now());
      await bytes.remove(hash);
      await rows.forgetFile({ sha256: hash, state: 'removing' }, now());
    },

    /** Resolves to whether it was withheld. */
    async restore(hash: string): Promise<boolean> {
      return withheld.restore(parseKind(hash), hash);
    },

    close: database.close,
  };
}

function parseKind(hash: string): WithheldKind {
  if (/^0x[0-9a-fA-F]{64}$/.test(hash)) return 'document';
  if (isAddress(hash)) return 'wallet';
  if (/^[0-9a-f]{64}$/.test(hash)) return 'file';
  throw new SvcError('FILE_HASH_MALFORMED', {});
}
