// Looks for calls whose answer was lost: by the nonces of the account, and by the events of the called contracts. It only reads.
import type { Hex } from 'viem';
import type { Call } from '../chain/encodeCall.ts';
import type { Asker } from '../chain/rpc.ts';
import {
  codeOf,
  latestBlock,
  logsAbout,
  type Sent,
  sentIn,
  transactionCount,
  transactionCountAt,
} from '../chain/rpcRequests.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import { isErrorOf } from '../domain/errors.ts';
import { readCallsOutcome } from './callsOutcome.ts';

/** What was asked of a wallet, and when. */
export type LostCalls = {
  readonly from: Address;
  readonly calls: readonly Call[];
  /** Of the account before the wallet was asked. */
  readonly nonce: number;
  /** The newest block at that time. */
  readonly block: bigint;
  /** Unix seconds. */
  readonly since: number;
};

/** Blocks in one request for logs, and requests in one search. */
const logBlocks = 2_000n;
const maxLogRequests = 60;
/** Transactions of the account that are compared with the calls. */
const maxNonces = 50;

/** The transactions that carried the calls out, mined or reverted; null where the chain shows none. Throws where it cannot be asked. */
export async function findLostCalls(asker: Asker, lost: LostCalls): Promise<readonly Hex[] | null> {
  const [head, count, code] = await asker.askAll([
    latestBlock(),
    transactionCount(lost.from, 'latest'),
    codeOf(lost.from),
  ]);
  if (count > lost.nonce) {
    const found = await findByNonces(asker, lost, count, head.number);
    if (found !== null) return found;
  }
  // An account without code sends its calls itself, so that its nonces have told all.
  const [first] = lost.calls;
  const mayBundle = code !== '0x' || lost.calls.length > 1;
  return mayBundle && first !== undefined ? findByEvents(asker, lost, head.number) : null;
}

/** One transaction for each call, in order, among those that the account has sent since. */
async function findByNonces(
  asker: Asker,
  { from, calls, nonce, block }: LostCalls,
  count: number,
  head: bigint,
): Promise<readonly Hex[] | null> {
  const hashes: Hex[] = [];
  const last = Math.min(count, nonce + maxNonces);
  let low = block;
  for (let at = nonce; at < last && hashes.length < calls.length; at++) {
    const sent = await findSent(asker, from, at, low, head);
    if (sent === null) return null;
    low = sent.block;
    if (isCall(sent, calls[hashes.length] as Call)) hashes.push(sent.hash);
  }
  return hashes.length === calls.length ? hashes : null;
}

/** Whether a transaction is exactly this call. */
export function isCall({ to, data, value }: Pick<Sent, 'to' | 'data' | 'value'>, call: Call): boolean {
  return (
    to !== null &&
    isSameAddress(to, call.to) &&
    data === call.data.toLowerCase() &&
    value === BigInt(call.value)
  );
}

/** The mined transaction of an account with this nonce; null where the node does not keep the state of so old blocks. */
export async function findSent(asker: Asker, from: Address, nonce: number, low: bigint, head: bigint) {
  try {
    let [below, above] = [low, head];
    // The first block after which the account has sent more than `nonce` transactions.
    while (below < above) {
      const middle = (below + above) / 2n;
      if ((await asker.ask(transactionCountAt(from, middle))) > nonce) above = middle;
      else below = middle + 1n;
    }
    const sent = await asker.ask(sentIn(above));
    const found = sent.find((one) => one.nonce === nonce && isSameAddress(one.from, from));
    return found === undefined ? null : { ...found, block: above };
  } catch (error) {
    if (isErrorOf(error, 'CHAIN_REFUSED')) return null;
    throw error;
  }
}

/** A transaction that another account may have sent: its calldata holds the calls, and their contracts name the wallet. */
async function findByEvents(asker: Asker, lost: LostCalls, head: bigint): Promise<readonly Hex[] | null> {
  const { from, calls, block, since } = lost;
  const addresses = [...new Set(calls.map(({ to }) => to))];
  const tried = new Set<Hex>();
  let low = block + 1n;
  for (let asked = 0; low <= head && asked < maxLogRequests; asked++) {
    const high = low + logBlocks - 1n < head ? low + logBlocks - 1n : head;
    const logs = (
      await Promise.all([1, 2, 3].map((at) => asker.ask(logsAbout(addresses, low, high, from, at))))
    ).flat();
    for (const { txHash } of logs) {
      if (tried.has(txHash)) continue;
      tried.add(txHash);
      const outcome = await readCallsOutcome(asker, { from, calls, since }, [txHash], 1);
      if (outcome.kind === 'done') return [txHash];
    }
    low = high + 1n;
  }
  return null;
}
