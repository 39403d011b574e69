// What was handed to wallets that are not at the gateway, kept before it is sent: a process that ends in between loses
// nothing, and the next one does not send it again.
import { existsSync } from 'node:fs';
import type { Signed } from '@svc/sdk/chain';
import { type Address, addressKey } from '@svc/sdk/domain';
import type { CreateRequest, RequestStatus } from '@svc/sdk/schemas';
import { openSqliteFile, type SqliteFile } from '#messages/sqliteFile.ts';
import { createPrivately } from './privateFile.ts';
import { ifFree, inMemory, inTurn } from './turn.ts';

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
  /** Undefined, and no change, where it is not any more as it was when it was read. */
  readonly change: (kept: KeptRequest, made: Partial<KeptRequest>) => KeptRequest | undefined;
  readonly load: (id: string) => KeptRequest | undefined;
  /** Of one wallet on one chain, those that wait for their end, oldest first. */
  readonly loadOpen: (of: Pick<KeptRequest, 'wallet' | 'chain' | 'request'>) => KeptRequest[];
  /** One at a time for each wallet, whatever process it is in; the turn of a process that dies is free again. */
  readonly inTurn: <Result>(of: Turned, work: () => Promise<Result>) => Promise<Result>;
  /** Undefined where somebody is at work with that wallet. */
  readonly ifFree: <Result>(
    of: Turned,
    patienceMs: number,
    work: () => Promise<Result>,
  ) => Promise<Result | undefined>;
  readonly close: () => void;
};

export type Turned = Pick<KeptRequest, 'wallet' | 'request'>;

/** Longer than a transaction is waited for. */
const longPatienceMs = 200_000;

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

/**
 * The file is made with the first request, readable by its owner alone: signatures are in it. In memory is for accounts
 * whose money is nobody's.
 */
export function createRequestBook(path: string): RequestBook {
  let file: SqliteFile | undefined;
  const open = () => {
    if (file === undefined && path !== inMemory) createPrivately(path);
    file ??= openSqliteFile(path, schema);
    return file;
  };
  const isThere = () => file !== undefined || existsSync(path);
  // A key may well be behind the tool server that somebody is handing something to.
  const lockOf = ({ wallet, request }: Turned) =>
    path === inMemory
      ? path
      : `${path}.${senderOf({ request }).slice(2)}${wallet === 'key' ? '' : `.${wallet}`}.turn`;
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
        .database.prepare(
          'INSERT INTO request (id, chain, wallet, sender, status, text) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(kept.id, kept.chain, kept.wallet, senderOf(kept), kept.status, JSON.stringify(kept));
      return kept;
    },
    change: (kept, made) => {
      const after = { ...kept, ...made };
      const { changes } = open()
        .database.prepare('UPDATE request SET status = ?, text = ? WHERE id = ? AND text = ?')
        .run(after.status, JSON.stringify(after), after.id, JSON.stringify(kept));
      return Number(changes) === 0 ? undefined : after;
    },
    load: (id) => {
      const row = isThere()
        ? open().database.prepare('SELECT text FROM request WHERE id = ?').get(id)
        : undefined;
      return row === undefined ? undefined : parse(row);
    },
    loadOpen: ({ wallet, chain, ...rest }) =>
      isThere()
        ? open()
            .database.prepare(
              `SELECT text FROM request WHERE sender = ? AND status IN ('pending', 'submitted')
               AND wallet = ? AND chain = ? ORDER BY rowid`,
            )
            .all(senderOf(rest), wallet, chain)
            .map(parse)
        : [],
    inTurn: (of, work) =>
      inTurn({ path: lockOf(of), patienceMs: longPatienceMs, occupation: 'sending with it' }, work),
    ifFree: (of, patienceMs, work) => ifFree({ path: lockOf(of), patienceMs }, work),
    close: () => {
      file?.close();
      file = undefined;
    },
  };
}

function senderOf({ request }: Pick<KeptRequest, 'request'>): string {
  return addressKey(request.from as Address);
}
