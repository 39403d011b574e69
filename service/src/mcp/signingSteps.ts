// Signatures in the middle of a tool's work. The tool continues at once where the wallet signs; otherwise it continues with
// its next call, after the owner has approved the request.

import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { LRUCache } from 'lru-cache';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { Wallet, WalletAnswer } from '../wallet/walletInterface.ts';
import type { ToolContext } from './tool.ts';
import type { ToolFix } from './toolFailure.ts';
import { noRequest, pickRequest } from './toolMail.ts';

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
    new OperatorError('TOOL_FAILED', { tool, reason, ...(fix && { fix }) });
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

type Publication<Facts> = {
  readonly from: Address;
  /** For policies, and in words for the owner. */
  readonly request: readonly [action: string, title: string, typedData: unknown];
  readonly publish: (signer: {
    readonly address: Address;
    readonly signTypedData: () => Promise<Hex>;
  }) => Promise<unknown>;
  readonly published: Facts & { readonly next: string };
};

/** Signs a document and publishes it. `none` is what the tool answers until its owner has signed. */
export function createPublishing<Facts extends object>(tool: string, none: Facts) {
  type Asked = typeof noRequest | ReturnType<typeof pickRequest>;
  const steps = createSigningSteps<undefined, Facts & Asked & { published: boolean; next: string }>(tool);
  const next = 'Let the owner sign, then call again with from and requestId alone.';
  const wait = (request: WalletAnswer) => ({ published: false, ...none, ...pickRequest(request), next });
  return {
    failed: steps.failed,
    wait,
    resume: ({ mail }: ToolContext, from: Address, requestId: string) =>
      steps.resume(mail, from, requestId, undefined),
    begin: async ({ mail }: ToolContext, { from, request, publish, published }: Publication<Facts>) => {
      const finish = async (signature: Hex) => {
        await publish({ address: from, signTypedData: async () => signature });
        return { published: true, ...noRequest, ...published };
      };
      return steps.begin(await mail.requestSignature(from, ...request), { from, wait, finish }, undefined);
    },
  };
}
