// What a wallet is to the tools: it takes requests, and it reports what became of them.

import type { PreparedCalls, PreparedSignature } from '@svc/sdk/actions';
import type { CreateRequest, RequestStatus } from '@svc/sdk/client';
import { type Address, SvcError } from '@svc/sdk/domain';
import { createBackoff } from '@svc/sdk/internal/domain/backoff';
import { toShown } from '@svc/sdk/internal/domain/text';
import { isOperatorError } from '../errors/operatorError.ts';
import { isOpen, type RequestState } from './requestMachine.ts';

export type WalletAnswer = {
  readonly requestId: string;
  /** Where its owner decides, or sees what the wallet did; null where no gateway answers. */
  readonly approvalUrl: string | null;
  readonly status: RequestStatus;
  readonly transactionHashes: readonly string[];
  readonly signature: string | null;
  readonly error: string | null;
  /** Why the owner is asked although the wallet could sign. */
  readonly askedBecause?: readonly string[];
  /** Whether the same call made this request before. */
  readonly isRepeat?: boolean;
};

/** Of a request that nobody has decided yet. */
export const noOutcome = { transactionHashes: [], signature: null, error: null } as const;

/** What a gateway says about a request, as a wallet answers it. */
export function pickAnswer(view: WalletAnswer): WalletAnswer {
  const { requestId, approvalUrl, status, transactionHashes, signature, error } = view;
  return { requestId, approvalUrl, status, transactionHashes, signature, error };
}

/** `asked` is what the caller asked for: the same again, while the request for it is open, makes no other request. */
export type Submit = (request: CreateRequest, asked?: unknown) => Promise<WalletAnswer>;

export type Wallet = {
  /** The address it signs with; null where only its owner knows. */
  readonly findAddress: () => Promise<Address | null>;
  readonly submit: Submit;
  /**
   * Runs the work while no other process sends with this wallet, so that what the work reads of the chain is still true when
   * its calls are sent. Only for wallets that send at once.
   */
  readonly inTurn?: <Result>(work: (submit: Submit) => Promise<Result>) => Promise<Result>;
  /**
   * Why the wallet would not sign these on its own, all together; empty where it would. Only for wallets with a policy. Signs
   * and reserves nothing. Throws POLICY_REFUSED.
   */
  readonly tryPolicy?: (requests: readonly CreateRequest[]) => Promise<readonly string[]>;
  readonly readStatus: (requestId: string) => Promise<WalletAnswer>;
  readonly close: () => Promise<void>;
};

/** Prepares and submits in turn where the wallet has turns. */
export function takeTurn<Result>(
  { submit, inTurn }: Pick<Wallet, 'submit' | 'inTurn'>,
  work: (submit: Submit) => Promise<Result>,
): Promise<Result> {
  return inTurn === undefined ? work(submit) : inTurn(work);
}

/** A request that a signing wallet is about to begin. */
export type WalletDraft = {
  readonly id: string;
  readonly wallet: 'key' | 'mcp';
  readonly request: CreateRequest;
};

/** Decides what a signing wallet may sign. */
export type WalletGuard = {
  /**
   * Called before a request is saved and anything is signed; for calls, under the lock of the wallet. Null lets the wallet
   * sign. An answer goes to the caller instead. Throws POLICY_REFUSED.
   */
  readonly admit: (draft: WalletDraft) => Promise<WalletAnswer | null>;
  /** Why the owner would have to decide about these requests together; nothing is reserved. Throws POLICY_REFUSED. */
  readonly tryAll: (requests: readonly CreateRequest[]) => Promise<readonly string[]>;
  /** The request ended; `isUnsigned` where nothing was signed and nothing will be. */
  readonly ended: (requestId: string, isUnsigned: boolean) => void;
};

/** Pages of a gateway that show what a wallet does without asking there. */
export type RequestPages = {
  /** The link to a new page, with the secret that reports to it; null without a gateway. */
  readonly open: (request: CreateRequest) => Promise<string | null>;
  /** Shows on the page of the request, if it has one, what became of it. A gateway that is away shows less, and stops nothing. */
  readonly report: (outcome: RequestState & { readonly page?: string | null }) => Promise<void>;
};

/** A server may restart; after this time without an answer it counts as gone. */
const outageMs = 60_000;
const polling = { firstMs: 250, longestMs: 3_000 };

/** Polls until the request is settled, rejected, failed or expired, or the signal aborts. */
export async function waitForDecision(
  wallet: Pick<Wallet, 'readStatus'>,
  submitted: WalletAnswer,
  signal: AbortSignal,
): Promise<WalletAnswer> {
  const backoff = createBackoff(polling);
  let answer = submitted;
  let lastAnswerAt = performance.now();
  while (isOpen(answer)) {
    await backoff.wait(signal);
    if (signal.aborted) return answer;
    try {
      answer = await wallet.readStatus(submitted.requestId);
      lastAnswerAt = performance.now();
    } catch (error) {
      const isOutage = isOperatorError(error, 'WALLET_UNREACHABLE', 'WALLET_NOT_RENEWED');
      if (!isOutage || performance.now() - lastAnswerAt > outageMs) throw error;
    }
  }
  return answer;
}

const maxSummaryLength = 500;

/** The wallet request for what an action has prepared. */
export function buildWalletRequest(prepared: PreparedCalls | PreparedSignature): CreateRequest {
  const { action, from, chainId } = prepared;
  const head = { action, from, chainId };
  if (prepared.kind === 'signature') {
    return { ...head, kind: 'signature', summary: shorten(prepared.summary), typedData: prepared.typedData };
  }
  const { calls, steps, simulation } = prepared;
  const { gas = null, gasCostWei = null } = simulation.status === 'success' ? simulation : {};
  // Allowances come first; the last step is the action.
  const summary = shorten(steps.at(-1)?.summary ?? action);
  return {
    ...head,
    kind: 'calls',
    summary,
    calls: [...calls],
    steps: [...steps],
    ...(gas !== null && { estimatedGas: gas }),
    ...(gasCostWei !== null && { estimatedGasCostWei: gasCostWei }),
  };
}

/**
 * Throws REQUEST_CHAIN_WRONG for calls and typed data of another chain: a signature under the domain of another chain is
 * worth something there.
 */
export function checkRequestChain(request: CreateRequest, expected: number): void {
  const refuse = (found: unknown) =>
    new SvcError('REQUEST_CHAIN_WRONG', { found: toShown(String(found)), expected: String(expected) });
  if (request.chainId !== expected) throw refuse(request.chainId);
  if (request.kind !== 'signature') return;
  const { chainId = expected } = (request.typedData.domain ?? {}) as { readonly chainId?: unknown };
  if (Number(chainId) !== expected) throw refuse(chainId);
}

/** To what a request may say about itself. */
export function shorten(text: string, most = maxSummaryLength): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
