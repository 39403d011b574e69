// Signatures in the middle of a tool's work. The tool continues at once where the wallet signs; otherwise it continues with
// its next call, after the owner has approved the request. What it then does is kept in the data folder, also across a restart.
import { type Address, SvcError } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { WalletAnswer } from '../wallet/walletInterface.ts';
import type { ToolContext } from './tool.ts';
import type { ToolFix } from './toolFailure.ts';
import { noRequest, pickRequest } from './toolMail.ts';

type StepContext = Pick<ToolContext, 'mail' | 'papers'>;

type SigningSteps<Data, Given, Answer> = {
  /** What the tool answers until the owner has signed. */
  readonly wait: (request: WalletAnswer, data: Data) => Answer;
  /** `data` is JSON: nothing else outlasts a restart. */
  readonly finish: (data: Data, signature: Hex, from: Address, given: Given) => Promise<Answer>;
};

export function createSigningSteps<Data, Given, Answer>(
  tool: string,
  { wait, finish }: SigningSteps<Data, Given, Answer>,
) {
  const failed = (reason: string, fix?: ToolFix) =>
    new OperatorError('TOOL_FAILED', { tool, reason, ...(fix && { fix }) });
  /** Goes on with the call that names the request. */
  const keep = (
    { papers }: Pick<StepContext, 'papers'>,
    request: WalletAnswer,
    { from, data }: { readonly from: Address; readonly data: Data },
  ): Answer => {
    papers.saveStep(request.requestId, { tool, from, data });
    return wait(request, data);
  };
  return {
    failed,
    keep,

    begin: async (
      context: StepContext,
      request: WalletAnswer,
      { from, data }: { readonly from: Address; readonly data: Data },
      given: Given,
    ): Promise<Answer> => {
      const { signature, status, error } = request;
      if (signature !== null) return finish(data, signature as Hex, from, given);
      if (status === 'failed' || status === 'rejected') throw failed(error ?? 'the wallet did not sign');
      return keep(context, request, { from, data });
    },

    /** Throws WALLET_REQUEST_NOT_FOUND for a request of another wallet, or of no step. */
    resume: async (
      { mail, papers }: StepContext,
      from: Address,
      requestId: string,
      given: Given,
    ): Promise<Answer> => {
      const data = papers.findStep(requestId, { tool, from }) as Data | undefined;
      const request = await mail.readStatus(requestId);
      if (data === undefined) throw new SvcError('WALLET_REQUEST_NOT_FOUND', {});
      if (request.signature === null) return wait(request, data);
      const answer = await finish(data, request.signature as Hex, from, given);
      papers.dropStep(requestId);
      return answer;
    },
  };
}

type Publication<Facts, Data> = {
  readonly from: Address;
  /** For policies, and in words for the owner. */
  readonly request: readonly [action: string, title: string, typedData: unknown];
  readonly data: Data;
  readonly published: Facts & { readonly next: string };
};

type Signer = { readonly address: Address; readonly signTypedData: () => Promise<Hex> };

/** Signs a document and publishes it. `none` is what the tool answers until its owner has signed. */
export function createPublishing<Facts extends object, Data>(
  tool: string,
  none: Facts,
  publish: (context: ToolContext, data: Data, signer: Signer) => Promise<unknown>,
) {
  type Asked = typeof noRequest | ReturnType<typeof pickRequest>;
  type Kept = Pick<Publication<Facts, Data>, 'data' | 'published'>;
  type Answer = Facts & Asked & { published: boolean; next: string };
  const next = 'Let the owner sign, then call again with from and requestId alone.';
  const wait = (request: WalletAnswer): Answer => ({
    published: false,
    ...none,
    ...pickRequest(request),
    next,
  });
  const steps = createSigningSteps<Kept, ToolContext, Answer>(tool, {
    wait,
    finish: async ({ data, published }, signature, from, context) => {
      await publish(context, data, { address: from, signTypedData: async () => signature });
      return { published: true, ...noRequest, ...published };
    },
  });
  return {
    failed: steps.failed,
    wait,
    resume: (context: ToolContext, from: Address, requestId: string) =>
      steps.resume(context, from, requestId, context),
    begin: async (context: ToolContext, { from, request, data, published }: Publication<Facts, Data>) =>
      steps.begin(
        context,
        await context.mail.requestSignature(from, ...request),
        { from, data: { data, published } },
        context,
      ),
  };
}
