// Sends calls one after the other through the wallet: each is tried before it is signed, and awaited before the next.

import type { Call } from '@svc/sdk/chain';
import { findRevert } from '@svc/sdk/chain';
import { type Hex, type TransactionReceipt, WaitForTransactionReceiptTimeoutError } from 'viem';
import { call, estimateGas, sendTransaction, waitForTransactionReceipt } from 'viem/actions';
import type { WalletClient } from './useWallet.ts';

/** `unseen`: mined, and the market does not show it yet. */
export type Stage = 'trying' | 'signing' | 'mining' | 'mined' | 'seen' | 'unseen';

export type Progress = { readonly step: number; readonly stage: Stage; readonly hash?: Hex };

/** Remembers beyond this page what went out. */
export type Memory = {
  /** Before the wallet is asked: from here on the call may be sent even if this page is gone. */
  readonly expect: (step: number) => Promise<void>;
  readonly keep: (hashes: readonly Hex[]) => Promise<void>;
  /** The last of them was mined and did not do what was asked. */
  readonly fail: (hashes: readonly Hex[]) => Promise<void>;
};

/** `hashes` are the calls that went out already, in order; none of them goes out again. It grows as others follow. */
export async function sendCalls(
  client: WalletClient,
  calls: readonly Call[],
  hashes: Hex[],
  {
    onProgress,
    signal,
    memory,
  }: {
    readonly onProgress: (progress: Progress) => void;
    /** Asks for no further signature; its reason says why, in words. */
    readonly signal: AbortSignal;
    readonly memory?: Memory | undefined;
  },
): Promise<TransactionReceipt[]> {
  const receipts: TransactionReceipt[] = [];
  for (const [step, { to, data, value }] of calls.entries()) {
    let hash = hashes[step];
    if (hash === undefined) {
      onProgress({ step, stage: 'trying' });
      const request = { account: client.account, to, data, value: BigInt(value) };
      await call(client, request);
      // An estimate holds for the second it was made in: a clock that is written anew costs more than one that stays.
      const gas = ((await estimateGas(client, request)) * 12n) / 10n;
      onProgress({ step, stage: 'signing' });
      await memory?.expect(step);
      signal.throwIfAborted();
      hash = await sendTransaction(client, { ...request, gas, chain: client.chain });
      hashes.push(hash);
      await memory?.keep(hashes);
    }
    onProgress({ step, stage: 'mining', hash });
    const { receipt, fault } = await awaitReceipt(client, hash);
    if (fault !== null) {
      // It did nothing, hence it may be sent once more.
      hashes.length = step;
      await memory?.fail([...hashes, receipt.transactionHash]);
      throw new Error(fault);
    }
    // The wallet's owner may have replaced it by one that pays more.
    hashes[step] = receipt.transactionHash;
    receipts.push(receipt);
    onProgress({ step, stage: 'mined', hash: receipt.transactionHash });
  }
  return receipts;
}

/** What was mined with the nonce of a transaction; `fault` says in words why that is not what was signed. */
async function awaitReceipt(
  client: WalletClient,
  hash: Hex,
): Promise<{ readonly receipt: TransactionReceipt; readonly fault: string | null }> {
  let isOther = false;
  const receipt = await waitForTransactionReceipt(client, {
    hash,
    pollingInterval: 500,
    onReplaced: ({ reason }) => {
      isOther = reason !== 'repriced';
    },
  });
  if (isOther)
    return { receipt, fault: 'You cancelled or replaced it in the wallet: it was not carried out.' };
  const isDone = receipt.status === 'success';
  return { receipt, fault: isDone ? null : 'The transaction was mined but reverted; nothing has moved.' };
}

/** What went wrong, and what to do next, in words. */
export function explainFailure(error: unknown): string {
  const revert = findRevert(error);
  if (revert !== undefined) return revert.sentence;
  if (!(error instanceof Error)) return 'Something went wrong; try again.';
  if (error instanceof WaitForTransactionReceiptTimeoutError)
    return 'It was sent and is in no block yet. Try again to wait on.';
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: unknown }).code === 4001)
      return 'You declined in the wallet: it was neither signed nor sent.';
  }
  const short = (error as { shortMessage?: unknown }).shortMessage;
  return typeof short === 'string' ? short : (error.message.split('\n')[0] ?? error.message);
}
