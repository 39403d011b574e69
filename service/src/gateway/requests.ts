// Wallet requests: calls or typed data that wait for a wallet's owner, and the proof of what became of them.
import { randomBytes } from 'node:crypto';
import type { Hash } from '@svc/sdk/domain';
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import type { CreateRequest, RequestResult, RequestStatus, WalletRequest } from '@svc/sdk/schemas';
import { hashTypedData, type TypedDataDefinition } from 'viem';

export type StoredRequest = {
  readonly id: string;
  readonly status: RequestStatus;
  readonly request: CreateRequest;
  readonly transactionHashes: readonly Hash[];
  readonly signature: Hash | null;
  readonly error: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly updatedAt: number;
};

type Change = Pick<StoredRequest, 'status' | 'transactionHashes' | 'signature' | 'error' | 'updatedAt'>;

export type RequestStore = {
  readonly saveRequest: (request: StoredRequest) => Promise<void>;
  readonly loadRequest: (id: string) => Promise<StoredRequest | null>;
  /** Those that the chain or the clock may have decided. */
  readonly loadDue: (now: number, limit: number) => Promise<StoredRequest[]>;
  /** False when somebody else has changed it meanwhile. */
  readonly changeRequest: (before: StoredRequest, after: Change) => Promise<boolean>;
};

export type RequestedCalls = {
  readonly from: Address;
  readonly calls: readonly { readonly to: Address; readonly value: Hash; readonly data: Hash }[];
  /** What was mined before this time was not sent for the request. */
  readonly since: number;
};

