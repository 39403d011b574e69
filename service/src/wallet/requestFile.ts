// Requests to wallets that are not at the gateway, in one file of the data folder. Each is saved before anything is sent:
// a process that dies loses nothing, and the next one does not send it again.

import type { CreateRequest } from '@svc/sdk/client';
import { SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { splitApprovalUrl } from '@svc/sdk/internal/domain/approvalLink';
import type { Signed } from '@svc/sdk/internal/send/keySender';
import { OperatorError } from '../errors/operatorError.ts';
import { createSqliteFile, inMemory, withLock } from '../store/localFiles.ts';
import { isOpen, type RequestState } from './requestMachine.ts';
import type { WalletAnswer } from './walletInterface.ts';

export type SavedRequest = RequestState & {
  readonly wallet: 'key' | 'mcp';
  /** Genesis hash of the chain it is meant for. */
  readonly chain: string;
  /** The wallet tool server; null for a key. */
  readonly server: string | null;
  /** The id that this server gave it; null until it has answered. */
  readonly remoteId: string | null;
  /** Where this server asks its owner; null where it names no page. */
  readonly approvalUrl: string | null;
  /** The page at the gateway that shows it, with the secret that reports to it. Requests of earlier versions have none. */
  readonly page?: string | null;
  /** Signed by a key, in the order of the calls; each is saved before it is sent. */
  readonly signed: readonly Signed[];
};

type Owner = Pick<SavedRequest, 'wallet'> & { readonly request: Pick<CreateRequest, 'from'> };

export type RequestFile = ReturnType<typeof createRequestFile>;

/** Longer than anybody waits for a transaction. */
const lockWaitMs = 200_000;
/** Readers hold the lock for a moment only. */
const giveUpWaitMs = 500;

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

/** The file is created with the first request, and only its owner may read it: it contains signatures. In memory unless a path is given. */
export function createRequestFile(path = inMemory) {
  const { all, run, close } = createSqliteFile(path, schema);
  // A key and a tool server have a lock each: the server may use the same key. The suffix excludes earlier versions, too.
  const lockOf = ({ wallet, request }: Owner) =>
    path === inMemory
      ? path
      : `${path}.${senderOf(request).slice(2)}${wallet === 'key' ? '' : `.${wallet}`}.turn`;
  const parse = (row: unknown) => JSON.parse((row as { text: string }).text) as SavedRequest;

  const load = (id: string): SavedRequest | undefined =>
    all('SELECT text FROM request WHERE id = ?', id).map(parse)[0];

  /** Throws WALLET_REQUEST_NOT_FOUND. */
  const requireSaved = (id: string): SavedRequest => {
    const saved = load(id);
    if (saved === undefined) throw new SvcError('WALLET_REQUEST_NOT_FOUND', {});
    return saved;
  };

  /** Compare and set: undefined, and no change, where the stored request is no longer `before`. */
  const change = (before: SavedRequest, made: Partial<SavedRequest>): SavedRequest | undefined => {
    const after = { ...before, ...made };
    const changes = run(
      'UPDATE request SET status = ?, text = ? WHERE id = ? AND text = ?',
      ...[after.status, JSON.stringify(after), after.id, JSON.stringify(before)],
    );
    return changes === 0 ? undefined : after;
  };

  /** Undefined where somebody is using that wallet. */
  const tryLocked = <Result>(owner: Owner, waitMs: number, work: () => Promise<Result>) =>
    withLock(lockOf(owner), waitMs, work);

  return {
    load,
    requireSaved,
    change,
    tryLocked,

    create: (
      draft: Pick<SavedRequest, 'wallet' | 'chain' | 'request' | 'server' | 'page'> & {
        readonly id?: string;
      },
    ): SavedRequest => {
      const made: SavedRequest = {
        id: createRequestId(draft.wallet),
        ...draft,
        remoteId: null,
        approvalUrl: null,
        status: 'pending',
        signed: [],
        transactionHashes: [],
        signature: null,
        error: null,
        createdAt: Math.floor(Date.now() / 1_000),
      };
      run(
        'INSERT INTO request (id, chain, wallet, sender, status, text) VALUES (?, ?, ?, ?, ?, ?)',
        ...[made.id, made.chain, made.wallet, senderOf(made.request), made.status, JSON.stringify(made)],
      );
      return made;
    },

    /** The open requests of one wallet on one chain, oldest first. */
    loadOpen: ({ wallet, chain, request }: Owner & Pick<SavedRequest, 'chain'>): SavedRequest[] =>
      all(
        `SELECT text FROM request WHERE sender = ? AND status IN ('pending', 'submitted')
         AND wallet = ? AND chain = ? ORDER BY rowid`,
        ...[senderOf(request), wallet, chain],
      ).map(parse),

    /** One caller at a time for each wallet, in all processes. Throws WALLET_REFUSED after a long wait. */
    locked: async <Result>(owner: Owner, work: () => Promise<Result>): Promise<Result> => {
      const done = await tryLocked(owner, lockWaitMs, async () => ({ result: await work() }));
      if (done === undefined)
        throw new OperatorError('WALLET_REFUSED', { reason: 'another process is using it; try again later' });
      return done.result;
    },

    /** Gives an open request up. Throws WALLET_REQUEST_UNDER_WAY while a process works on it: it would continue. */
    giveUp: async (request: SavedRequest): Promise<SavedRequest> => {
      if (!isOpen(request)) return request;
      const ended = await tryLocked(request, giveUpWaitMs, async () => {
        const now = load(request.id) ?? request;
        if (!isOpen(now)) return now;
        return change(now, { status: 'failed', error: 'The request was given up.' }) ?? load(now.id) ?? now;
      });
      if (ended === undefined) throw new OperatorError('WALLET_REQUEST_UNDER_WAY', { requestId: request.id });
      return ended;
    },

    /** Whether a process is sending a request that a key has signed; null where there is no such request. */
    isSending: async (request: SavedRequest | undefined): Promise<boolean | null> => {
      if (request?.wallet !== 'key' || request.status !== 'submitted') return null;
      return (await tryLocked(request, 0, async () => true)) === undefined;
    },

    close,
  };
}

export function createRequestId(wallet: SavedRequest['wallet']): string {
  return `${wallet}-${crypto.randomUUID()}`;
}

function senderOf({ from }: Pick<CreateRequest, 'from'>): string {
  return addressKey(from);
}

export function toAnswer({ id, ...saved }: SavedRequest): WalletAnswer {
  const { page = null, status, transactionHashes, signature, error } = saved;
  const approvalUrl = saved.approvalUrl ?? (page === null ? null : splitApprovalUrl(page).approvalUrl);
  return { requestId: id, approvalUrl, status, transactionHashes, signature, error };
}

/** Compares the last calls: the allowances before them depend on what was approved earlier. */
export function isSameAction({ request: left }: SavedRequest, right: CreateRequest): boolean {
  if (left.kind !== 'calls' || right.kind !== 'calls') return false;
  const [one, other] = [left.calls.at(-1), right.calls.at(-1)];
  return (['to', 'data', 'value'] as const).every(
    (field) => one?.[field].toLowerCase() === other?.[field].toLowerCase(),
  );
}
