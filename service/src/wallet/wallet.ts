// What a wallet is to a tool: somebody who is handed a request and can be asked what became of it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { CreateRequest, RequestStatus } from '@svc/sdk/schemas';

export type WalletAnswer = {
  readonly requestId: string;
  /** Where its owner decides; null where nobody is asked. */
  readonly approvalUrl: string | null;
  readonly status: RequestStatus;
  readonly transactionHashes: readonly string[];
  readonly signature: string | null;
  readonly error: string | null;
};

export type Wallet = {
  /** The address it signs with; null where only its owner knows. */
  readonly findAddress: () => Promise<Address | null>;
  readonly hand: (request: CreateRequest) => Promise<WalletAnswer>;
  readonly readStatus: (requestId: string) => Promise<WalletAnswer>;
  readonly close: () => Promise<void>;
};

export const undecided: readonly RequestStatus[] = ['pending', 'submitted'];

/** A server that restarts is waited for; one that stays away for this long is gone. */
const patienceMs = 60_000;
const away: readonly string[] = ['WALLET_UNREACHABLE', 'WALLET_NOT_RENEWED'];
const firstPauseMs = 250;
const longestPauseMs = 3_000;

/** Asks until the request is settled, rejected, failed or expired. */
export async function waitForDecision(
  wallet: Pick<Wallet, 'readStatus'>,
  handed: WalletAnswer,
  signal: AbortSignal,
): Promise<WalletAnswer> {
  let answer = handed;
  let lastHeard = performance.now();
  for (
    let pause = firstPauseMs;
    undecided.includes(answer.status);
    pause = Math.min(pause * 1.5, longestPauseMs)
  ) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return answer;
    try {
      answer = await wallet.readStatus(handed.requestId);
      lastHeard = performance.now();
    } catch (error) {
      const isAway = error instanceof SvcError && away.includes(error.code);
      if (!isAway || performance.now() - lastHeard > patienceMs) throw error;
    }
  }
  return answer;
}