/** What the chain says about transactions: not mined yet, done as asked, or why not. */
export type CallsOutcome =
  | { readonly kind: 'waiting' | 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

export type RequestChain = {
  readonly readOutcome: (asked: RequestedCalls, hashes: readonly Hash[]) => Promise<CallsOutcome>;
  /** Wallets that are contracts decide for themselves what a signature of theirs is. */
  readonly isSignedBy: (from: Address, typedData: TypedDataDefinition, signature: Hash) => Promise<boolean>;
};

export type RequestNeeds = {
  readonly store: RequestStore;
  readonly chain: RequestChain;
  readonly now: () => number;
  /** Where the wallet's owner decides. */
  readonly approvalUrl: (id: string) => string;
};

export type RequestService = ReturnType<typeof createRequestService>;

/** How long a request waits for its owner, and a transaction for a block. */
const lifetimeSeconds = 24 * 3_600;
const checkedAtOnce = 1_000;

const idBytes = 16;
/** PostgreSQL takes no text with a NUL in it, so nothing but ids gets there. */
const idShape = /^[\w-]{22}$/;

export function createRequestService({ store, chain, now, approvalUrl }: RequestNeeds) {
  async function load(id: string): Promise<StoredRequest> {
    const found = idShape.test(id) ? await store.loadRequest(id) : null;
    if (found === null) throw new SvcError('WALLET_REQUEST_NOT_FOUND', {});
    return found;
  }

  /** Whoever loses against somebody else's change sees what that one made of it. */
  async function change(before: StoredRequest, made: Partial<Change>): Promise<StoredRequest> {
    const { transactionHashes, signature, error, status } = before;
    const after = { status, transactionHashes, signature, error, ...made, updatedAt: now() };
    return (await store.changeRequest(before, after)) ? { ...before, ...after } : load(before.id);
  }

  /** Brings a request up to what the clock and the chain say of it. */
  async function check(known: StoredRequest): Promise<StoredRequest> {
    const isLate = now() > known.expiresAt;
    if (known.status === 'pending') return isLate ? change(known, { status: 'expired' }) : known;
    if (known.status !== 'submitted' || known.request.kind !== 'calls') return known;
    const asked = { ...(known.request as unknown as RequestedCalls), since: known.createdAt };
    const outcome = await chain.readOutcome(asked, known.transactionHashes);
    if (outcome.kind === 'done') return change(known, { status: 'settled' });
    if (outcome.kind === 'failed') return change(known, { status: 'failed', error: outcome.reason });
    return isLate ? change(known, { status: 'failed', error: neverMined }) : known;
  }

  /** While the chain cannot be asked, what is known is the answer. */
  const tryCheck = (known: StoredRequest) => check(known).catch(() => known);

  /** A wallet asks its owner call by call; what went out already must be known to whoever goes on. */
  async function note(known: StoredRequest, hashes: readonly Hash[]): Promise<StoredRequest> {
    const transactionHashes = tidyHashes(known, hashes);
    if (known.status !== 'pending') throw decided(known);
    // Whoever knows of fewer calls than were sent would send one twice.
    const callCount = known.request.kind === 'calls' ? known.request.calls.length : 0;
    if (hashes.length > callCount || hashes.length < known.transactionHashes.length)
      throw new SvcError('BODY_INVALID', {
        reason: `transactionHashes must be ${known.transactionHashes.length} to ${callCount}`,
      });
    const after = await change(known, { transactionHashes });
    if (!isEqual(after.transactionHashes, transactionHashes)) throw decided(after);
    return after;
  }

  async function submit(known: StoredRequest, hashes: readonly Hash[]): Promise<StoredRequest> {
    const transactionHashes = tidyHashes(known, hashes);
    if (known.status !== 'pending' && isEqual(known.transactionHashes, transactionHashes)) return known;
    // A wallet may replace a transaction that waits by one that pays more.
    if (known.status !== 'pending' && known.status !== 'submitted') throw decided(known);
    const after = await change(known, { status: 'submitted', transactionHashes });
    if (!isEqual(after.transactionHashes, transactionHashes) || after.status === 'rejected')
      throw decided(after);
    return after;
  }

  async function sign(known: StoredRequest, signature: Hash): Promise<StoredRequest> {
    if (known.request.kind !== 'signature') throw wrongKind('transactions');
    if (known.signature === signature) return known;
    if (known.status !== 'pending') throw decided(known);
    const typedData = known.request.typedData as unknown as TypedDataDefinition;
    if (!(await chain.isSignedBy(known.request.from as Address, typedData, signature)))
      throw new SvcError('SIGNATURE_WRONG', { address: known.request.from });
    const after = await change(known, { status: 'settled', signature });
    if (after.signature !== signature) throw decided(after);
    return after;
  }

  async function reject(known: StoredRequest): Promise<StoredRequest> {
    if (known.status === 'rejected') return known;
    if (known.status !== 'pending') throw decided(known);
    const after = await change(known, { status: 'rejected' });
    if (after.status !== 'rejected') throw decided(after);
    return after;
  }

  function show({ id, request, transactionHashes, ...rest }: StoredRequest): WalletRequest {
    return {
      requestId: id,
      approvalUrl: approvalUrl(id),
      status: rest.status,
      request,
      transactionHashes: [...transactionHashes],
      signature: rest.signature,
      error: rest.error,
      createdAt: rest.createdAt,
      expiresAt: rest.expiresAt,
      updatedAt: rest.updatedAt,
    };
  }

  return {
    create: async (given: CreateRequest): Promise<WalletRequest> => {
      const request = tidy(given);
      const time = now();
      const made: StoredRequest = {
        id: randomBytes(idBytes).toString('base64url'),
        status: 'pending',
        request,
        transactionHashes: [],
        signature: null,
        error: null,
        createdAt: time,
        expiresAt: time + lifetimeSeconds,
        updatedAt: time,
      };
      await store.saveRequest(made);
      return show(made);
    },

    get: async (id: string): Promise<WalletRequest> => show(await tryCheck(await load(id))),

    /** What the owner decided. The same decision again changes nothing. */
    decide: async (id: string, result: RequestResult): Promise<WalletRequest> => {
      const known = await tryCheck(await load(id));
      if (result.status === 'rejected') return show(await reject(known));
      if (result.status === 'signed') return show(await sign(known, result.signature as Hash));
      if (result.status === 'sending') return show(await note(known, result.transactionHashes as Hash[]));
      return show(await tryCheck(await submit(known, result.transactionHashes as Hash[])));
    },

    /** Brings those up to date that nobody asks about, one by one until the signal. */
    checkAll: async (signal: AbortSignal): Promise<void> => {
      for (const known of await store.loadDue(now(), checkedAtOnce)) {
        if (signal.aborted) return;
        await tryCheck(known);
      }
    },
  };
}

const neverMined = 'No transaction of this request was mined within a day.';

/** Addresses in their one spelling; typed data that no wallet could sign is refused now and not by the wallet. */
function tidy(given: CreateRequest): CreateRequest {
  const from = parseAddress(given.from);
  if (given.kind === 'calls') {
    return { ...given, from, calls: given.calls.map((call) => ({ ...call, to: parseAddress(call.to) })) };
  }
  try {
    hashTypedData(given.typedData as unknown as TypedDataDefinition);
  } catch (error) {
    throw new SvcError('BODY_INVALID', { reason: 'typedData is none that a wallet can sign' }, error);
  }
  return { ...given, from };
}

function tidyHashes(known: StoredRequest, hashes: readonly Hash[]): Hash[] {
  if (known.request.kind !== 'calls') throw wrongKind('a signature');
  const transactionHashes = hashes.map((hash) => hash.toLowerCase() as Hash);
  if (new Set(transactionHashes).size !== hashes.length)
    throw new SvcError('BODY_INVALID', { reason: 'transactionHashes must differ from each other' });
  return transactionHashes;
}

function isEqual(left: readonly Hash[], right: readonly Hash[]): boolean {
  return left.length === right.length && left.every((hash, at) => hash === right[at]);
}

function wrongKind(wanted: string): SvcError {
  return new SvcError('WALLET_REQUEST_KIND', { wanted });
}

function decided({ status }: StoredRequest): SvcError {
  return new SvcError('WALLET_REQUEST_DECIDED', { status });
}
