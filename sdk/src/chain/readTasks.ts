// Reads tasks through the lens contract, at one block that is given by its hash.
import type { marketLensAbi } from '@svc/contracts/abi';
import { type ContractFunctionReturnType, type Hex, zeroHash } from 'viem';
import { type Address, zeroAddress } from '../domain/address.ts';
import { isErrorOf } from '../domain/errors.ts';
import { type Market, markets } from '../domain/market.ts';
import { disputePhases, nameOf, scopes, taskStates } from '../domain/state.ts';
import type { Dispute, Task } from '../domain/task.ts';
import { marketCall } from './contracts.ts';
import { type Asker, askNamed } from './rpc.ts';
import { latestBlock } from './rpcRequests.ts';

/** The addresses that reading tasks needs; a Deployment has them. */
export type TaskPlace = {
  readonly marketLens: Address;
  readonly markets: Readonly<
    Record<Market, { readonly taskRegistry: Address; readonly disputeCourt: Address }>
  >;
};

/** The tasks that exist at the block, in the order of `numbers`. Numbers without a task are left out. */
export async function readTasks(
  rpc: Asker,
  place: TaskPlace,
  market: Market,
  numbers: readonly bigint[],
  blockHash: Hex,
): Promise<Task[]> {
  if (numbers.length === 0) return [];
  const { taskRegistry, disputeCourt } = place.markets[market];
  const args = [taskRegistry, disputeCourt, numbers] as const;
  const request = marketCall(place, 'marketLens', 'taskDetails', args, blockHash);
  const details = await rpc.ask({
    ...request,
    parse: (result) => {
      const found = request.parse(result);
      if (!areDetailsOf(numbers, found)) throw new Error('malformed answer: other tasks than requested');
      if (!found.every(isPossible))
        throw new Error('malformed answer: a task that the contracts do not allow');
      return found;
    },
  });
  return details.map((detail) => buildTask(market, taskRegistry, detail)).filter((task) => task !== null);
}

/** A fork may remove the newest block between the request for it and the request for its tasks. */
const attempts = 3;

/** One task at the newest block; null where it does not exist. */
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
      if (!isErrorOf(error, 'CHAIN_CHANGED') || attempt === attempts) throw error;
    }
  }
}

/** A larger count is used only where its last task exists: a wrong one would make its reader go on for ever. */
const believedCount = 100_000n;

export async function readTaskCounts(
  rpc: Asker,
  place: TaskPlace,
  blockHash: Hex,
): Promise<Record<Market, bigint>> {
  const countOf = (market: Market) =>
    marketCall(place.markets[market], 'taskRegistry', 'taskCount', [], blockHash);
  const counts = await askNamed(rpc, { standard: countOf('standard'), micro: countOf('micro') });
  for (const market of markets) {
    const count = counts[market];
    if (count > believedCount && (await readTasks(rpc, place, market, [count], blockHash)).length === 0)
      throw new Error(`malformed answer: ${count} tasks, and the last one does not exist`);
  }
  return counts;
}

function areDetailsOf(numbers: readonly bigint[], details: readonly LensDetail[]): boolean {
  if (details.length !== numbers.length) return false;
  return details.every(
    ({ task }, at) => task.id === numbers[at] || nameOf(taskStates, task.state) === 'NONE',
  );
}

/** What holds for every task at every block. A wrong answer seldom keeps all of it. */
function isPossible({ task, milestones, dispute }: LensDetail): boolean {
  const state = nameOf(taskStates, task.state);
  if (state === 'NONE') return true;
  const paidOut = task.released + task.refunded + task.fees;
  const isDisputed = state === 'DISPUTED';
  return (
    paidOut <= task.funded &&
    task.funded <= task.totalAmount &&
    milestones.reduce((sum, amount) => sum + amount, 0n) === task.totalAmount &&
    task.milestone <= milestones.length &&
    task.createdAt <= task.updatedAt &&
    (!isDisputed || nameOf(disputePhases, dispute.phase) !== 'NONE') &&
    (task.worker !== zeroAddress || !workedStates.has(state))
  );
}

const workedStates: ReadonlySet<string> = new Set(['CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED']);

type LensDetail = ContractFunctionReturnType<typeof marketLensAbi, 'view', 'taskDetails'>[number];

function buildTask(
  market: Market,
  registryAddress: Address,
  { task, milestones, dispute }: LensDetail,
): Task | null {
  const state = nameOf(taskStates, task.state);
  if (state === 'NONE') return null;
  return {
    market,
    number: task.id,
    registryAddress,
    poster: task.poster,
    worker: orNull(task.worker),
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
    // Of the last notice, also when that one is over.
    noticeAnswered: task.dismissAt !== 0 && task.noticeAnswered,
    totalAmount: task.totalAmount,
    funded: task.funded,
    released: task.released,
    refunded: task.refunded,
    fees: task.fees,
    criteriaHash: task.criteriaHash,
    settlementDigest: task.settlementDigest === zeroHash ? null : task.settlementDigest,
    dispute: buildDispute(dispute),
  };
}

function buildDispute(dispute: LensDetail['dispute']): Dispute | null {
  const phase = nameOf(disputePhases, dispute.phase);
  if (phase === 'NONE') return null;
  return {
    phase,
    phaseEndsAt: Number(dispute.phaseEnds),
    judge: orNull(dispute.judge),
    posterPick: orNull(dispute.posterPick),
    workerPick: orNull(dispute.workerPick),
    posterPayer: orNull(dispute.posterPayer),
    workerPayer: orNull(dispute.workerPayer),
    amount: dispute.amount,
    bond: dispute.bond,
    rulingFrom: dispute.rulingFrom === 0n ? null : Number(dispute.rulingFrom),
  };
}

function orNull(address: Address): Address | null {
  return address === zeroAddress ? null : address;
}
