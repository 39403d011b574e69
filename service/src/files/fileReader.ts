// Reads files that are stored and may be served.
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SvcError } from '@svc/sdk/domain';
import type { FileRows } from '../store/fileRows.ts';
import type { WithheldStore } from '../store/withheld.ts';
import type { ByteRange, ByteStore } from './byteStore.ts';

export type FileSources = {
  readonly rows: FileRows;
  readonly withheld: Pick<WithheldStore, 'isWithheld'>;
  readonly bytes: ByteStore;
};

export type FoundFile = {
  readonly bytes: number;
  readonly read: (range: ByteRange | null) => Promise<Readable>;
};

export function createFileReader({ rows, withheld, bytes: store }: FileSources) {
  async function requireServed(sha256: string): Promise<void> {
    if (await withheld.isWithheld('file', sha256)) throw new SvcError('WITHHELD', {});
  }

  return {
    /** Throws WITHHELD. */
    requireServed,

    /** Throws FILE_NOT_FOUND and WITHHELD. */
    async find(sha256: string): Promise<FoundFile> {
      const { bytes, isWithheld } = await rows.loadServed(sha256);
      if (isWithheld) throw new SvcError('WITHHELD', {});
      if (bytes === null) throw new SvcError('FILE_NOT_FOUND', {});
      const read = async (range: ByteRange | null) => {
        const found = await store.read(sha256, range);
        // Another replica has it in its own folder.
        if (found === null) throw new SvcError('FILE_NOT_FOUND', {});
        return found;
      };
      return { bytes, read };
    },

    /** A small file, such as a document; null where there is none, or only a larger one. */
    async load(sha256: string, maxBytes: number): Promise<Uint8Array | null> {
      const file = await rows.loadFile(sha256);
      if (file?.state !== 'stored' || file.bytes > maxBytes) return null;
      const found = await store.read(sha256, null);
      return found && buffer(found);
    },
  };
}
