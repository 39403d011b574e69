// Use cases of files: who may upload what for which task, and what is served.
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Address, addressKey, formatTaskId, type Hash, SvcError, type TaskKey } from '@svc/sdk/domain';
import type { FileRows, RoomLimits, Share } from '#store/fileRows.ts';
import type { TaskParties } from '#store/taskParties.ts';
import type { WithheldStore } from '#store/withheld.ts';
import type { ByteRange, ByteStore } from './byteStore.ts';
import { receive } from './receive.ts';

/** What an upload is for; a draft will be named by a document or message later. */
export type Subject =
  | { readonly kind: 'task'; readonly task: TaskKey }
  | { readonly kind: 'conversation'; readonly root: Hash }
  | { readonly kind: 'draft' };

export type Upload = {
  readonly sha256: string;
  readonly bytes: number;
  readonly wallet: Address;
  readonly subject: Subject;
  readonly body: Readable;
  /** Aborts an upload that takes too long. */
  readonly signal: AbortSignal;
};

/** From rows: no upload causes a question to the chain. */
export type Standing = {
  readonly loadTask: (task: TaskKey) => Promise<TaskParties | null>;
  readonly isMember: (root: Hash, wallet: Address) => Promise<boolean>;
  readonly hasEntry: (wallet: Address) => Promise<boolean>;
};

export type FileLimits = {
  readonly fileBytes: number;
  readonly perSubject: Share;
  readonly perWallet: Share;
  /** Uploads at once. */
  readonly uploads: { readonly ofWallet: number; readonly inAll: number };
};

const megabyte = 1_000_000;

export const fileLimits: FileLimits = {
  fileBytes: 25 * megabyte,
  perSubject: { bytes: 100 * megabyte, files: 200 },
  perWallet: { bytes: 500 * megabyte, files: 2_000 },
  uploads: { ofWallet: 4, inAll: 32 },
};

/** Of all room; the rest is for evidence. */
const undisputedShare = 0.9;
const day = 86_400;
const draftSeconds = day;
/** After the end of its task. Until then the sweep looks at a use from time to time. */
export const keptSeconds = 90 * day;

export type FileOptions = {
  readonly rows: FileRows;
  readonly withheld: Pick<WithheldStore, 'isWithheld'>;
  readonly bytes: ByteStore;
  /** Where uploads arrive. */
  readonly incoming: string;
  readonly standing: Standing;
  /** All files together. */
  readonly maxBytes: number;
  readonly now: () => number;
  readonly limits?: FileLimits;
};

export type FileService = ReturnType<typeof createFileService>;

export function createFileService(options: FileOptions) {
  const { rows, withheld, bytes: store, incoming, standing, maxBytes, now } = options;
  const { limits = fileLimits } = options;
  const uploads = new Map<Address, number>();
  let running = 0;

  /** Throws where this wallet may not upload for the subject; otherwise says how much room there is. */
  async function checkStanding(wallet: Address, subject: Subject): Promise<RoomLimits> {
    const { perSubject, perWallet } = limits;
    const room = { total: maxBytes * undisputedShare, perSubject, perWallet };
    if (subject.kind === 'draft') {
      if (!(await standing.hasEntry(wallet))) throw new SvcError('NO_STANDING', {});
      return room;
    }
    if (subject.kind === 'conversation') {
      if (!(await standing.isMember(subject.root, wallet))) throw new SvcError('NOT_A_PARTY', {});
      return room;
    }
    const task = await standing.loadTask(subject.task);
    if (task === null) throw new SvcError('TASK_UNKNOWN', {});
    if (!task.parties.includes(wallet)) throw new SvcError('NOT_A_PARTY', {});
    return task.state === 'DISPUTED' ? { ...room, total: maxBytes } : room;
  }

  /** Counts uploads at once: each holds a file and a connection. */
  async function inTurn<T>(wallet: Address, work: () => Promise<T>): Promise<T> {
    const own = uploads.get(wallet) ?? 0;
    if (running >= limits.uploads.inAll || own >= limits.uploads.ofWallet)
      throw new SvcError('FILES_BUSY', {});
    running++;
    uploads.set(wallet, own + 1);
    try {
      return await work();
    } finally {
      running--;
      const left = (uploads.get(wallet) ?? 1) - 1;
      if (left === 0) uploads.delete(wallet);
      else uploads.set(wallet, left);
    }
  }

  async function requireServed(sha256: string): Promise<void> {
    if (await withheld.isWithheld('file', sha256)) throw new SvcError('WITHHELD', {});
  }

  return {
    limits,

    /** Resolves to whether the bytes are new here. */
    async put({ sha256, bytes, wallet, subject, body, signal }: Upload): Promise<boolean> {
      if (bytes > limits.fileBytes)
        throw new SvcError('FILE_TOO_LARGE', { limit: String(limits.fileBytes / megabyte) });
      await requireServed(sha256);
      const key = addressKey(wallet);
      const room = await checkStanding(key, subject);
      const wanted = () => ({
        sha256,
        bytes,
        wallet: key,
        subject: nameOf(subject),
        now: now(),
        dueAt: now() + (subject.kind === 'draft' ? draftSeconds : keptSeconds),
      });
      // Asked before and after: nobody should send 25 MB to hear that there is no room.
      await rows.checkRoom(wanted(), room);
      return inTurn(key, () =>
        receive(incoming, body, { sha256, bytes, signal }, async (path) => {
          const reservation = wanted();
          const { isNewUse, isStored } = await rows.reserve(reservation, room);
          try {
            if (!isStored || !(await store.has(sha256))) await store.keep(sha256, path, bytes);
            await rows.markStored(sha256, now());
          } catch (error) {
            if (isNewUse) await rows.release(reservation);
            throw error;
          }
          return !isStored;
        }),
      );
    },

    /** Throws FILE_NOT_FOUND and WITHHELD. */
    async find(sha256: string): Promise<{
      readonly bytes: number;
      readonly read: (range: ByteRange | null) => Promise<Readable>;
    }> {
      await requireServed(sha256);
      const file = await rows.loadFile(sha256);
      if (file?.state !== 'stored') throw new SvcError('FILE_NOT_FOUND', {});
      const read = async (range: ByteRange | null) => {
        const found = await store.read(sha256, range);
        if (found === null) throw new SvcError('FILE_NOT_FOUND', {});
        return found;
      };
      return { bytes: file.bytes, read };
    },

    /** A small file, such as a document; null where there is none, or only a larger one. Throws WITHHELD. */
    async load(sha256: string, most: number): Promise<Uint8Array | null> {
      await requireServed(sha256);
      const file = await rows.loadFile(sha256);
      if (file?.state !== 'stored' || file.bytes > most) return null;
      const found = await store.read(sha256, null);
      return found === null ? null : buffer(found);
    },
  };
}

/** As rows keep it. */
function nameOf(subject: Subject): string {
  if (subject.kind === 'task') return formatTaskId(subject.task);
  return subject.kind === 'conversation' ? subject.root.toLowerCase() : '';
}
