// Whether transactions did what was asked for: the very calls, by the very wallet, mined and not reverted.
import { type Address, isSameAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Hash } from '#domain/task.ts';
import { blockAt, latestBlock, type Receipt, receiptOf, type Sent, transactionOf } from './questions.ts';
import { decodeRevert, parseRevertData } from './revert.ts';
import type { Rpc } from './rpc.ts';

export type AskedCall = { readonly to: Address; readonly value: Hash; readonly data: Hash };

export type AskedCalls = {
  readonly from: Address;
  readonly calls: readonly AskedCall[];
  /** What was mined before this time was not sent for these calls. */
  readonly since: number;
};

export type CallsOutcome =
  | { readonly kind: 'waiting' | 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

type Mined = { readonly transaction: Sent; readonly receipt: Receipt };

/** Clocks of chains and machines differ a little. */
const clockSlackSeconds = 60;

/** One transaction for each call in their order, or one that carries them all, as wallets that are contracts send. */
export async function readCallsOutcome(
  rpc: Rpc,
  asked: AskedCalls,
  hashes: readonly Hash[],
  confirmations: number,
): Promise<CallsOutcome> {
  const [head, ...found] = await rpc.askAll([
    latestBlock(),
    ...hashes.flatMap((hash) => [transactionOf(hash), receiptOf(hash)] as const),
  ]);
  const mined: Mined[] = [];
  for (let at = 0; at < found.length; at += 2) {
    const [transaction, receipt] = [found[at] as Sent | null, found[at + 1] as Receipt | null];
    if (transaction === null || receipt === null) return { kind: 'waiting' };
    if (receipt.blockNumber + BigInt(confirmations) > head.number + 1n) return { kind: 'waiting' };
    mined.push({ transaction, receipt });
  }
  const reverted = mined.find(({ receipt }) => !receipt.isSuccess);
  if (reverted !== undefined) return fail(await explainRevert(rpc, reverted));
  const isAsked = areTheCalls(asked, mined) || carriesTheCalls(asked, mined);
  if (!isAsked) return fail('The transactions are not those that were asked for.');
  return (await isOld(rpc, asked, mined))
    ? fail('The transactions are older than the request.')
    : { kind: 'done' };
}

function fail(reason: string): CallsOutcome {
  return { kind: 'failed', reason };
}

function areTheCalls({ from, calls }: AskedCalls, mined: readonly Mined[]): boolean {
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
 * A wallet that is a contract wraps the calls into one of its own, sent by whoever pays the gas. Its calldata holds
 * theirs. Since a bundle succeeds even where what is inside reverts, every contract called must have left a log, and
 * the logs must speak of the wallet: who carries calls for others acts under its own name.
 */
function carriesTheCalls({ from, calls }: AskedCalls, mined: readonly Mined[]): boolean {
  const [only] = mined;
  if (mined.length !== 1 || only === undefined) return false;
  const { logs } = only.receipt;
  const carried = only.transaction.data.slice(2);
  const holds = (hex: string) => carried.includes(hex.slice(2).toLowerCase());
  const topic = `0x${from.slice(2).toLowerCase().padStart(64, '0')}`;
  return (
    calls.every(({ to, data }) => data.length >= 10 && holds(data) && holds(to)) &&
    calls.every(({ to }) => logs.some(({ address }) => isSameAddress(address, to))) &&
    logs.some(({ topics }) => topics.includes(topic as Hash))
  );
}

async function isOld(rpc: Rpc, { since }: AskedCalls, mined: readonly Mined[]): Promise<boolean> {
  const blocks = await rpc.askAll(mined.map(({ receipt }) => blockAt(receipt.blockNumber)));
  return blocks.some((block) => block !== null && block.time + clockSlackSeconds < since);
}

/** By asking the same question again at the block before. */
async function explainRevert(rpc: Rpc, { transaction, receipt }: Mined): Promise<string> {
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
