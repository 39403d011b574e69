// What a settled request brought about: the id of the task that it put onto the chain.

import { taskRegistryAbi } from '@svc/contracts/abi';
import { encodeEventTopics, hexToBigInt } from 'viem';
import { receiptOf } from '#chain/questions.ts';
import type { Rpc } from '#chain/rpc.ts';
import { type Address, isSameAddress } from '#domain/address.ts';
import type { Market } from '#domain/market.ts';
import type { Hash } from '#domain/task.ts';
import { formatTaskId, type TaskId } from '#domain/taskId.ts';

const [posted] = encodeEventTopics({ abi: taskRegistryAbi, eventName: 'TaskPosted' });

/** Null where these transactions posted none. */
export async function readPostedTask(
  rpc: Rpc,
  market: Market,
  registry: Address,
  hashes: readonly string[],
): Promise<TaskId | null> {
  const receipts = await rpc.askAll(hashes.map((hash) => receiptOf(hash as Hash)));
  const logs = receipts.flatMap((receipt) => receipt?.logs ?? []);
  const log = logs.find(({ address, topics }) => isSameAddress(address, registry) && topics[0] === posted);
  const number = log?.topics[1];
  return number === undefined ? null : formatTaskId({ market, number: hexToBigInt(number) });
}
