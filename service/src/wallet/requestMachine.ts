// The states of a wallet request and everything that moves it from one to the next. The gateway and the wallets of the
// command line share this machine, each with its own storage. The chain has the last word: it alone settles calls, and a
// signature counts only when it verifies.
import { createSignatureReader, type Rpc } from '@svc/sdk/chain';
import type { CreateRequest, RequestResult, RequestStatus } from '@svc/sdk/client';
import { type Address, SvcError } from '@svc/sdk/domain';
import { toShown } from '@svc/sdk/internal/domain/text';
import { type AskedCalls, type CallsOutcome, readCallsOutcome } from '@svc/sdk/internal/send/callsOutcome';
import type { Hex, TypedDataDefinition } from 'viem';
import type { StoredRequest } from '../store/requests.ts';

export type RequestState = Omit<StoredRequest, 'expiresAt' | 'updatedAt'>;

/** What a remote wallet says about a request. */
export type WalletReport = Pick<RequestState, 'status' | 'transactionHashes' | 'signature' | 'error'>;
export type RequestChange = Partial<WalletReport>;

/** How long a request waits for its owner, and a transaction for a block. */
export const lifetimeSeconds = 24 * 3_600;

const openStatuses: readonly RequestStatus[] = ['pending', 'submitted'];

/** Whether the owner, the chain or the clock may still change it. */
export function isOpen({ status }: { readonly status: RequestStatus }): boolean {
  return openStatuses.includes(status);
}

export type RequestChain = {
  readonly readOutcome: (asked: AskedCalls, hashes: readonly Hex[]) => Promise<CallsOutcome>;
  /**
   * The signature in the form that the contracts accept, or null. Asks the chain: a wallet that is a contract decides which
   * signatures are its own.
   */
  readonly readSignature: (
    from: Address,
    typedData: TypedDataDefinition,
    signature: Hex,
  ) => Promise<Hex | null>;
};

export function createRequestChain(rpc: Rpc, confirmations: number): RequestChain {
  return {
    readOutcome: (asked, hashes) => readCallsOutcome(rpc, asked, hashes, confirmations),
    readSignature: createSignatureReader(rpc),
  };
}

type Maybe<Value> = Value | undefined | Promise<Value | undefined>;

type RequestStorage<State extends RequestState> = {
  readonly load: (id: string) => Maybe<State>;
  /** Compare and set: undefined, and no change, where the stored request is no longer `before`. */
  readonly change: (before: State, change: RequestChange) => Maybe<State>;
};

type MachineOptions<State extends RequestState> = {
  readonly storage: RequestStorage<State>;
  readonly chain: RequestChain;
  /** Unix seconds. */
  readonly now: () => number;
};

