// Posts tasks for tests: with stock viem, by a wallet that is ready to post.
import { keccak256, parseEventLogs, stringToHex, type TransactionReceipt } from 'viem';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import type { Market } from '#sdk/domain/market.ts';
import { indexOf, scopes } from '#sdk/domain/state.ts';
import { formatTaskId, type TaskId } from '#sdk/domain/taskId.ts';
import { buildTermsTypedData, hashCriteria, hashMilestones } from '#sdk/domain/terms.ts';
import type { Cast } from './cast.ts';

export const taskAmount = parseTok('1000');

export type Offer = {
  readonly uri?: string;
  readonly criteria?: string;
  /** Seconds from the newest block; a day unless given. */
  readonly dueIn?: number;
};

/** Posts a task for 1,000 TOK and answers where it is. */
export async function postAt({ client, contracts, market, poster }: Cast, offer: Offer = {}) {
  const { uri = 'https://work.example/brief.txt', criteria = 'As agreed.', dueIn = 86_400 } = offer;
  const { timestamp } = await client.getBlock();
  const receipt = await poster.write(contracts.registry, 'postTask', [
    {
      totalAmount: taskAmount,
      deadline: timestamp + BigInt(dueIn),
      reviewPeriod: 86_400,
      criteriaHash: hashCriteria(criteria),
      milestones: [],
      uri,
      fundNow: 0n,
    },
  ]);
  return { taskId: readPosted(market, receipt), txHash: receipt.transactionHash };
}

export const postTask = async (...given: Parameters<typeof postAt>) => (await postAt(...given)).taskId;

function readPosted(market: Market, { logs }: TransactionReceipt): TaskId {
  const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs });
  if (posted === undefined) throw new Error('no task was posted');
  return formatTaskId({ market, number: posted.args.taskId });
}

/** Agreed by both sides, for 500 TOK; `funded` of them are put into escrow at once. */
export async function createPrivateTask(cast: Cast, funded = 0n): Promise<TaskId> {
  const { client, contracts, deployment, market, poster, worker } = cast;
  const { timestamp } = await client.getBlock();
  const terms = {
    poster: poster.address,
    worker: worker.address,
    totalAmount: parseTok('500'),
    milestonesHash: hashMilestones([]),
    criteriaHash: hashCriteria('Between us.'),
    deadline: timestamp + 86_400n,
    reviewPeriod: 86_400,
    scope: 'private' as const,
    salt: keccak256(stringToHex(String(timestamp))),
    acceptBy: timestamp + 3_600n,
  };
  const place = { chainId: deployment.chainId, registry: contracts.registry.address };
  const signature = await worker.account.signTypedData(buildTermsTypedData(terms, place));
  const receipt = await poster.write(contracts.registry, 'createTask', [
    { ...terms, scope: indexOf(scopes, terms.scope) },
    [],
    '0x',
    signature,
    '',
    funded,
  ]);
  return readPosted(market, receipt);
}
