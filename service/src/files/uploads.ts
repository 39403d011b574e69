// Use cases of files: who may upload what for which task, and what is served.

import type { Readable } from 'node:stream';
import { type Address, formatTaskId, SvcError, type TaskKey } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { RoomLimits, Share } from '../store/fileRows.ts';
import type { FileSubjects } from '../store/fileSubjects.ts';
import { createFileReader, type FileSources } from './fileReader.ts';
import { receive } from './receive.ts';
import { requireSealed } from './sealedBytes.ts';

/** What an upload is for; a draft will be named by a document or message later. */
export type Subject =
  | { readonly kind: 'task'; readonly task: TaskKey }
  | { readonly kind: 'conversation'; readonly root: Hex }
  | { readonly kind: 'draft' };

export type Upload = {
  readonly sha256: string;
  readonly bytes: number;
  readonly wallet: Address;
  readonly subject: Subject;
  /** Whether the uploader says that the bytes are encrypted. */
  readonly isSealed: boolean;
  readonly body: Readable;
  /** Aborts an upload that takes too long. */
  readonly signal: AbortSignal;
};

/** Answered from the database: an upload never asks the chain. */
export type Standing = Pick<FileSubjects, 'loadTask' | 'loadConversation'> & {
  readonly hasCollateral: (wallet: Address) => Promise<boolean>;
};

export type FileLimits = {
  readonly fileBytes: number;
  readonly perSubject: Share;
  readonly perWallet: Share;
  /** At once; some of all are for parties of a live dispute. */
  readonly uploads: { readonly ofWallet: number; readonly inAll: number; readonly forDisputes: number };
  /** An upload that stands still for this long ends. */
  readonly stallMs: number;
};

const megabyte = 1_000_000;

export const fileLimits: FileLimits = {
  fileBytes: 25 * megabyte,
  perSubject: { bytes: 100 * megabyte, files: 200 },
  perWallet: { bytes: 500 * megabyte, files: 2_000 },
  uploads: { ofWallet: 4, inAll: 32, forDisputes: 4 },
  stallMs: 30_000,
};

/** The part of the space that uploads outside of disputes may fill; the rest is for evidence. */
const undisputedShare = 0.9;
const day = 86_400;
const draftSeconds = day;
/** How long a file is kept after the end of its task. Until then the sweep checks its use from time to time. */
export const keptSeconds = 90 * day;

/** Room for an upload, and whether it is evidence in a live dispute. */
type Room = RoomLimits & { readonly isEvidence: boolean };

export type FileOptions = FileSources & {
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
  const { rows, bytes: store, incoming, standing, maxBytes, now, limits = fileLimits } = options;
  const reader = createFileReader(options);
  /** The wallets of the uploads that run now. */
  const running: Address[] = [];

  /** Throws where this wallet may not upload for the subject; otherwise says how much room there is. */
  async function checkStanding(wallet: Address, subject: Subject, isSealed: boolean): Promise<Room> {
    const { perSubject, perWallet } = limits;
    const room = { total: maxBytes * undisputedShare, perSubject, perWallet, isEvidence: false };
    if (subject.kind === 'draft') {
      if (!(await standing.hasCollateral(wallet))) throw new SvcError('NO_STANDING', {});
      return room;
    }
    if (subject.kind === 'conversation') {
      const conversation = await standing.loadConversation(subject.root);
      if (!conversation?.parties.includes(wallet)) throw new SvcError('NOT_A_PARTY', {});
      return room;
    }
    const task = await standing.loadTask(subject.task);
    if (task === null) throw new SvcError('TASK_UNKNOWN', {});
    if (!task.parties.includes(wallet)) throw new SvcError('NOT_A_PARTY', {});
    if (task.isPrivate && !isSealed)
      throw new SvcError('FILE_NOT_SEALED', { reason: 'those of a private task must be, with sealed=true' });
    return task.state === 'DISPUTED' ? { ...room, total: maxBytes, isEvidence: true } : room;
  }

  /** Throws FILES_BUSY. */
  async function withPlace<T>(wallet: Address, isEvidence: boolean, work: () => Promise<T>): Promise<T> {
    const { ofWallet, inAll, forDisputes } = limits.uploads;
    const isFull = running.length >= inAll - (isEvidence ? 0 : forDisputes);
    if (isFull || running.filter((one) => one === wallet).length >= ofWallet)
      throw new SvcError('FILES_BUSY', {});
    running.push(wallet);
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(wallet), 1);
    }
  }

  return {
    limits,
    find: reader.find,
    /** How many are on their way. */
    countRunning: () => running.length,

    /** Resolves to whether the bytes are new here. */
    async put({ sha256, bytes, wallet, subject, isSealed, body, signal }: Upload): Promise<boolean> {
      if (bytes > limits.fileBytes)
        throw new SvcError('FILE_TOO_LARGE', { limit: String(limits.fileBytes / megabyte) });
      await reader.requireServed(sha256);
      const key = addressKey(wallet);
      const room = await checkStanding(key, subject, isSealed);
      const wanted = () => ({
        sha256,
        bytes,
        wallet: key,
        subject: nameOf(subject),
        now: now(),
        dueAt: now() + (subject.kind === 'draft' ? draftSeconds : keptSeconds),
      });
      // Checked before and after the transfer: nobody should send 25 MB only to learn that there is no space.
      await rows.checkRoom(wanted(), room);
      return withPlace(key, room.isEvidence, () =>
        receive(incoming, body, { sha256, bytes, signal, stallMs: limits.stallMs }, async (path) => {
          if (isSealed) await requireSealed(path, bytes);
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
  };
}

/** The subject as rows store it. */
function nameOf(subject: Subject): string {
  if (subject.kind === 'task') return formatTaskId(subject.task);
  return subject.kind === 'conversation' ? subject.root.toLowerCase() : '';
}
