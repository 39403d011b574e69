// Documents and file keys of private tasks that this machine made: kept until those who must have them do, so that a document
// whose hash is on chain is not lost with the answer of a tool. And the files that it uploaded, so that their names are enough; and
// what tools do once an owner has signed, so that a signature given during a restart is not lost.

import type { Artifact, WorkDocument } from '@svc/sdk/documents';
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { hashCanonical } from '@svc/sdk/internal/domain/canonical';
import type { FileKeys } from '@svc/sdk/internal/negotiation/judgeDisclosure';
import { createSqliteFile } from '../store/localFiles.ts';

export type PaperFile = ReturnType<typeof createPaperFile>;

const schema = `
  CREATE TABLE IF NOT EXISTS paper (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,
    task TEXT NOT NULL,
    request TEXT,
    sender TEXT,
    text TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS file_key (position INTEGER PRIMARY KEY AUTOINCREMENT, sealed TEXT NOT NULL UNIQUE, key TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS file (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    wallet TEXT NOT NULL,
    task TEXT NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    uploaded INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (wallet, task, name, sha256)
  );
  CREATE TABLE IF NOT EXISTS step (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    request TEXT NOT NULL UNIQUE,
    tool TEXT NOT NULL,
    wallet TEXT NOT NULL,
    text TEXT NOT NULL
  )`;

/** Whose file it is, and the task for which it was uploaded; none for a draft. */
type FileOwner = { readonly wallet: Address; readonly taskId?: string | undefined };

type WaitingStep = { readonly tool: string; readonly from: Address; readonly data: unknown };

/** The gateway forgets a draft after a day, unless something names it. */
const draftMs = 23 * 3_600_000;

/** For a server of many wallets, which keeps nothing of any. */
export const noPapers: PaperFile = {
  save: () => undefined,
  saveFile: () => undefined,
  loadDocuments: () => [],
  loadKeys: () => ({}),
  loadFiles: () => [],
  find: () => undefined,
  saveStep: () => undefined,
  findStep: () => undefined,
  dropStep: () => undefined,
  close: () => undefined,
};

/** The newest are kept: others have been sent long ago, or never came on chain. */
const most = 2_000;

export function createPaperFile(path: string) {
  const { all, run, transaction, close } = createSqliteFile(path, schema);
  const drop = (table: string) =>
    run(
      `DELETE FROM ${table} WHERE position <= (SELECT position FROM ${table} ORDER BY position DESC LIMIT 1 OFFSET ${most})`,
    );
  return {
    /** `requestId` is of the wallet request that brings its hash on chain, `from` the wallet of it. */
    save: (
      taskId: string,
      document: WorkDocument,
      { requestId, from }: { readonly requestId: string | null; readonly from: string | null },
    ): void =>
      transaction(() => {
        run(
          `INSERT INTO paper (hash, task, request, sender, text) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET request = excluded.request, sender = excluded.sender`,
          ...[hashCanonical(document), taskId, requestId, from, JSON.stringify(document)],
        );
        drop('paper');
      }),

    /** With the keys that open it: none unless it is sealed. */
    saveFile: ({ wallet, taskId = '' }: FileOwner, artifact: Artifact, keys: FileKeys): void =>
      transaction(() => {
        for (const [sealed, key] of Object.entries(keys))
          run('INSERT INTO file_key (sealed, key) VALUES (?, ?) ON CONFLICT DO NOTHING', sealed, key);
        drop('file_key');
        const { name, sha256 } = artifact;
        run(
          `INSERT INTO file (wallet, task, name, sha256, uploaded, text) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET uploaded = excluded.uploaded, text = excluded.text`,
          ...[addressKey(wallet), taskId, name, sha256, Date.now(), JSON.stringify(artifact)],
        );
        drop('file');
      }),

    loadDocuments: (taskId: string): WorkDocument[] =>
      all('SELECT text FROM paper WHERE task = ? ORDER BY position', taskId).map(
        ({ text }) => JSON.parse(String(text)) as WorkDocument,
      ),

    loadKeys: (): FileKeys =>
      Object.fromEntries(all('SELECT sealed, key FROM file_key').map(({ sealed, key }) => [sealed, key])),

    /** Of this wallet and this task alone, oldest first. */
    loadFiles: ({ wallet, taskId = '' }: FileOwner): Artifact[] =>
      all(
        `SELECT text FROM file WHERE wallet = ? AND task = ? AND (task <> '' OR uploaded > ?) ORDER BY position`,
        ...[addressKey(wallet), taskId, Date.now() - draftMs],
      ).map(({ text }) => JSON.parse(String(text)) as Artifact),

    /** What a tool does once the owner of this wallet has signed the request. */
    saveStep: (requestId: string, { tool, from, data }: WaitingStep): void =>
      transaction(() => {
        run(
          'INSERT INTO step (request, tool, wallet, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
          ...[requestId, tool, addressKey(from), JSON.stringify(data)],
        );
        drop('step');
      }),

    findStep: (requestId: string, { tool, from }: Omit<WaitingStep, 'data'>): unknown =>
      all(
        'SELECT text FROM step WHERE request = ? AND tool = ? AND wallet = ?',
        ...[requestId, tool, addressKey(from)],
      ).map(({ text }) => JSON.parse(String(text)))[0],

    dropStep: (requestId: string): void => void run('DELETE FROM step WHERE request = ?', requestId),

    /** The task whose document this request brought on chain, and the wallet. */
    find: (requestId: string): { readonly taskId: string; readonly from: string } | undefined =>
      all('SELECT task, sender FROM paper WHERE request = ?', requestId).map(({ task, sender }) => ({
        taskId: String(task),
        from: String(sender),
      }))[0],

    close,
  };
}