export function createRequestMachine<State extends RequestState>(options: MachineOptions<State>) {
  const { storage, chain, now } = options;

  /** The caller that loses a race gets what the winner saved. */
  async function save(before: State, change: RequestChange): Promise<State> {
    return (await storage.change(before, change)) ?? (await storage.load(before.id)) ?? before;
  }

  const readOutcome = ({ request, createdAt }: State, hashes: readonly Hex[]) =>
    chain.readOutcome({ ...(request as unknown as AskedCalls), since: createdAt }, hashes);

  /** Submitted calls: settled or failed as soon as the chain says so. */
  async function checkChain(state: State): Promise<State> {
    if (state.status !== 'submitted' || state.request.kind !== 'calls') return state;
    const outcome = await readOutcome(state, state.transactionHashes);
    if (outcome.kind === 'done') return save(state, { status: 'settled' });
    if (outcome.kind === 'failed') return save(state, { status: 'failed', error: outcome.reason });
    return state;
  }

  /** No request stays open for more than a day: nobody decided it, or it was never mined. */
  async function checkClock(state: State): Promise<State> {
    if (!isOpen(state) || now() <= state.createdAt + lifetimeSeconds) return state;
    const isSent = state.status === 'submitted' && state.transactionHashes.length > 0;
    return save(state, isSent ? { status: 'failed', error: notMined } : { status: 'expired' });
  }

  /** The first calls are sent and the next one waits for the owner. They are recorded so that none is sent twice. */
  async function noteSent(state: State, hashes: readonly Hex[]): Promise<State> {
    const transactionHashes = checkHashes(state, hashes);
    if (state.status !== 'pending') throw decided(state);
    const known = state.transactionHashes.length;
    const callCount = state.request.kind === 'calls' ? state.request.calls.length : 0;
    // A client that knows of fewer calls than were sent would send one again.
    if (hashes.length > callCount || hashes.length < known)
      throw new SvcError('BODY_INVALID', { reason: `transactionHashes must be ${known} to ${callCount}` });
    const after = await save(state, { transactionHashes });
    if (!isEqual(after.transactionHashes, transactionHashes)) throw decided(after);
    return after;
  }

  async function submit(state: State, hashes: readonly Hex[]): Promise<State> {
    const transactionHashes = checkHashes(state, hashes);
    if (state.status !== 'pending' && isEqual(state.transactionHashes, transactionHashes)) return state;
    // A wallet may replace a waiting transaction with one that pays more.
    if (!isOpen(state)) throw decided(state);
    const after = await save(state, { status: 'submitted', transactionHashes });
    if (!isEqual(after.transactionHashes, transactionHashes) || after.status === 'rejected')
      throw decided(after);
    return after;
  }

  async function sign(state: State, signature: Hex): Promise<State> {
    const { request } = state;
    if (request.kind !== 'signature') throw wrongKind('transactions');
    if (state.signature === signature) return state;
    if (state.status !== 'pending' && state.signature === null) throw decided(state);
    const normal = await readSignature(request, signature);
    if (state.status !== 'pending') {
      if (state.signature === normal) return state;
      throw decided(state);
    }
    if (normal === null) throw new SvcError('SIGNATURE_WRONG', { address: request.from });
    const after = await save(state, { status: 'settled', signature: normal });
    if (after.signature !== normal) throw decided(after);
    return after;
  }

  const readSignature = (request: CreateRequest & { kind: 'signature' }, signature: Hex) =>
    chain.readSignature(
      request.from as Address,
      request.typedData as unknown as TypedDataDefinition,
      signature,
    );

  async function reject(state: State, reason: string): Promise<State> {
    if (state.status === 'rejected') return state;
    if (state.status !== 'pending' && !(await isInvented(state))) throw decided(state);
    const after = await save(state, { status: 'rejected', error: describeRejection(state, reason) });
    if (after.status !== 'rejected') throw decided(after);
    return after;
  }

  /** Anybody with the link can report transactions: until the chain shows one, the owner has not decided. */
  const isInvented = async (state: State): Promise<boolean> =>
    state.status === 'submitted' && (await readOutcome(state, state.transactionHashes)).kind === 'unknown';

  async function judge(state: State, report: WalletReport): Promise<RequestChange> {
    const { status, error, transactionHashes, signature } = report;
    if (state.request.kind === 'signature') {
      if (status === 'rejected' || status === 'expired' || status === 'failed') return { status, error };
      const normal = signature === null ? null : await readSignature(state.request, signature);
      if (normal !== null) return { status: 'settled', signature: normal };
      if (status !== 'settled') return { status, error };
      return { status: 'failed', error: 'The wallet returned no valid signature of this address.' };
    }
    const outcome = transactionHashes.length === 0 ? null : await readOutcome(state, transactionHashes);
    // Whatever the wallet says: a caller that believes in a failure would send the calls again.
    if (outcome?.kind === 'done') return { status: 'settled', transactionHashes, error: null };
    if (status !== 'settled') return { status, error };
    if (outcome === null) return { status: 'failed', error: noTransaction };
    if (outcome.kind === 'failed') return { status: 'failed', transactionHashes, error: outcome.reason };
    return { status: 'submitted', transactionHashes };
  }

  return {
    save,
    checkChain,
    checkClock,

    /** Brings a request up to date with the chain, then the clock. Throws where the chain cannot be asked. */
    check: async (state: State): Promise<State> => checkClock(await checkChain(state)),

    /** Applies what the owner decided on the approval page. The same decision again changes nothing. */
    decide: (state: State, result: RequestResult): Promise<State> => {
      if (result.status === 'rejected') return reject(state, result.reason ?? '');
      if (result.status === 'signed') return sign(state, result.signature as Hex);
      const hashes = result.transactionHashes as Hex[];
      return result.status === 'sending' ? noteSent(state, hashes) : submit(state, hashes);
    },

    /** Applies what a remote wallet reports, after checking it on the chain. */
    applyReport: async (state: State, report: WalletReport): Promise<State> =>
      save(state, await judge(state, report)),
  };
}

/** Names what was sent before, because a caller that starts over would send it twice. */
function describeRejection(state: RequestState, reason: string): string | null {
  const { request, transactionHashes, status } = state;
  const said = toShown(reason.trim());
  const count = request.kind === 'calls' ? request.calls.length : 1;
  const sent = transactionHashes.length;
  const parts = [
    said !== '' && `The owner says: ${said}`,
    sent > 0 && status === 'pending' && `${sent} of ${count} calls were sent before and stay done.`,
    status === 'submitted' &&
      `Transactions were reported that the chain does not show. Look for them before you send it again: ${transactionHashes.join(', ')}.`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(' ');
}

const notMined = 'Not every transaction of this request was mined within a day.';
const noTransaction =
  'The wallet reports success but names no transaction. Check the wallet’s history before you retry.';

function checkHashes({ request }: RequestState, hashes: readonly Hex[]): Hex[] {
  if (request.kind !== 'calls') throw wrongKind('a signature');
  const transactionHashes = hashes.map((hash) => hash.toLowerCase() as Hex);
  if (new Set(transactionHashes).size !== hashes.length)
    throw new SvcError('BODY_INVALID', { reason: 'transactionHashes must differ from each other' });
  return transactionHashes;
}

function isEqual(left: readonly Hex[], right: readonly Hex[]): boolean {
  return left.length === right.length && left.every((hash, at) => hash === right[at]);
}

function wrongKind(wanted: string): SvcError {
  return new SvcError('WALLET_REQUEST_KIND', { wanted });
}

function decided({ status }: RequestState): SvcError {
  return new SvcError('WALLET_REQUEST_DECIDED', { status });
}
