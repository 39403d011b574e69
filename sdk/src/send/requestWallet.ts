// The owner of a wallet, who decides on the approval page of a gateway: perhaps tomorrow, while another process waits for it.
import type { Hex } from 'viem';
import { keccak256, stringToBytes } from 'viem';
import type { Call } from '../chain/encodeCall.ts';
import type { Address } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import type { CreateRequest, WalletRequest } from '../schemas/walletRequest.ts';
import type { Notes } from './journal.ts';
import type { Asked, AskedWords, Owner } from './wallet.ts';

/** The requests of a gateway. */
export type RequestBox = {
  /** The same key again makes no other request. */
  readonly create: (body: CreateRequest, key: string) => Promise<{ requestId: string; approvalUrl: string }>;
  readonly read: (
    requestId: string,
  ) => Promise<Pick<WalletRequest, 'status' | 'transactionHashes' | 'signature' | 'error'>>;
};

const missing = 'WALLET_REQUEST_NOT_FOUND';

type Note = { readonly requestId: string; readonly approvalUrl: string };

/** A wallet whose owner decides on the approval page of a gateway, and may answer tomorrow. */
export function createRequestWallet(
  box: RequestBox,
  address: Address,
  { chainId, notes }: { readonly chainId: number; readonly notes: Notes },
): Owner {
  const nameOf = (id: string) => `${id}.owner`;

  async function ask(id: string, body: CreateRequest): Promise<Asked> {
    const { requestId, approvalUrl } = await box.create(body, keccak256(stringToBytes(id)).slice(2, 34));
    await notes.write(nameOf(id), JSON.stringify({ requestId, approvalUrl } satisfies Note));
    return { is: 'waiting', approvalUrl };
  }

  const headOf = ({ action, summary }: AskedWords) => ({ action, summary, from: address, chainId });

  return {
    address,
    answers: 'later',
    batches: async () => 'none',
    send: (id, calls, words) => ask(id, { kind: 'calls', ...headOf(words), ...withCalls(calls, words) }),
    sign: (id, typedData, words) =>
      ask(id, { kind: 'signature', ...headOf(words), typedData: { ...typedData } }),
    find: async (id) => {
      const text = await notes.read(nameOf(id));
      // The same question again is the same request.
      if (text === null) return { is: 'none' };
      const { requestId, approvalUrl } = JSON.parse(text) as Note;
      try {
        return answerOf(await box.read(requestId), approvalUrl);
      } catch (error) {
        const isGone =
          error instanceof SvcError && (error.code === missing || error.details.code === missing);
        // A gateway that is away says nothing about the owner.
        return isGone ? { is: 'unknown' } : { is: 'waiting', approvalUrl };
      }
    },
  };
}

function withCalls(calls: readonly Call[], { steps, estimatedGas, estimatedGasCostWei }: AskedWords) {
  return {
    calls: calls.map((call) => ({ ...call })),
    steps: [...steps] as never,
    ...(estimatedGas != null && { estimatedGas }),
    ...(estimatedGasCostWei != null && { estimatedGasCostWei }),
  };
}

type Read = Awaited<ReturnType<RequestBox['read']>>;

function answerOf({ status, transactionHashes, signature, error }: Read, approvalUrl: string): Asked {
  const hashes = transactionHashes as readonly Hex[];
  if (signature !== null) return { is: 'signed', signature: signature as Hex };
  if (status === 'pending') return { is: 'waiting', approvalUrl };
  // Whatever the page reports: the chain says what became of them.
  if ((status === 'submitted' || status === 'settled') && hashes.length > 0) return { is: 'sent', hashes };
  if (status === 'submitted' || status === 'settled') return { is: 'unknown' };
  const reason = error ?? (status === 'expired' ? 'nobody decided in time' : 'its owner declined');
  return { is: 'rejected', reason };
}
