// Whether a transaction is one in which an EIP-3009 authorization paid us, and where on the chain an authorization was used.

import { testUsdcAbi } from '@svc/contracts/abi';
import type { Rpc } from '@svc/sdk/chain';
import { type Address, isSameAddress } from '@svc/sdk/domain';
import {
  callLatest,
  latestBlock,
  logsBetween,
  type RawLog,
  receiptOf,
  transactionOf,
} from '@svc/sdk/internal/chain/rpcRequests';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { encodeEventTopics, encodeFunctionData, type Hex, padHex } from 'viem';
import { createRange } from '../chain/logRange.ts';

export type WantedTransfer = {
  readonly payer: Address;
  readonly nonce: Hex;
  readonly asset: Address;
  readonly payTo: Address;
  readonly amount: bigint;
  /** The chain's height when the payment came. */
  readonly sinceBlock: number;
};

/** Pending: it waits to be mined. Absent: no node has it, or it was mined and did not pay. */
type TransferState = 'paid' | 'pending' | 'absent';

/** Providers return logs of this many blocks at once; the range shrinks for those that allow fewer. */
const mostBlocks = 1_000;
/** About a day of them: an authorization lives for minutes, and who was not answered comes again soon. */
export const searchedBlocks = 50_000;
/** A fork may bring a transaction into a block before those that were known. */
const forkBlocks = 64n;

const [authorizationUsed] = encodeEventTopics({ abi: testUsdcAbi, eventName: 'AuthorizationUsed' });
const [transfer] = encodeEventTopics({ abi: testUsdcAbi, eventName: 'Transfer' });

/**
 * A used nonce is not enough: a payer could sign another authorization with the same nonce, send that one instead, and
 * put an unrelated payment into the same transaction. USDC logs the transfer right after the use of the nonce, so the
 * next log must show the amount, from the payer to the payee.
 */
export async function readTransfer(rpc: Rpc, txHash: Hex, wanted: WantedTransfer): Promise<TransferState> {
  const receipt = await rpc.ask(receiptOf(txHash));
  if (receipt === null) return (await rpc.ask(transactionOf(txHash))) === null ? 'absent' : 'pending';
  const { asset, amount } = wanted;
  const { used, paid } = topicsOf(wanted);
  const isPaid = receipt.logs.some((one, at) => {
    const next = receipt.logs[at + 1];
    return isOf(one, asset, used) && isOf(next, asset, paid) && BigInt(next.data) === amount;
  });
  return isPaid ? 'paid' : 'absent';
}

/** How many blocks stand behind a transfer that paid us, its own included; 0 where it has not. */
export async function readDepth(rpc: Rpc, txHash: Hex, wanted: WantedTransfer): Promise<number> {
  if ((await readTransfer(rpc, txHash, wanted)) !== 'paid') return 0;
  const [receipt, head] = await rpc.askAll([receiptOf(txHash), latestBlock()]);
  return receipt === null ? 0 : Number(head.number - receipt.blockNumber) + 1;
}

/** The transaction in which the authorization paid us, and the account that sent it; null where there is none. */
export async function findTransfer(
  rpc: Rpc,
  wanted: WantedTransfer,
): Promise<{ readonly txHash: Hex; readonly sender: Address } | null> {
  const log = await findLog(rpc, wanted.asset, topicsOf(wanted).used, BigInt(wanted.sinceBlock));
  if (log === null || (await readTransfer(rpc, log.txHash, wanted)) !== 'paid') return null;
  const sent = await rpc.ask(transactionOf(log.txHash));
  return sent === null ? null : { txHash: log.txHash, sender: sent.from };
}

function topicsOf({ payer, nonce, payTo }: WantedTransfer) {
  return {
    used: [authorizationUsed as Hex, topicOf(payer), nonce.toLowerCase() as Hex],
    paid: [transfer as Hex, topicOf(payer), topicOf(payTo)],
  } as const;
}

/** Whether the token has taken the authorization: it knows that also where a node has forgotten the transaction. */
export async function areUsed(rpc: Rpc, all: readonly WantedTransfer[]): Promise<readonly boolean[]> {
  const calls = all.map(({ asset, payer, nonce }) => {
    const call = { abi: testUsdcAbi, functionName: 'authorizationState', args: [payer, nonce] } as const;
    return callLatest({ to: asset, data: encodeFunctionData(call) });
  });
  return (await rpc.askAll(calls)).map((state) => BigInt(state) === 1n);
}

export async function isUsed(rpc: Rpc, wanted: WantedTransfer): Promise<boolean> {
  const [used = false] = await areUsed(rpc, [wanted]);
  return used;
}

export async function readHeadNumber(rpc: Rpc): Promise<number> {
  return Number((await rpc.ask(latestBlock())).number);
}

/** The first log with these topics; a nonce can be used only once, so there is at most one. */
async function findLog(
  rpc: Rpc,
  asset: Address,
  topics: readonly Hex[],
  sinceBlock: bigint,
): Promise<RawLog | null> {
  const { number: head } = await rpc.ask(latestBlock());
  const end = sinceBlock + BigInt(searchedBlocks);
  const last = head < end ? head : end;
  const range = createRange({ first: mostBlocks, largest: mostBlocks });
  let from = sinceBlock > forkBlocks ? sinceBlock - forkBlocks : 0n;
  while (from <= last) {
    const log = await range.use(async (blocks) => {
      const end = from + BigInt(blocks) - 1n;
      const to = end < last ? end : last;
      const [first] = await rpc.ask(logsBetween([asset], from, to, topics));
      from = to + 1n;
      return first;
    });
    if (log !== undefined) return log;
  }
  return null;
}

function isOf(log: RawLog | undefined, asset: Address, topics: readonly Hex[]): log is RawLog {
  return (
    log !== undefined &&
    isSameAddress(log.address, asset) &&
    topics.every((topic, at) => log.topics[at]?.toLowerCase() === topic)
  );
}

function topicOf(address: Address): Hex {
  return padHex(addressKey(address), { size: 32 });
}
