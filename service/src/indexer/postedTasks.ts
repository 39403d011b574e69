// Tasks that nobody has touched since they were posted. All there is to know of one is in the log of its post. Where there are
// many, the state of a few is compared and the others are not asked for: running the contracts costs a node fifty times as much
// as finding the log. Only where all of them are compared about a minute later, like every row (confirm.ts).

import { isDeepStrictEqual } from 'node:util';
import { type Address, markets, parseAddress, type Task, taskStates } from '@svc/sdk/domain';
import type { ChainEvent, ContractName } from '@svc/sdk/internal/domain/event';
import { indexOf, nameOf, scopes } from '@svc/sdk/internal/domain/state';
import type { Hex } from 'viem';
import type { ChainSource } from '../chain/source.ts';
import type { BlockRef } from '../store/chainRow.ts';
import { keyOfTask } from '../store/eventRows.ts';

/** Fewer tasks than this are all read. */
const fewest = 300;
/** This many tasks of each market are compared, chosen at random. */
const sampled = 30;

/** Tasks by `keyOfTask`, as of `target`. Empty where there are few, and where the state of one is not what its log says. */
export async function readPosted(
  source: Pick<ChainSource, 'readTasks'>,
  events: readonly ChainEvent[],
  target: BlockRef,
  least = fewest,
): Promise<ReadonlyMap<string, Task>> {
  const tasks = derivePosted(events);
  if (tasks.size < least) return new Map();
  for (const market of markets) {
    const some = [...tasks.values()]
      .filter((task) => task.market === market)
      .map((task) => ({ task, order: Math.random() }))
      .sort((left, right) => left.order - right.order)
      .slice(0, sampled)
      .map(({ task }) => task);
    const numbers = some.map(({ number }) => number);
    if (!isDeepStrictEqual(await source.readTasks(market, numbers, target.hash), some)) return new Map();
  }
  return tasks;
}

/** They hold the state of a task, and report every change of it. */
const stateContracts: ReadonlySet<ContractName> = new Set(['taskRegistry', 'escrowVault', 'disputeCourt']);

export function changesTask({ contract, taskNumber }: ChainEvent): boolean {
  return taskNumber !== null && stateContracts.has(contract);
}

const posted = indexOf(taskStates, 'POSTED');

/**
 * The events must be all from some block on, in chain order: tasks from before that block are left out, and so
 * are tasks with any event after their post.
 */
function derivePosted(events: readonly ChainEvent[]): Map<string, Task> {
  const byTask = Map.groupBy(events.filter(changesTask), ({ market, taskNumber }) =>
    keyOfTask({ market, number: taskNumber as bigint }),
  );
  const registries = new Map<string, Address>();
  const tasks = new Map<string, Task>();
  for (const [key, [post, state, ...more]] of byTask) {
    if (post === undefined || state === undefined || more.length > 0 || !isPost(post, state)) continue;
    const registry = registries.get(post.address) ?? parseAddress(post.address);
    registries.set(post.address, registry);
    tasks.set(key, buildPosted(post, registry));
  }
  return tasks;
}

function isPost(first: ChainEvent, second: ChainEvent): boolean {
  return (
    first.name === 'TaskPosted' &&
    second.name === 'TaskState' &&
    second.args.state === posted &&
    first.txHash === second.txHash
  );
}

/** As the contracts record a post: nothing is funded, nobody has claimed it, and one milestone needs no list. */
function buildPosted({ market, taskNumber, args, blockTime }: ChainEvent, registryAddress: Address): Task {
  const totalAmount = BigInt(args.totalAmount as string);
  const milestones = (args.milestones as readonly string[]).map(BigInt);
  return {
    market,
    number: taskNumber as bigint,
    registryAddress,
    poster: args.poster as Address,
    worker: null,
    state: 'POSTED',
    scope: nameOf(scopes, args.scope as number),
    milestones: milestones.length > 1 ? milestones : [totalAmount],
    milestone: 0,
    round: 0,
    reviewPeriod: args.reviewPeriod as number,
    deadline: Number(args.deadline),
    createdAt: blockTime,
    updatedAt: blockTime,
    dismissAt: null,
    noticeAnswered: false,
    totalAmount,
    funded: 0n,
    released: 0n,
    refunded: 0n,
    fees: 0n,
    criteriaHash: args.criteriaHash as Hex,
    settlementDigest: null,
    dispute: null,
  };
}
