// Signatures in the middle of a tool's work. The tool continues at once where the wallet signs; otherwise it continues with
// its next call, after the owner has approved the request.
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { LRUCache } from 'lru-cache';
import type { Hex } from 'viem';
import type { Wallet, WalletAnswer } from '#wallet/walletInterface.ts';
import type { ToolFix } from './toolFailure.ts';

type SigningStep<Given, Answer> = {
  readonly from: Address;
  /** What the tool answers until the owner has signed. */
  readonly wait: (request: WalletAnswer) => Answer;
  readonly finish: (signature: Hex, given: Given) => Promise<Answer>;
};

/** The most pending steps of one tool; the oldest are dropped first. */
const maxPending = 1_000;

export function createSigningSteps<Given, Answer>(tool: string) {
  const pending = new LRUCache<string, SigningStep<Given, Answer>>({ max: maxPending });
  const failed = (reason: string, fix?: ToolFix) =>
    new SvcError('TOOL_FAILED', { tool, reason, ...(fix && { fix }) });
  return {
    failed,

    begin: async (request: WalletAnswer, step: SigningStep<Given, Answer>, given: Given): Promise<Answer> => {
      const { requestId, signature, status, error } = request;
      if (signature !== null) return step.finish(signature as Hex, given);
      if (status === 'failed' || status === 'rejected') throw failed(error ?? 'the wallet did not sign');
      pending.set(requestId, step);
      return step.wait(request);
    },

    /** Throws WALLET_REQUEST_NOT_FOUND for a request of another wallet, or of no step. */
    resume: async (
      { readStatus }: Pick<Wallet, 'readStatus'>,
      from: Address,
      requestId: string,
      given: Given,
    ): Promise<Answer> => {
      const step = pending.get(requestId);
      const request = await readStatus(requestId);
      if (step === undefined || !isSameAddress(step.from, from))
        throw new SvcError('WALLET_REQUEST_NOT_FOUND', {});
      if (request.signature === null) return step.wait(request);
      const answer = await step.finish(request.signature as Hex, given);
      pending.delete(requestId);
      return answer;
    },
  };
}
