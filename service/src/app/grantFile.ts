// The file in the data folder that keeps what hosted wallet tool servers have granted; several processes share it.
import { SvcError } from '@svc/sdk/domain';
import { withLock } from '#store/localFiles.ts';
import { type GrantStore, renewalTimeoutMs } from '#wallet/grants.ts';
import { ownerOnly, readFile, replaceFile } from './durableFile.ts';

/** Longer than any renewal takes. */
const lockWaitMs = renewalTimeoutMs * 1.5;

export function createGrantFile(path: string): GrantStore {
  return {
    load: () => readFile(path),
    save: (text) => replaceFile(path, text, ownerOnly),
    locked: async (work) => {
      const done = await withLock(`${path}.turn`, lockWaitMs, async () => ({ result: await work() }));
      if (done !== undefined) return done.result;
      const reason = 'another process is renewing its permission; try again later';
      throw new SvcError('WALLET_REFUSED', { reason });
    },
  };
}
