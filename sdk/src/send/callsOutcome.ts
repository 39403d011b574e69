// Whether transactions carried out requested calls: exactly these calls, from this wallet, mined and not reverted.

import type { Hex } from 'viem';
import type { Call } from '../chain/encodeCall.ts';
import { decodeRevert, parseRevertData } from '../chain/revert.ts';
import type { Asker } from '../chain/rpc.ts';
import {
  blockAt,
  latestBlock,
  type Receipt,
  receiptOf,
  type Sent,
  transactionOf,
} from '../chain/rpcRequests.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';

export type AskedCalls = {
  readonly from: Address;
  readonly calls: readonly Call[];
  /** Transactions mined before this time do not count. */
  readonly since: number;
};

export type CallsOutcome =
  /** `unknown`: the chain knows none of the transactions. */
  { readonly kind: 'unknown' | 'waiting' | 'done' } | { readonly kind: 'failed'; readonly reason: string };

type Mined = { readonly transaction: Sent; readonly receipt: Receipt };

/** Tolerance between the clocks of the chain and this machine. */
const clockSlackSeconds = 60;

/** Accepts one transaction per call in order, or one transaction with all of them, as smart wallets send. */
export async function readCallsOutcome(
  rpc: Asker,
  asked: AskedCalls,
  hashes: readonly Hex[],
  confirmations: number,
): Promise<CallsOutcome> {
  const [head, ...found] = await rpc.askAll([
    latestBlock(),
    ...hashes.flatMap((hash) => [transactionOf(hash), receiptOf(hash)] as const),
  ]);
  if (found.every((part) => part === null)) return { kind: 'unknown' };
  const mined: Mined[] = [];
  for (let at = 0; at < found.length; at += 2) {
    const [transaction, receipt] = [found[at] as Sent | null, found[at + 1] as Receipt | null];
    if (transaction === null || receipt === null) return { kind: 'waiting' };
    if (receipt.blockNumber + BigInt(confirmations) > head.number + 1n) return { kind: 'waiting' };
    mined.push({ transaction, receipt });
  }
  const reverted = mined.find(({ receipt }) => !receipt.isSuccess);
  if (reverted !== undefined) return fail(await explainRevert(rpc, reverted));
  const isRequested = areRequestedCalls(asked, mined) || containCalls(asked, mined);
  if (!isRequested) return fail('The transactions are not the requested ones.');
  return (await isOld(rpc, asked, mined))
    ? fail('The transactions are older than the request.')
    : { kind: 'done' };
}

function fail(reason: string): CallsOutcome {
  return { kind: 'failed', reason };
}

function areRequestedCalls({ from, calls }: AskedCalls, mined: readonly Mined[]): boolean {
  return (
    calls.length === mined.length &&
    calls.every((call, at) => {
      const { transaction } = mined[at] as Mined;
      return (
        isSameAddress(transaction.from, from) &&
        transaction.to !== null &&
        isSameAddress(transaction.to, call.to) &&
        transaction.data === call.data.toLowerCase() &&
        transaction.value === BigInt(call.value)
      );
    })
  );
}

/**
 * A smart wallet wraps the calls into a single call, which another account may send. Its calldata contains the
 * calls. A bundle succeeds even when an inner call reverts, so every called contract must have emitted a log, and the
 * logs must name the wallet.
 */
function containCalls({ from, calls }: AskedCalls, mined: readonly Mined[]): boolean {
  const [only] = mined;
  if (mined.length !== 1 || only === undefined) return false;
  const { logs } = only.receipt;
  const carried = only.transaction.data.slice(2);
  const holds = (hex: string) => carried.includes(hex.slice(2).toLowerCase());
  const topic = `0x${from.slice(2).toLowerCase().padStart(64, '0')}`;
  return (
    calls.every(({ to, data }) => data.length >= 10 && holds(data) && holds(to)) &&
    calls.every(({ to }) => logs.some(({ address }) => isSameAddress(address, to))) &&
    logs.some(({ topics }) => topics.includes(topic as Hex))
  );
}

async function isOld(rpc: Asker, { since }: AskedCalls, mined: readonly Mined[]): Promise<boolean> {
  const blocks = await rpc.askAll(mined.map(({ receipt }) => blockAt(receipt.blockNumber)));
  return blocks.some((block) => block !== null && block.time + clockSlackSeconds < since);
}

/** Repeats the call at the block before. */
async function explainRevert(rpc: Asker, { transaction, receipt }: Mined): Promise<string> {
  const { from, to, value, data } = transaction;
  const call = { from, to, value: `0x${value.toString(16)}`, data };
  const before = `0x${(receipt.blockNumber - 1n).toString(16)}`;
  try {
    await rpc.ask({ method: 'eth_call', params: [call, before], parse: () => null });
  } catch (error) {
    const revert = error instanceof SvcError ? parseRevertData(error.details.data) : undefined;
    if (revert !== undefined) return decodeRevert(revert).sentence;
  }
  return 'The transaction was reverted.';
}
