// Reads tasks through the lens, as of one block that is named by its hash.

import { disputeCourtAbi, marketLensAbi, taskRegistryAbi } from '@svc/contracts/abi';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { type Address, zeroAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Market } from '#domain/market.ts';
import { disputePhases, nameOf, scopes, taskStates } from '#domain/state.ts';
import type { Dispute, Hash, Task } from '#domain/task.ts';
import { callAt, latestBlock } from './questions.ts';
import type { Asker } from './rpc.ts';

const zeroHash: Hash = `0x${'0'.repeat(64)}`;

/** Where tasks are read; a deployment is such a place. */
export type TaskPlace = {
  readonly marketLens: Address;
  readonly markets: Readonly<
    Record<Market, { readonly taskRegistry: Address; readonly disputeCourt: Address }>
  >;
};

/** The tasks that exist at that block, in the order asked for; a number nobody has posted is left out. */
export async function readTasks(
  rpc: Asker,
  place: TaskPlace,
  market: Market,
  numbers: readonly bigint[],
  blockHash: Hash,
): Promise<Task[]> {
  if (numbers.length === 0) return [];
  const { taskRegistry, disputeCourt } = place.markets[market];
  const data = encodeFunctionData({
    abi: marketLensAbi,
    functionName: 'taskDetails',
    args: [taskRegistry, disputeCourt, numbers],
  });
  const call = callAt({ to: place.marketLens, data }, blockHash);
  const details = await rpc.ask({
    ...call,
    parse: (result) => {
      const answer = call.parse(result);
      const found = decodeFunctionResult({ abi: marketLensAbi, functionName: 'taskDetails', data: answer });
      if (!isAnswerTo(numbers, found)) throw new Error('malformed answer: other tasks than asked for');
      return found;
    },
  });
  const isEscalated = details.some(({ dispute }) => nameOf(disputePhases, dispute.phase) === 'ESCALATED');
  const fallback = isEscalated ? await readFallback(rpc, disputeCourt, blockHash) : null;
  return details
    .map((detail) => buildTask(market, taskRegistry, detail, fallback))
    .filter((task) => task !== null);
}

/** Who rules once a dispute is escalated; the court keeps showing whom the parties had agreed on. */
function readFallback(rpc: Asker, disputeCourt: Address, blockHash: Hash): Promise<Address> {
  const functionName = 'fallbackArbitrator';
  const data = encodeFunctionData({ abi: disputeCourtAbi, functionName });
  const call = callAt({ to: disputeCourt, data }, blockHash);
  const parse = (result: unknown) =>
    decodeFunctionResult({ abi: disputeCourtAbi, functionName, data: call.parse(result) });
  return rpc.ask({ ...call, parse });
}

/** As often as a fork may take the newest block away between the question for it and the question for its tasks. */
const attempts = 3;

/** One task as the newest block has it; null where nobody has posted it. */
export async function readTaskNow(
  rpc: Asker,
  place: TaskPlace,
  market: Market,
  number: bigint,
): Promise<Task | null> {
  for (let attempt = 1; ; attempt++) {
    const { hash } = await rpc.ask(latestBlock());
    try {
      const [task] = await readTasks(rpc, place, market, [number], hash);
      return task ?? null;
    } catch (error) {
      const isGone = error instanceof SvcError && error.code === 'CHAIN_CHANGED';
      if (!isGone || attempt === attempts) throw error;
    }
  }
}

function isAnswerTo(numbers: readonly bigint[], details: readonly LensDetail[]): boolean {
  if (details.length !== numbers.length) return false;
  return details.every(
    ({ task }, at) => task.id === numbers[at] || nameOf(taskStates, task.state) === 'NONE',
  );
}

export async function readTaskCounts(
  rpc: Asker,
  place: TaskPlace,
  blockHash: Hash,
): Promise<Record<Market, bigint>> {
  const question = (market: Market) => {
    const data = encodeFunctionData({ abi: taskRegistryAbi, functionName: 'taskCount' });
    const call = callAt({ to: place.markets[market].taskRegistry, data }, blockHash);
    const parse = (result: unknown) =>
      decodeFunctionResult({ abi: taskRegistryAbi, functionName: 'taskCount', data: call.parse(result) });
    return { ...call, parse };
  };
  const [standard, micro] = await rpc.askAll([question('standard'), question('micro')]);
  return { standard, micro };
}

type LensDetail = {
  readonly task: {
    readonly id: bigint;
    readonly poster: Address;
    readonly worker: Address;
    readonly state: number;
    readonly scope: number;
    readonly milestone: number;
    readonly round: number;
    readonly reviewPeriod: number;
    readonly deadline: bigint;
    readonly createdAt: bigint;
    readonly updatedAt: bigint;
    readonly totalAmount: bigint;
    readonly funded: bigint;
    readonly released: bigint;
    readonly refunded: bigint;
    readonly fees: bigint;
    readonly dismissAt: number;
    readonly criteriaHash: Hash;
    readonly settlementDigest: Hash;
  };
  readonly milestones: readonly bigint[];
  readonly dispute: {
    readonly phase: number;
    readonly phaseEnds: bigint;
    readonly arbitrator: Address;
    readonly opener: Address;
  };
};

function buildTask(
  market: Market,
  registryAddress: Address,
  { task, milestones, dispute }: LensDetail,
  fallback: Address | null,
): Task | null {
  const state = nameOf(taskStates, task.state);
  if (state === 'NONE') return null;
  return {
    market,
    number: task.id,
    registryAddress,
    poster: task.poster,
    worker: task.worker === zeroAddress ? null : task.worker,
    state,
    scope: nameOf(scopes, task.scope),
    milestones,
    milestone: task.milestone,
    round: task.round,
    reviewPeriod: task.reviewPeriod,
    deadline: Number(task.deadline),
    createdAt: Number(task.createdAt),
    updatedAt: Number(task.updatedAt),
    dismissAt: task.dismissAt === 0 ? null : task.dismissAt,
    totalAmount: task.totalAmount,
    funded: task.funded,
    released: task.released,
    refunded: task.refunded,
    fees: task.fees,
    criteriaHash: task.criteriaHash,
    settlementDigest: task.settlementDigest === zeroHash ? null : task.settlementDigest,
    dispute: buildDispute(dispute, fallback),
  };
}

function buildDispute(
  { phase, phaseEnds, arbitrator: agreed, opener }: LensDetail['dispute'],
  fallback: Address | null,
): Dispute | null {
  const name = nameOf(disputePhases, phase);
  if (name === 'NONE') return null;
  const arbitrator = name === 'ESCALATED' ? fallback : agreed;
  return {
    phase: name,
    opener,
    arbitrator: arbitrator === zeroAddress ? null : arbitrator,
    phaseEndsAt: Number(phaseEnds),
  };
}
