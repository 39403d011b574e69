// Sends calls one after another through the wallet: each is simulated before it is signed and mined before the next.

import type { Call } from '@svc/sdk/chain';
import type { EncodedCalls } from '@svc/sdk/internal/chain/encodeCall';
import { pollUntil } from '@svc/sdk/internal/domain/backoff';
import { addGasMargin } from '@svc/sdk/internal/send/keySender';
import type { Hex, TransactionReceipt } from 'viem';
import { call, estimateGas, sendTransaction, waitForTransactionReceipt } from 'viem/actions';
import type { WalletClient } from './useWallet.tsx';

/** `indexed`: the market shows it; `unindexed`: it is mined, but the market does not show it yet. */
export type Stage = 'simulating' | 'signing' | 'mining' | 'mined' | 'indexed' | 'unindexed';

export type Progress = { readonly step: number; readonly stage: Stage; readonly hash?: Hex };

/** Records what was sent, so that it is known after the page was closed. */
export type SentLog = {
  /** Before the wallet is asked: from now on the call may be sent even if the page is closed. */
  readonly saveAsked: (step: number) => Promise<void>;
  readonly saveSent: (hashes: readonly Hex[]) => Promise<void>;
  /** The last of them was mined but did not do what was asked. */
  readonly saveFailed: (hashes: readonly Hex[]) => Promise<void>;
};

/** `hashes` are those of the calls sent already, in order; they are not sent again. New ones are added to it. */
export async function sendCalls(
  client: WalletClient,
  calls: readonly Call[],
  hashes: Hex[],
  {
    onProgress,
    signal,
    log,
    check,
  }: {
    readonly onProgress: (progress: Progress) => void;
    /** Stops before the next signature; its reason is a sentence for the reader. */
    readonly signal: AbortSignal;
    readonly log?: SentLog | undefined;
    /** Before each signature; throws a sentence where it should not be asked for any more. */
    readonly check?: ((step: number) => Promise<void>) | undefined;
  },
): Promise<TransactionReceipt[]> {
  const receipts: TransactionReceipt[] = [];
  for (const [step, { to, data, value }] of calls.entries()) {
    let hash = hashes[step];
    if (hash === undefined) {
      onProgress({ step, stage: 'simulating' });
      await check?.(step);
      const request = { account: client.account, to, data, value: BigInt(value) };
      await call(client, request);
      const gas = addGasMargin(await estimateGas(client, request));
      onProgress({ step, stage: 'signing' });
      await log?.saveAsked(step);
      signal.throwIfAborted();
      hash = await sendTransaction(client, { ...request, gas, chain: client.chain });
      hashes.push(hash);
      await log?.saveSent(hashes);
    }
    onProgress({ step, stage: 'mining', hash });
    const { receipt, failure } = await awaitReceipt(client, hash);
    if (failure !== null) {
      // It changed nothing, so it can be sent again.
      hashes.length = step;
      await log?.saveFailed([...hashes, receipt.transactionHash]);
      throw new Error(failure);
    }
    // The owner may have replaced it by one with a higher fee.
    hashes[step] = receipt.transactionHash;
    receipts.push(receipt);
    onProgress({ step, stage: 'mined', hash: receipt.transactionHash });
  }
  return receipts;
}

/** What was mined with the nonce of a transaction; `failure` says why it is not what was signed. */
async function awaitReceipt(
  client: WalletClient,
  hash: Hex,
): Promise<{ readonly receipt: TransactionReceipt; readonly failure: string | null }> {
  let isReplaced = false;
  const receipt = await waitForTransactionReceipt(client, {
    hash,
    pollingInterval: 500,
    onReplaced: ({ reason }) => {
      isReplaced = reason !== 'repriced';
    },
  });
  if (isReplaced) return { receipt, failure: 'You cancelled or replaced this transaction in the wallet.' };
  const hasSucceeded = receipt.status === 'success';
  return { receipt, failure: hasSucceeded ? null : 'The transaction reverted; nothing has changed.' };
}

const patience = { everyMs: 300, timeoutMs: 30_000 };

/** Waits until the market has indexed a block. False if it takes too long, which is no failure of the transaction. */
export async function waitForMarket(
  block: bigint,
  loadBlock: () => Promise<number>,
  waiting = patience,
): Promise<boolean> {
  const look = async () => BigInt(await loadBlock().catch(() => -1)) >= block || undefined;
  return (await pollUntil(look, waiting)) ?? false;
}

/** A sequence of calls that was started. */
export type Sequence = {
  readonly calls: EncodedCalls;
  /** Of the calls sent so far, in order. */
  hashes: Hex[];
  minedCount: number;
};

/**
 * How to go on with a stopped sequence so that no call is sent twice. `continue`: send the rest of its calls. `restart`:
 * send what is planned now. `wait`: first wait for the calls that were sent, because the new plan may repeat them.
 */
export function chooseRetry(
  sequence: Sequence | undefined,
  planned: EncodedCalls,
): 'continue' | 'restart' | 'wait' {
  if (sequence === undefined || sequence.hashes.length === 0) return 'restart';
  const { calls, hashes, minedCount } = sequence;
  const sentCalls = calls.calls.slice(0, hashes.length);
  if (sentCalls.length === calls.calls.length || hasSameEnd(calls.calls, planned.calls)) return 'continue';
  const isRepeated = planned.calls.some((one) => sentCalls.some((sent) => isSame(one, sent)));
  return minedCount < hashes.length || isRepeated ? 'wait' : 'restart';
}

/** Whether two lists of calls end with the same one, which is the action itself. */
export function hasSameEnd(left: readonly AnyCall[], right: readonly AnyCall[]): boolean {
  return isSame(left.at(-1), right.at(-1));
}

type AnyCall = Readonly<Record<'to' | 'data' | 'value', string>>;

function isSame(left: AnyCall | undefined, right: AnyCall | undefined): boolean {
  return left?.to === right?.to && left?.data === right?.data && left?.value === right?.value;
}
