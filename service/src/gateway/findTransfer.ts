// Finds the transaction in which an EIP-3009 authorization was used for a payment, sent by any account.

import { testUsdcAbi } from '@svc/contracts/abi';
import type { Rpc } from '@svc/sdk/chain';
import { createRange, latestBlock, logsBetween, type RawLog, receiptOf } from '@svc/sdk/chain';
import type { Hash } from '@svc/sdk/domain';
import { type Address, addressKey, isSameAddress } from '@svc/sdk/domain';
import { encodeEventTopics, type Hex, padHex } from 'viem';

export type WantedTransfer = {
  readonly payer: Address;
  readonly nonce: Hash;
  readonly asset: Address;
  readonly payTo: Address;
  readonly amount: bigint;
  /** The chain's height when the payment came. */
  readonly sinceBlock: number;
};

/** Providers return logs of this many blocks at once; the range shrinks for those that allow fewer. */
const mostBlocks = 1_000;
/** About a day of them: an authorization lives for minutes, and who was not answered comes again soon. */
const searchedBlocks = 50_000n;
/** A fork may bring a transaction into a block before those that were known. */
const forkBlocks = 64n;

const [authorizationUsed] = encodeEventTopics({ abi: testUsdcAbi, eventName: 'AuthorizationUsed' });
const [transfer] = encodeEventTopics({ abi: testUsdcAbi, eventName: 'Transfer' });

/**
 * A used nonce is not enough: a payer could sign another authorization with the same nonce, send that one instead, and
 * put an unrelated payment into the same transaction. USDC logs the transfer right after the use of the nonce, so the
 * next log must show the amount, from the payer to the payee.
 */
export async function findTransfer(rpc: Rpc, wanted: WantedTransfer): Promise<Hash | null> {
  const { payer, nonce, asset, payTo, amount } = wanted;
  const used = [authorizationUsed as Hex, topicOf(payer), nonce.toLowerCase() as Hash] as const;
  const paid = [transfer as Hex, topicOf(payer), topicOf(payTo)] as const;
  const log = await findLog(rpc, asset, used, BigInt(wanted.sinceBlock));
  if (log === null) return null;
  const { logs = [] } = (await rpc.ask(receiptOf(log.txHash))) ?? {};
  const isPaid = logs.some((one, at) => {
    const next = logs[at + 1];
    return isOf(one, asset, used) && isOf(next, asset, paid) && BigInt(next.data) === amount;
  });
  return isPaid ? log.txHash : null;
}

export async function readHeadNumber(rpc: Rpc): Promise<number> {
  return Number((await rpc.ask(latestBlock())).number);
}

/** The first log with these topics; a nonce can be used only once, so there is at most one. */
async function findLog(
  rpc: Rpc,
  asset: Address,
  topics: readonly Hash[],
  sinceBlock: bigint,
): Promise<RawLog | null> {
  const { number: head } = await rpc.ask(latestBlock());
  const last = head < sinceBlock + searchedBlocks ? head : sinceBlock + searchedBlocks;
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

function isOf(log: RawLog | undefined, asset: Address, topics: readonly Hash[]): log is RawLog {
  return (
    log !== undefined &&
    isSameAddress(log.address, asset) &&
    topics.every((topic, at) => log.topics[at]?.toLowerCase() === topic)
  );
}

function topicOf(address: Address): Hash {
  return padHex(addressKey(address), { size: 32 });
}
