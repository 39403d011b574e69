// The store of files that site and gateway share: rows, bytes, the block list, and the look-up of documents.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileLookup } from '@svc/sdk/documents';
import { maxDocumentBytes, SvcError } from '@svc/sdk/domain';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import { createBucketStore } from '../files/bucket.ts';
import { type ByteStore, createFolderStore } from '../files/byteStore.ts';
import { createFileReader, type FileSources } from '../files/fileReader.ts';
import type { Database } from '../store/database.ts';
import { createFileRows } from '../store/fileRows.ts';
import { createWithheldStore } from '../store/withheld.ts';

export type FileStoreOptions = {
  readonly dataDir: string;
  /** Without a bucket, files are kept in the data folder. */
  readonly files?: Partial<Config['files']>;
};

export function openFileStore(database: Database, options: FileStoreOptions) {
  const { bucket } = options.files ?? {};
  const folder = join(options.dataDir, 'files');
  const bytes: ByteStore =
    bucket === undefined
      ? createFolderStore(folder)
      : createBucketStore({ url: bucket.url, key: { ...bucket, secret: bucket.secret.reveal() } });
  const rows = createFileRows(database);
  const withheld = createWithheldStore(database);
  return {
    bytes,
    rows,
    withheld,
    /** Where uploads arrive, also those for a bucket. */
    incoming: join(folder, 'incoming'),
    /** Documents that are too large for the chain, by the hash in their uri. */
    lookUp: createLookup({ bytes, rows, withheld }),
  };
}

/** Documents in memory at most: 100 of 128 KiB. */
const maxKept = 100;
const lookupMs = 2_000;

function createLookup(sources: FileSources): FileLookup {
  const { load } = createFileReader(sources);
  // The same hash always means the same bytes; whether they may be shown is asked each time.
  const kept = new LRUCache<string, Uint8Array>({ max: maxKept });
  return async (sha256) => {
    if (await sources.withheld.isWithheld('file', sha256)) return 'withheld';
    const found = kept.get(sha256) ?? (await loadSoon(() => load(sha256, maxDocumentBytes)));
    if (found === null) return null;
    kept.set(sha256, found);
    return found;
  };
}

/** Null where the bucket is away or slow: a task is shown without its document then, and the next reader asks again. */
async function loadSoon(load: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
  const loading = load().catch((error: unknown) => {
    if (error instanceof SvcError && error.code === 'FILES_UNREACHABLE') return null;
    throw error;
  });
  return Promise.race([loading, sleep(lookupMs, null, { ref: false })]);
}
