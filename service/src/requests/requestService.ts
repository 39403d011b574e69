// Wallet requests at the gateway: created by tools, decided by the wallet's owner, checked until the chain has the answer.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CreateRequest, RequestResult, WalletRequest } from '@svc/sdk/client';
import { type Address, isSameAddress, parseAddress, SvcError } from '@svc/sdk/domain';
import { addApprovalToken } from '@svc/sdk/internal/domain/approvalLink';
import { createTurns } from '@svc/sdk/internal/domain/backoff';
import { LRUCache } from 'lru-cache';
import { hashTypedData, type TypedDataDefinition } from 'viem';
import type { RequestStore, StoredRequest } from '../store/requests.ts';
import {
  createRequestMachine,
  isOpen,
  lifetimeSeconds,
  type RequestChain,
} from '../wallet/requestMachine.ts';
import { checkRequestChain } from '../wallet/walletInterface.ts';

export type RequestServiceOptions = {
  readonly store: RequestStore;
  readonly chain: RequestChain;
  /** Requests for another chain are refused. */
  readonly chainId: number;
  readonly now: () => number;
  /** The page on which the owner decides. */
  readonly approvalUrl: (id: string) => string;
  /** Of all requests together. */
  readonly mostBytes?: number;
  /** Makes the secrets of approval links. Gateways that share a database share it. */
  readonly secret: string;
  /** Its links count as well, while all gateways change theirs. */
  readonly otherSecret?: string | undefined;
};

/** What a caller shows to decide a request. */
export type DecisionProof = {
  /** The secret of the approval link. */
  readonly token: string | null;
  /** The wallet of the caller's session. */
  readonly wallet: Address | null;
};

export type FiledAs = {
  /** Of requests that are the same one is open. */
  readonly sameAs?: string | null;
  /** The wallet of the session or token that came with it. Only its own requests get into a wallet's list. */
  readonly filer?: Address | null;
};

export type RequestService = ReturnType<typeof createRequestService>;

const loadedAtOnce = 5_000;
/** Anybody can report transactions that do not exist: the chain is asked about few at a time, and less and less often. */
const checkedAtOnce = 100;
const pauses = { firstMs: 15_000, longestMs: 3_600_000 };
/** A client that asks about a request more often than this gets the last answer of the chain. */
const freshMs = 1_000;
const maxAsked = 10_000;
/** How long a request can be read that is decided, and one that nobody decided in its time. */
const keptSeconds = 30 * 86_400;
const undecidedSeconds = 3_600;
/** Of all requests together. Beyond it the largest that nobody has decided go. */
const maxBytes = 512e6;
const mostFiled = 20;
export const requestIdBytes = 16;
/** Checked before the database is asked: PostgreSQL refuses texts with a NUL. */
const idShape = /^[\w-]{22}$/;

