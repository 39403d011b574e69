// Posts tasks for tests: with stock viem, by a wallet that is ready to post.
import { parseEventLogs } from 'viem';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { formatTaskId, type TaskId } from '#sdk/domain/taskId.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import type { Cast } from './cast.ts';

export type Offer = {
  readonly uri?: string;
  readonly criteria?: string;
  /** Seconds from the newest block; a day unless given. */
  readonly dueIn?: number;
};

export async function postTask(
  { client, contracts, market, poster }: Cast,
  offer: Offer = {},
): Promise<TaskId> {
  const { uri = 'https://work.example/brief.txt', criteria = 'As agreed.', dueIn = 86_400 } = offer;
  const { timestamp } = await client.getBlock();
  const receipt = await poster.write(contracts.registry, 'postTask', [
    {
      totalAmount: parseTok('1000'),
      deadline: timestamp + BigInt(dueIn),
      reviewPeriod: 86_400,
      criteriaHash: hashCriteria(criteria),
      milestones: [],
      uri,
      fundNow: 0n,
    },
  ]);
  const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs: receipt.logs });
  if (posted === undefined) throw new Error('no task was posted');
  return formatTaskId({ market, number: posted.args.taskId });
}
