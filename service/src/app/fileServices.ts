// Uploads of files and their sweep, over an open market.
import type { Address } from '@svc/sdk/domain';
import { createFileService } from '#files/files.ts';
import { createSweep } from '#files/sweep.ts';
import { createFileSubjects } from '#store/fileSubjects.ts';
import { loadWhole } from '#store/head.ts';
import type { OpenMarket } from './openMarket.ts';

export type FileServiceOptions = {
  /** All files together, in bytes. */
  readonly filesMaxBytes: number;
  readonly hasCollateral: (wallet: Address) => Promise<boolean>;
};

export function createFileServices(market: OpenMarket, options: FileServiceOptions) {
  const { database, identity, now, past, fileStore } = market;
  const subjects = createFileSubjects(database, identity);
  return {
    files: createFileService({
      ...fileStore,
      standing: { ...subjects, hasCollateral: options.hasCollateral },
      maxBytes: options.filesMaxBytes,
      now,
    }),
    sweepFiles: createSweep({
      ...fileStore,
      identity,
      subjects,
      isWhole: async () => (await loadWhole(database, identity, async () => true)) === true,
      past,
    }),
  };
}
