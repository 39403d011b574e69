// What an operator does to files: list them, take them down, and bring them back. Works on the rows, beside the servers.
import { SvcError } from '@svc/sdk/domain';
import type { Config } from '#config.ts';
import { migrate } from '#store/migrate.ts';
import { openFileStore } from './fileStore.ts';
import { openDatabase } from './openDatabase.ts';

export type TakeDown = {
  readonly sha256: string;
  readonly reason: string;
  /** Also removes the bytes, for good. */
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
      return { files, next };
    },

    async remove({ sha256, reason, isErased }: TakeDown): Promise<void> {
      requireSha256(sha256);
      await withheld.withhold({ kind: 'file', hash: sha256, reason, since: now() });
      if (!isErased) return;
      await rows.endAllUses(sha256, now());
      await bytes.remove(sha256);
      await rows.forgetFile({ sha256, state: 'removing' }, now());
    },

    /** Resolves to whether it was withheld. */
    async restore(sha256: string): Promise<boolean> {
      requireSha256(sha256);
      return withheld.restore('file', sha256);
    },

    close: database.close,
  };
}

function requireSha256(hash: string): void {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new SvcError('FILE_HASH_MALFORMED', {});
}
