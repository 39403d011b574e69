// Uploads of files and their sweep, over an open market.
import { Readable } from 'node:stream';
import { type Address, SvcError } from '@svc/sdk/domain';
import { accountOf } from '../devnet/accounts.ts';
import { listSeededFiles } from '../devnet/seed/seedFiles.ts';
import { createSweep } from '../files/sweep.ts';
import { createFileService, type FileService } from '../files/uploads.ts';
import { isShown } from '../store/chainRow.ts';
import { createFileSubjects } from '../store/fileSubjects.ts';
import { inParallel } from '../store/inParallel.ts';
import { createListingStore } from '../store/listings.ts';
import { observeOutcomes } from './observe.ts';
import type { OpenMarket } from './openMarket.ts';

type FileServiceOptions = {
  /** All files together, in bytes. */
  readonly filesMaxBytes: number;
  readonly hasCollateral: (wallet: Address) => Promise<boolean>;
};

export function createFileServices(market: OpenMarket, options: FileServiceOptions) {
  const { database, now, past, fileStore, metrics } = market;
  const subjects = createFileSubjects(database);
  const files = createFileService({
    ...fileStore,
    standing: { ...subjects, hasCollateral: options.hasCollateral },
    maxBytes: options.filesMaxBytes,
    now,
  });
  const sweep = createSweep({
    ...fileStore,
    subjects,
    listings: createListingStore(database),
    isWhole: () => isShown(database),
    past,
  });
  const outcomes = observeOutcomes(metrics, 'uploads');
  let taken = 0;
  metrics.gauge('file_bytes', () => taken);
  metrics.gauge('file_bytes_max', () => options.filesMaxBytes);
  metrics.gauge('upload_places', () => {
    const used = files.countRunning();
    return Object.entries({ used, free: files.limits.uploads.inAll - used }).map(([state, value]) => ({
      labels: { state },
      value,
    }));
  });
  return {
    files: { ...files, put: (upload) => outcomes.end(files.put(upload)) } satisfies FileService,
    /** One round; there is more to do where it resolves to true. */
    sweepFiles: async (signal: AbortSignal): Promise<boolean> => {
      const isMore = await sweep(signal);
      taken = await fileStore.rows.loadTaken();
      return isMore;
    },
  };
}

/** No more than one wallet may send at once. */
const atOnce = 4;

/**
 * Stores the files that the documents of the seeded market name, each as an upload of a party. Resolves to how many were
 * refused, as by a small SVC_FILES_MAX: the market works without them.
 */
export async function storeSeededFiles({ put }: Pick<FileService, 'put'>): Promise<number> {
  let refused = 0;
  await inParallel(listSeededFiles(), atOnce, ({ task, by, sha256, content, isSealed }) =>
    put({
      sha256,
      bytes: content.length,
      wallet: accountOf(by).address,
      subject: { kind: 'task', task },
      isSealed,
      body: Readable.from([content]),
      signal: AbortSignal.timeout(uploadMs),
    }).catch((error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
      refused++;
    }),
  );
  return refused;
}

const uploadMs = 10_000;
