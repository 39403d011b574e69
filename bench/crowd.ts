// A crowd of tasks such as a busy market has, all made by their numbers: the texts are those of the seeded market.
import { keccak256, numberToHex } from 'viem';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { type Address, parseAddress } from '#sdk/domain/address.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { buildDocumentUri } from '#sdk/domain/document.ts';
import type { ChainEvent } from '#sdk/domain/event.ts';
import type { Head } from '#sdk/domain/follow.ts';
import { indexOf, scopes, type TaskState } from '#sdk/domain/state.ts';
import type { Hash, Task } from '#sdk/domain/task.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import { taskStories } from '#service/devnet/seed/story.ts';

const day = 86_400;

/** Of eight tasks two can be claimed, one is being worked on in each state, three are over. */
const states: readonly TaskState[] = [
  'POSTED',
  'COMPLETED',
  'CLAIMED',
  'COMPLETED',
  'POSTED',
  'ACTIVE',
  'CANCELLED',
  'DELIVERED',
];

export const documents = taskStories.map(({ title, description, criteria, tags }) => ({
  uri: buildDocumentUri({ title, description, criteria, tags }),
  criteriaHash: hashCriteria(criteria),
}));

const people = Array.from(
  { length: 5_000 },
  (_, at): Address => parseAddress(keccak256(numberToHex(at)).slice(0, 42)),
);

function pick<Value>(values: readonly Value[], at: number): Value {
  return values[at % values.length] as Value;
}

export function buildCrowdTask(deployment: Deployment, number: number, { time }: Head): Task {
  const state = pick(states, number);
  const isTaken = state !== 'POSTED' && state !== 'CANCELLED';
  const totalAmount = parseTok(String(500 + (number % 97) * 25));
  const createdAt = time - day - (number % (20 * day));
  return {
    market: 'standard',
    number: BigInt(number),
    registryAddress: deployment.markets.standard.taskRegistry,
    poster: pick(people, number * 7),
    worker: isTaken ? pick(people, number * 11 + 1) : null,
    state,
    scope: 'open',
    milestones: [totalAmount],
    milestone: 0,
    round: 0,
    reviewPeriod: 3 * day,
    deadline: time + day + ((number * 61) % (60 * day)),
    createdAt,
    updatedAt: createdAt + (isTaken ? 3_600 : 0),
    dismissAt: null,
    totalAmount,
    funded: totalAmount,
    released: state === 'COMPLETED' ? totalAmount : 0n,
    refunded: state === 'CANCELLED' ? totalAmount : 0n,
    fees: 0n,
    criteriaHash: pick(documents, number).criteriaHash,
    settlementDigest: isTaken ? hashOf(number) : null,
    dispute: null,
  };
}

/** What the chain would have told of it: the post, which carries the texts, and the claim. */
export function buildCrowdEvents(task: Task, { number: blockNumber, hash: blockHash }: Head): ChainEvent[] {
  const number = Number(task.number);
  const common = {
    market: task.market,
    contract: 'taskRegistry',
    address: task.registryAddress,
    taskNumber: task.number,
    blockNumber,
    blockHash,
    txHash: hashOf(number),
  } as const;
  const posted: ChainEvent = {
    ...common,
    name: 'TaskPosted',
    blockTime: task.createdAt,
    logIndex: 2 * number,
    args: {
      taskId: String(number),
      poster: task.poster,
      scope: indexOf(scopes, task.scope),
      totalAmount: String(task.totalAmount),
      deadline: String(task.deadline),
      reviewPeriod: task.reviewPeriod,
      criteriaHash: task.criteriaHash,
      milestones: [],
      uri: pick(documents, number).uri,
    },
  };
  if (task.worker === null || task.settlementDigest === null) return [posted];
  const args = {
    taskId: String(number),
    worker: task.worker,
    round: 0,
    settlementDigest: task.settlementDigest,
  };
  const claimed: ChainEvent = {
    ...common,
    name: 'TaskClaimed',
    blockTime: task.updatedAt,
    logIndex: 2 * number + 1,
    args,
  };
  return [posted, claimed];
}

/** As long as a hash and different for each task; nobody looks behind it, and hashing a million times takes minutes. */
function hashOf(number: number): Hash {
  return numberToHex(number, { size: 32 });
}
