// What an operator does to files: list them, take them down, and bring them back. Works on the rows, beside the servers.
import { SvcError } from '@svc/sdk/domain';
import type { Config } from '#config.ts';
import { migrate } from '#store/migrate.ts';
import type { WithheldKind } from '#store/withheld.ts';
import { openFileStore } from './fileStore.ts';
import { openDatabase } from './openDatabase.ts';

export type TakeDown = {
  /** SHA-256 of a file (64 digits), or keccak-256 of a document (0x and 64 digits). */
  readonly hash: string;
  readonly reason: string;
  /** Also removes the bytes of a file, for good. */
  readonly isErased: boolean;
};

export async function openFileOperator(config: Config) {
  const database = openDatabase({ ...config, databaseUrl: config.databaseUrl?.reveal() });
  await migrate(database);
  // The uses of every chain are listed and ended.
  const { rows, withheld, bytes } = openFileStore(database, '', config);
  const now = () => Math.floor(Date.now() / 1_000);

  return {
    async list(after: string, limit: number) {
      const found = await rows.list(after, limit + 1);
      const hidden = new Map((await withheld.listWithheld()).map((each) => [each.hash, each]));
      const files = found.slice(0, limit).map(({ wallets, ...file }) => ({
        ...file,
        wallets: (wallets ?? '').split(/[ ,]/).filter(Boolean),
        withheld: hidden.get(file.sha256)?.reason ?? null,
      }));
      const next = found.length > limit ? (files.at(-1)?.sha256 ?? null) : null;
      return { files, next, withheld: [...hidden.values()] };
    },

    async remove({ hash, reason, isErased }: TakeDown): Promise<{ kind: WithheldKind; erased: boolean }> {
      const kind = kindOf(hash);
      await withheld.withhold({ kind, hash, reason, since: now() });
      if (kind === 'document' || !isErased) return { kind, erased: false };
      await rows.endAllUses(hash, now());
      await bytes.remove(hash);
      await rows.forgetFile({ sha256: hash, state: 'removing' }, now());
      return { kind, erased: true };
    },

    /** Resolves to whether it was withheld. */
    restore: (hash: string): Promise<boolean> => withheld.restore(kindOf(hash), hash),

    close: database.close,
  };
}

function kindOf(hash: string): WithheldKind {
  if (/^[0-9a-f]{64}$/.test(hash)) return 'file';
  if (/^0x[0-9a-fA-F]{64}$/.test(hash)) return 'document';
  throw new SvcError('FILE_HASH_MALFORMED', {});
}
