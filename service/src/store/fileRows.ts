// Files as rows: who uses which bytes, how much room is taken, and which bytes may go.
import { SvcError } from '@svc/sdk/domain';
import type { Database, Query, Transaction } from './database.ts';
import {
  findRow,
  insertNew,
  insertRows,
  matchRow,
  queryColumn,
  queryValue,
  removeRows,
  returnsRow,
  sumOf,
  updateRows,
} from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

export type FileState = 'arriving' | 'stored' | 'removing';

export type StoredFile = { readonly sha256: string; readonly bytes: number; readonly state: FileState };

export type FileUse = {
  /** The address in lower case. */
  readonly wallet: string;
  /** A task id, the root of a conversation, or empty for a draft. */
  readonly subject: string;
  readonly sha256: string;
  readonly createdAt: number;
};

export type Reservation = {
  readonly sha256: string;
  readonly bytes: number;
  readonly wallet: string;
  readonly subject: string;
  readonly now: number;
  /** When the sweep looks at the use for the first time. */
  readonly dueAt: number;
};

export type Reserved = {
  readonly isNewUse: boolean;
  /** Whether the bytes were in the store before. */
  readonly isStored: boolean;
};

export type RoomLimits = {
  /** Of all files together, for this upload. */
  readonly total: number;
  readonly perSubject: Share;
  readonly perWallet: Share;
};

export type Share = { readonly bytes: number; readonly files: number };

const findFile = (query: Query, sha256: string): Promise<StoredFile | undefined> =>
  findRow(query, 'files', { sha256 }, 'sha256, bytes, state');

const isUsed = raw('EXISTS (SELECT 1 FROM file_uses WHERE file_uses.sha256 = files.sha256)');

export type FileRows = ReturnType<typeof createFileRows>;