export function createRequestService(options: RequestServiceOptions) {
  const { store, chain, chainId, now, approvalUrl, secret, otherSecret, mostBytes = maxBytes } = options;
  let taken: number | null = null;
  const machine = createRequestMachine<StoredRequest>({
    storage: {
      load: store.loadRequest,
      change: (before, change) => store.changeRequest(before, { ...change, updatedAt: now() }),
    },
    chain,
    now,
  });

  async function load(id: string): Promise<StoredRequest> {
    const found = idShape.test(id) ? await store.loadRequest(id) : undefined;
    if (found === undefined) throw new SvcError('WALLET_REQUEST_NOT_FOUND', {});
    return found;
  }

  const takeTurns = createTurns<string>(pauses);
  /** Requests that the chain was asked about a moment ago. */
  const asked = new LRUCache<string, true>({ max: maxAsked, ttl: freshMs });

  function isFresh(id: string): boolean {
    if (asked.has(id)) return true;
    asked.set(id, true);
    return false;
  }

  /** While the chain cannot be asked, the stored state is the answer. */
  const check = (known: StoredRequest) => machine.check(known).catch(() => known);

  function show({ id, transactionHashes, ...rest }: StoredRequest): WalletRequest {
    const hashes = [...transactionHashes];
    return { requestId: id, approvalUrl: approvalUrl(id), ...rest, transactionHashes: hashes };
  }

  /** Computed and never stored: a stolen database decides nothing. */
  const tokenOf = (id: string, from = secret) =>
    createHmac('sha256', from).update(`approval of ${id}`).digest('base64url');

  /** A signature needs no other proof: the machine takes only one of the wallet itself. */
  function checkProof({ id, request }: StoredRequest, { status }: RequestResult, proof: DecisionProof): void {
    const hasToken = [secret, otherSecret].some(
      (from) => from !== undefined && proof.token !== null && isSameText(proof.token, tokenOf(id, from)),
    );
    // What another wallet of the owner decides, only the process that asked that wallet can report.
    const isOwner =
      request.decidedBy !== 'wallet' && proof.wallet !== null && isSameAddress(proof.wallet, request.from);
    if (status !== 'signed' && !hasToken && !isOwner)
      throw new SvcError('WALLET_REQUEST_NOT_YOURS', { address: request.from });
  }

  return {
    /** The page with the secret that decides the request: for the caller that made it, and nobody else. */
    linkOf: (id: string): string => addApprovalToken(approvalUrl(id), tokenOf(id)),

    /**
     * The same id again makes no second request, and throws IDEMPOTENCY_KEY_REUSED where it asks for something else; nor does the same `sameAs` while the first one is open. An id must not be
     * guessable: it is all that one needs to read it.
     */
    create: async (
      given: CreateRequest,
      id = createRequestId(),
      { sameAs = null, filer = null }: FiledAs = {},
    ): Promise<WalletRequest> => {
      checkRequestChain(given, chainId);
      const time = now();
      const made: StoredRequest = {
        id,
        status: 'pending',
        request: normalize(given),
        transactionHashes: [],
        signature: null,
        error: null,
        createdAt: time,
        expiresAt: time + lifetimeSeconds,
        updatedAt: time,
      };
      const loadSame = async () => (sameAs === null ? undefined : await store.loadSame(sameAs));
      const same = await loadSame();
      const checked = same && (await check(same));
      if (checked !== undefined && isOpen(checked)) return show(checked);
      const { from } = made.request;
      const filedBy = filer !== null && isSameAddress(filer, from as Address) ? filer : null;
      if (await store.saveRequest(made, sameAs, filedBy)) return show(made);
      const kept = (await loadSame()) ?? (await load(id));
      if (kept.id === id && JSON.stringify(kept.request) !== JSON.stringify(made.request))
        throw new SvcError('IDEMPOTENCY_KEY_REUSED', {});
      return show(kept);
    },

    /** What waits for the decision of this wallet's owner, of what its own sessions filed. */
    listFiled: async (wallet: Address): Promise<WalletRequest[]> =>
      (await store.loadFiled(wallet, now(), mostFiled))
        .filter(({ request }) => request.decidedBy !== 'wallet')
        .map(show),

    get: async (id: string): Promise<WalletRequest> => {
      const known = await load(id);
      return show(isFresh(id) ? known : await check(known));
    },

    /** Applies what the owner decided. The same decision again changes nothing. */
    decide: async (id: string, result: RequestResult, proof: DecisionProof): Promise<WalletRequest> => {
      const known = await load(id);
      checkProof(known, result, proof);
      return show(await check(await machine.decide(await check(known), result)));
    },

    /** Bytes of all requests when they were last looked at. */
    taken: (): number | null => taken,

    /** Updates requests that no client asks about, one by one until the signal aborts, and forgets old ones. */
    checkAll: async (signal: AbortSignal): Promise<void> => {
      await store.forget(now() - keptSeconds, now() - undecidedSeconds);
      taken = await store.loadTaken();
      if (taken > mostBytes) {
        await store.free(taken - mostBytes);
        taken = await store.loadTaken();
      }
      const due = await store.loadDue(now(), loadedAtOnce);
      const { over = [], open = [] } = Object.groupBy(due, ({ expiresAt }) =>
        now() > expiresAt ? 'over' : 'open',
      );
      const ids = open.map(({ id }) => id);
      const turns = new Set(takeTurns(ids, checkedAtOnce));
      // Those whose time is over are asked about once more, and then never again.
      for (const known of [...over.slice(0, checkedAtOnce), ...open.filter(({ id }) => turns.has(id))]) {
        if (signal.aborted) return;
        await check(known);
      }
    },
  };
}

function isSameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function createRequestId(): string {
  return randomBytes(requestIdBytes).toString('base64url');
}

/** Writes addresses in one spelling, and rejects typed data that no wallet can sign. */
function normalize(given: CreateRequest): CreateRequest {
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
