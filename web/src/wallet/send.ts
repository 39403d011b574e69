// Sends calls one after the other through the wallet: each is tried before it is signed, and awaited before the next.
import type { Hex, TransactionReceipt } from 'viem';
import { call, estimateGas, sendTransaction, waitForTransactionReceipt } from 'viem/actions';
import type { Call } from '#chain/calls/encode.ts';
import { findRevert } from '#chain/revert.ts';
import { client as market, queries } from '../data/client.ts';
import type { WalletClient } from './useWallet.ts';

export type Stage = 'trying' | 'signing' | 'mining' | 'mined' | 'seen';

export type Progress = { readonly step: number; readonly stage: Stage; readonly hash?: Hex };

/** Remembers beyond this page what went out. */
export type Memory = {
  /** Before the wallet is asked: from here on the call may be sent even if this page is gone. */
  readonly expect: (step: number) => Promise<void>;
  readonly keep: (hashes: readonly Hex[]) => Promise<void>;
  /** The last of them was mined and reverted. */
  readonly fail: (hashes: readonly Hex[]) => Promise<void>;
};

/** `hashes` are the calls that went out already, in order; none of them goes out again. It grows as others follow. */
export async function sendCalls(
  client: WalletClient,
  calls: readonly Call[],
  hashes: Hex[],
  onProgress: (progress: Progress) => void,
  memory?: Memory,
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
      hash = await sendTransaction(client, { ...request, gas, chain: client.chain });
      hashes.push(hash);
      await memory?.keep(hashes);
    }
    onProgress({ step, stage: 'mining', hash });
    const receipt = await waitForTransactionReceipt(client, { hash, pollingInterval: 500 });
    if (receipt.status !== 'success') {
      await memory?.fail(hashes);
      // It did nothing, hence it may be sent once more.
      hashes.length = step;
      throw new Error('The transaction was mined but reverted; nothing has moved.');
    }
    // The wallet's owner may have replaced it by one that pays more.
    hashes[step] = receipt.transactionHash;
    receipts.push(receipt);
    onProgress({ step, stage: 'mined', hash: receipt.transactionHash });
  }
  const last = receipts.at(-1);
  if (last !== undefined) {
    await awaitMarket(last.blockNumber);
    await queries.invalidateQueries();
    onProgress({ step: calls.length - 1, stage: 'seen', hash: last.transactionHash });
  }
  return receipts;
}

/** What went wrong, and what to do next, in words. */
export function explainFailure(error: unknown): string {
  const revert = findRevert(error);
  if (revert !== undefined) return revert.sentence;
  if (!(error instanceof Error)) return 'Something went wrong; try again.';
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: unknown }).code === 4001)
      return 'You declined in the wallet: it was neither signed nor sent.';
  }
  const short = (error as { shortMessage?: unknown }).shortMessage;
  return typeof short === 'string' ? short : (error.message.split('\n')[0] ?? error.message);
}

const marketPollMs = 300;
const marketPolls = 100;

/** Until answers show the block; a service that is behind is no failure of the transaction. */
async function awaitMarket(block: bigint): Promise<void> {
  for (let poll = 0; poll < marketPolls; poll++) {
    const health = await market.health().catch(() => null);
    if (health !== null && BigInt(health.block) >= block) return;
    await new Promise((resolve) => setTimeout(resolve, marketPollMs));
  }
}