export function createFileRows(database: Database) {
  /** By all files together. */
  async function loadTaken(): Promise<number> {
    return (await queryValue<number>(database.query, 'SELECT bytes FROM file_total WHERE id = 1')) ?? 0;
  }

  /** Every change of the room that is taken begins here. */
  function withRoom<T>(work: (tx: Transaction, taken: number) => Promise<T>): Promise<T> {
    return database.transaction(async (tx) => {
      const lock = 'UPDATE file_total SET bytes = bytes WHERE id = 1 RETURNING bytes';
      return work(tx, (await queryValue<number>(tx.query, lock)) ?? 0);
    });
  }

  return {
    loadTaken,

    loadFile: async (sha256: string): Promise<StoredFile | null> =>
      (await findFile(database.query, sha256)) ?? null,

    /** In one question, as every download asks it. `bytes` is null where no such file is stored. */
    async loadServed(
      sha256: string,
    ): Promise<{ readonly bytes: number | null; readonly isWithheld: boolean }> {
      const [row] = await database.query<{ bytes: number | null; withheld: number }>(sql`SELECT (SELECT bytes
        FROM files WHERE sha256 = ${sha256} AND state = 'stored') AS bytes,
           (SELECT COUNT(*) FROM withheld_hashes WHERE kind = 'file' AND hash = ${sha256}) AS withheld`);
      return { bytes: row?.bytes ?? null, isWithheld: (row?.withheld ?? 0) > 0 };
    },

    /** Throws FILE_QUOTA_REACHED and STORE_FULL where a reservation of this size would be refused now. */
    async checkRoom(wanted: Reservation, limits: RoomLimits): Promise<void> {
      await requireRoom(database, wanted, limits, await loadTaken());
    },

    /** Adds the use, and the file unless it is known. */
    reserve(wanted: Reservation, limits: RoomLimits): Promise<Reserved> {
      return withRoom(async (tx, taken) => {
        const file = await requireRoom(tx, wanted, limits, taken);
        // Its bytes are about to go; a moment later the file is new again.
        if (file?.state === 'removing') throw new SvcError('FILES_BUSY', {});
        if (file === undefined) {
          const { sha256, bytes, now: since } = wanted;
          await insertRows(tx, 'files', [{ sha256, bytes, state: 'arriving', since }]);
          await tx.query(sql`UPDATE file_total SET bytes = bytes + ${wanted.bytes}`);
        } else if (file.state === 'arriving') {
          // Otherwise the sweep might take this upload for the one that never came.
          await updateRows(tx.query, 'files', { since: wanted.now }, { sha256: wanted.sha256 });
        }
        const { now, ...use } = wanted;
        const isNewUse = await insertNew(tx.query, 'file_uses', { ...use, createdAt: now });
        return { isNewUse, isStored: file?.state === 'stored' };
      });
    },

    /** Throws FILES_BUSY where the file was forgotten meanwhile. */
    async markStored(sha256: string, now: number): Promise<void> {
      const mark = sql`UPDATE files SET state = 'stored', since = ${now} WHERE sha256 = ${sha256}
        AND state <> 'removing' RETURNING sha256`;
      if (!(await returnsRow(database.write, mark))) throw new SvcError('FILES_BUSY', {});
    },

    /** Takes back a reservation whose bytes did not reach the store. */
    async release(use: Pick<FileUse, 'wallet' | 'subject' | 'sha256'>): Promise<void> {
      const { wallet, subject, sha256 } = use;
      await withRoom(async (tx) => {
        await removeRows(tx.query, 'file_uses', { wallet, subject, sha256 });
        await forget(tx, sql`sha256 = ${sha256} AND state = 'arriving' AND NOT ${isUsed}`);
      });
    },

    /** Uses that the sweep has to look at. */
    async loadDue(now: number, limit: number): Promise<FileUse[]> {
      return database.query<FileUse>(sql`SELECT wallet, subject, sha256, created_at FROM file_uses
         WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}`);
    },

    /** The use lives on, under a subject where it was a draft. */
    async keepUse(use: FileUse, subject: string, dueAt: number): Promise<void> {
      const { createdAt: _, ...draft } = use;
      await database.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO file_uses (wallet, subject, sha256, bytes, created_at, due_at)
          SELECT wallet, CAST(${subject} AS TEXT), sha256, bytes, created_at, CAST(${dueAt} AS BIGINT)
            FROM file_uses WHERE ${matchRow(draft)}
          ON CONFLICT (wallet, subject, sha256) DO UPDATE SET due_at = excluded.due_at`);
        if (subject !== use.subject) await removeRows(tx.query, 'file_uses', draft);
      });
    },

    /** Ends the use; a file without uses is to be removed. A use that was extended meanwhile stays. */
    async endUse(use: FileUse, now: number): Promise<void> {
      await withRoom(async (tx) => {
        const { createdAt: _, ...place } = use;
        await tx.query(sql`DELETE FROM file_uses WHERE ${matchRow(place)} AND due_at <= ${now}`);
        await markRemoving(tx, use.sha256, now);
      });
    },

    /** Ends every use, for an operator. */
    async endAllUses(sha256: string, now: number): Promise<void> {
      await withRoom(async (tx) => {
        await removeRows(tx.query, 'file_uses', { sha256 });
        await markRemoving(tx, sha256, now);
      });
    },

    /** Files whose bytes did not arrive before that moment, and files whose bytes have to go. */
    async loadUnfinished(before: number, limit: number): Promise<StoredFile[]> {
      return database.query<StoredFile>(sql`SELECT sha256, bytes, state FROM files
         WHERE state <> 'stored' AND (state = 'removing' OR since < ${before}) ORDER BY since LIMIT ${limit}`);
    },

    /** The bytes are gone from the store, or did not come before that moment. */
    async forgetFile({ sha256, state }: Pick<StoredFile, 'sha256' | 'state'>, before: number): Promise<void> {
      await withRoom(async (tx) => {
        const isOver =
          state === 'removing' ? sql`state = 'removing'` : sql`state = 'arriving' AND since < ${before}`;
        const isGone = await forget(tx, sql`sha256 = ${sha256} AND ${isOver}`);
        if (isGone) await removeRows(tx.query, 'file_uses', { sha256 });
      });
    },

    async list(after: string, limit: number): Promise<(StoredFile & { uses: number; wallets: string })[]> {
      const wallets =
        database.dialect === 'postgres'
          ? `string_agg(DISTINCT wallet, ' ')`
          : 'group_concat(DISTINCT wallet)';
      return database.query(sql`SELECT files.sha256, files.bytes, files.state, COUNT(wallet) AS uses,
        ${raw(wallets)} AS wallets
         FROM files LEFT JOIN file_uses ON file_uses.sha256 = files.sha256
         WHERE files.sha256 > ${after} GROUP BY files.sha256, files.bytes, files.state ORDER BY files.sha256
         LIMIT ${limit}`);
    },
  };
}

/** The file if it is known. Only bytes that are not stored yet need room of the store. */
async function requireRoom(
  tx: Pick<Transaction, 'query'>,
  { sha256, wallet, subject, bytes }: Reservation,
  { total, perSubject, perWallet }: RoomLimits,
  taken: number,
): Promise<StoredFile | undefined> {
  const [used] = await tx.query<
    Record<'files' | 'bytes' | 'ownFiles' | 'ownBytes', number>
  >(sql`SELECT COUNT(*) AS files, ${sumOf('bytes')} AS bytes,
       COUNT(CASE WHEN subject = ${subject} THEN 1 END) AS own_files,
       ${sumOf('bytes', sql`subject = ${subject}`)} AS own_bytes
     FROM file_uses WHERE wallet = ${wallet} AND NOT (subject = ${subject}
     AND sha256 = ${sha256})`);
  const { files = 0, bytes: sum = 0, ownFiles = 0, ownBytes = 0 } = used ?? {};
  const where = subject === '' ? 'as drafts' : 'for this task or conversation';
  requireShare({ files: ownFiles + 1, bytes: ownBytes + bytes }, perSubject, where);
  requireShare({ files: files + 1, bytes: sum + bytes }, perWallet, 'in all');
  const file = await findFile(tx.query, sha256);
  if (file === undefined && taken + bytes > total) throw new SvcError('STORE_FULL', {});
  return file;
}

function requireShare(wanted: Share, share: Share, where: string): void {
  if (wanted.bytes <= share.bytes && wanted.files <= share.files) return;
  const limit = `${share.bytes / 1_000_000} MB in ${share.files} files`;
  throw new SvcError('FILE_QUOTA_REACHED', { where, limit });
}

async function markRemoving(tx: Transaction, sha256: string, now: number): Promise<void> {
  await tx.query(
    sql`UPDATE files SET state = 'removing', since = ${now} WHERE sha256 = ${sha256} AND state = 'stored'
      AND NOT ${isUsed}`,
  );
  await forget(tx, sql`sha256 = ${sha256} AND state = 'arriving' AND NOT ${isUsed}`);
}

/** Deletes the row and frees its room. */
async function forget(tx: Transaction, where: Sql): Promise<boolean> {
  const sizes = await queryColumn<number>(tx.query, sql`DELETE FROM files WHERE ${where} RETURNING bytes`);
  for (const bytes of sizes) await tx.query(sql`UPDATE file_total SET bytes = bytes - ${bytes}`);
  return sizes.length > 0;
}
