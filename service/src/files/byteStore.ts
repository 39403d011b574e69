// Stores the bytes of files, in a folder or in a bucket (bucket.ts). The SHA-256 of the bytes is their name.
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** First and last byte. */
export type ByteRange = { readonly first: number; readonly last: number };

export type ByteStore = {
  /** Takes over a complete file on this machine. Bytes that are there already are replaced by the same. */
  readonly keep: (sha256: string, path: string, bytes: number) => Promise<void>;
  readonly has: (sha256: string) => Promise<boolean>;
  /** Null where there are no such bytes. */
  readonly read: (sha256: string, range: ByteRange | null) => Promise<Readable | null>;
  /** Bytes that are not there are no error. */
  readonly remove: (sha256: string) => Promise<void>;
};

/** Four times the default, for fewer reads. A client that reads slowly holds no more than this in memory. */
const chunkBytes = 256 * 1_024;

/** Subfolders by the first two digits, so that no folder holds all files. */
export function createFolderStore(folder: string): ByteStore {
  const folderOf = (sha256: string) => join(folder, sha256.slice(0, 2));
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256);

  return {
    keep: async (sha256, path) => {
      await mkdir(folderOf(sha256), { recursive: true, mode: 0o700 });
      await rename(path, pathOf(sha256));
      await syncFolder(folderOf(sha256));
    },
    has: async (sha256) =>
      stat(pathOf(sha256)).then(
        () => true,
        (error) => unlessMissing(error, false),
      ),
    read: async (sha256, range) => {
      const handle = await open(pathOf(sha256)).catch((error) => unlessMissing(error, null));
      const part = range === null ? {} : { start: range.first, end: range.last };
      return handle?.createReadStream({ highWaterMark: chunkBytes, ...part }) ?? null;
    },
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
  };
}

/** A new name is durable once its folder is synced. Windows cannot and need not sync folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unlessMissing<T>(error: unknown, value: T): T {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
  throw error;
}
