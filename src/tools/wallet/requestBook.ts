// What was handed to wallets that are not at the gateway, kept before it is sent: a process that ends in between loses
// nothing, and the next one does not send it again.
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Signed } from '#chain/send.ts';
import { type Address, addressKey } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { openSqliteFile, type SqliteFile } from '#negotiation/transport/sqliteFile.ts';
import type { CreateRequest, RequestStatus } from '#schemas/walletRequest.ts';

export type KeptRequest = {
  readonly id: string;
  readonly wallet: 'key' | 'mcp';
  /** Genesis hash of the chain it is meant for. */
  readonly chain: string;
  readonly request: CreateRequest;
  /** Where a wallet tool server is asked; null for a key. */
  readonly server: string | null;
  /** How that server calls it; null until it has said so. */
  readonly remoteId: string | null;
  readonly approvalUrl: string | null;
  readonly status: RequestStatus;
  /** By a key, in the order of the calls; each is kept before it is sent. */
  readonly signed: readonly Signed[];
  readonly transactionHashes: readonly string[];
  readonly signature: string | null;
  readonly error: string | null;
  /** Unix seconds. */
  readonly createdAt: number;
};

export type RequestBook = {
  readonly begin: (draft: Pick<KeptRequest, 'wallet' | 'chain' | 'request' | 'server'>) => KeptRequest;
  readonly change: (kept: KeptRequest, made: Partial<KeptRequest>) => KeptRequest;
  readonly load: (id: string) => KeptRequest | undefined;
  /** Of one wallet on one chain, those that wait for their end, oldest first. */
  readonly loadOpen: (of: Pick<KeptRequest, 'wallet' | 'chain' | 'request'>) => KeptRequest[];
  /** One at a time for each address, whatever process it is in; the turn of a process that dies is free again. */
  readonly inTurn: <Result>(from: Address, work: () => Promise<Result>) => Promise<Result>;
  readonly close: () => void;
};

/** For as long as the process lives; for accounts whose money is nobody's. */
export const inMemory = ':memory:';

const schema = `
  CREATE TABLE IF NOT EXISTS request (
    id TEXT PRIMARY KEY,
    chain TEXT NOT NULL,
    wallet TEXT NOT NULL,
    sender TEXT NOT NULL,
    status TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS request_open ON request (sender, status);`;

/** The file is made with the first request, readable by its owner alone: signatures are in it. */
export function createRequestBook(path: string): RequestBook {
  let file: SqliteFile | undefined;
  const open = () => {
    if (file === undefined && path !== inMemory) createPrivately(path);
    file ??= openSqliteFile(path, schema);
    return file.database;
  };
  const isThere = () => file !== undefined || existsSync(path);
  const parse = (row: unknown) => JSON.parse((row as { text: string }).text) as KeptRequest;
  return {
    begin: (draft) => {
      const kept: KeptRequest = {
        ...draft,
        id: `${draft.wallet}-${crypto.randomUUID()}`,
        remoteId: null,
        approvalUrl: null,
        status: 'pending',
        signed: [],
        transactionHashes: [],
        signature: null,
        error: null,
        createdAt: Math.floor(Date.now() / 1_000),
      };
      open()
        .prepare('INSERT INTO request (id, chain, wallet, sender, status, text) VALUES (?, ?, ?, ?, ?, ?)')
        .run(kept.id, kept.chain, kept.wallet, senderOf(kept), kept.status, JSON.stringify(kept));
      return kept;
    },
    change: (kept, made) => {
      const after = { ...kept, ...made };
      open()
        .prepare('UPDATE request SET status = ?, text = ? WHERE id = ?')
        .run(after.status, JSON.stringify(after), after.id);
      return after;
    },
    load: (id) => {
      const row = isThere() ? open().prepare('SELECT text FROM request WHERE id = ?').get(id) : undefined;
      return row === undefined ? undefined : parse(row);
    },
    loadOpen: ({ wallet, chain, ...rest }) =>
      isThere()
        ? open()
            .prepare(
              `SELECT text FROM request WHERE sender = ? AND status IN ('pending', 'submitted')
               AND wallet = ? AND chain = ? ORDER BY rowid`,
            )
            .all(senderOf(rest), wallet, chain)
            .map(parse)
        : [],
    inTurn: async (from, work) => {
      const turn = path === inMemory ? path : `${path}.${addressKey(from).slice(2)}.turn`;
      const release = await takeTurn(turn);
      try {
        return await work();
      } finally {
        release();
      }
    },
    close: () => {
      file?.close();
      file = undefined;
    },
  };
}

function senderOf({ request }: Pick<KeptRequest, 'request'>): string {
  return addressKey(request.from as Address);
}

function createPrivately(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be made';
    throw new SvcError('FILE_UNUSABLE', { file: path, reason }, error);
  }
}

/** Longer than a transaction is waited for. */
const patienceMs = 200_000;
const pauseMs = 50;
const sqliteBusy = 5;

/** A lock that the system takes back from a process that dies, unlike a file that says who holds it. */
async function takeTurn(path: string): Promise<() => void> {
  if (path !== inMemory) createPrivately(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  for (const end = performance.now() + patienceMs; ; ) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return () => lock.close();
    } catch (error) {
      const isBusy = (error as { errcode?: number }).errcode === sqliteBusy;
      if (!isBusy || performance.now() > end) {
        lock.close();
        const reason = isBusy
          ? 'another process is sending with it; try again later'
          : 'its lock cannot be used';
        throw new SvcError('WALLET_REFUSED', { reason }, error);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
