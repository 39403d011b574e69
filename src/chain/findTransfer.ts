// Finds the transaction in which an EIP-3009 authorization was used to pay somebody, whoever sent it.
import { encodeEventTopics, type Hex, padHex } from 'viem';
import { type Address, addressKey, isSameAddress } from '#domain/address.ts';
import type { Hash } from '#domain/task.ts';
import { testUsdcAbi } from './abi/testUsdc.ts';
import { latestBlock, logsBetween, type RawLog, receiptOf } from './questions.ts';
import type { Rpc } from './rpc.ts';

export type WantedTransfer = {
  readonly payer: Address;
  readonly nonce: Hash;
  readonly asset: Address;
  readonly payTo: Address;
  readonly amount: bigint;
  /** No older block is looked at. */
  readonly sinceBlock: number;
};

/** An authorization lives for minutes; providers answer logs of this many blocks at once. */
const maxBlocks = 1_000n;

const [authorizationUsed] = encodeEventTopics({ abi: testUsdcAbi, eventName: 'AuthorizationUsed' });
const [transfer] = encodeEventTopics({ abi: testUsdcAbi, eventName: 'Transfer' });

/**
 * That the number was used is not enough: a payer could sign another authorization with the same number and send that
 * one instead. So the same transaction must have moved the amount from the payer to the payee.
 */
export async function findTransfer(rpc: Rpc, wanted: WantedTransfer): Promise<Hash | null> {
  const { payer, nonce, asset, payTo, amount } = wanted;
  const { number: head } = await rpc.ask(latestBlock());
  const from = BigInt(wanted.sinceBlock);
  const to = head < from + maxBlocks ? head : from + maxBlocks;
  if (to < from) return null;
  const topics = [authorizationUsed as Hex, topicOf(payer), nonce.toLowerCase() as Hash];
  for (const { txHash } of await rpc.ask(logsBetween([asset], from, to, topics))) {
    const receipt = await rpc.ask(receiptOf(txHash));
    if (receipt?.isSuccess && receipt.logs.some(isPayment)) return txHash;
  }
  return null;

  function isPayment({ address, topics: [event, sender, recipient], data }: RawLog): boolean {
    return (
      isSameAddress(address, asset) &&
      event === transfer &&
      sender?.toLowerCase() === topicOf(payer) &&
      recipient?.toLowerCase() === topicOf(payTo) &&
      BigInt(data) === amount
    );
  }
}

function topicOf(address: Address): Hash {
  return padHex(addressKey(address), { size: 32 });
}
