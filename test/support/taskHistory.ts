// Every task of a market with its dispute, its texts and its course, from the events of the chain.
import { type PublicClient, parseEventLogs } from 'viem';
import { disputeCourtAbi } from '#contracts/generated/abi/disputeCourt.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import type { Deployment } from '#sdk/chain/deployment.ts';
import type { DisputeOutcome } from '#sdk/domain/disputeFacts.ts';
import type { Market } from '#sdk/domain/market.ts';
import { type DisputePhase, disputePhases, nameOf, type StoredState, taskStates } from '#sdk/domain/state.ts';
import { contractsOf, readDispute, readTasks } from './marketReader.ts';

export type TaskHistory = {
  readonly market: Market;
  readonly task: Awaited<ReturnType<typeof readTasks>>[number];
  readonly state: StoredState;
  readonly dispute: Awaited<ReturnType<typeof readDispute>>;
  readonly phase: DisputePhase;
  readonly uri: string;
  /** States in the order they were reached; the last one is `state`. */
  readonly trail: readonly StoredState[];
  /** Names of all events of registry and court, in order. */
  readonly events: readonly string[];
  readonly rulings: readonly number[];
  readonly acceptedByTimeout: readonly boolean[];
  readonly outcome: DisputeOutcome | null;
};

export async function readHistories(
  client: PublicClient,
  deployment: Deployment,
  market: Market,
): Promise<TaskHistory[]> {
  const contracts = contractsOf(deployment, market);
  const tasks = await readTasks(client, contracts);
  const disputes = await Promise.all(tasks.map(({ id }) => readDispute(client, contracts, id)));
  const addresses = [contracts.registry.address, contracts.court.address];
  const logs = await client.getLogs({ address: addresses, fromBlock: 0n });
  const events = parseEvents(logs);
  return tasks.map((task, index) => {
    const own = events.filter(({ args }) => 'taskId' in args && args.taskId === task.id);
    const dispute = disputes[index] as TaskHistory['dispute'];
    const [posted] = own.flatMap((event) => (event.eventName === 'TaskPosted' ? [event.args] : []));
    return {
      market,
      task,
      state: nameOf(taskStates, task.state),
      dispute,
      phase: nameOf(disputePhases, dispute.phase),
      uri: posted?.uri ?? '',
      trail: own.flatMap((event) =>
        event.eventName === 'TaskState' ? [nameOf(taskStates, event.args.state)] : [],
      ),
      events: own.map(({ eventName }) => eventName),
      outcome: findOutcome(own),
      rulings: own.flatMap((event) => (event.eventName === 'DisputeResolved' ? [event.args.workerBps] : [])),
      acceptedByTimeout: own.flatMap((event) =>
        event.eventName === 'MilestoneAccepted' ? [event.args.byTimeout] : [],
      ),
    };
  });
}

type Logs = Parameters<typeof parseEventLogs>[0]['logs'];
type TaskEvent = ReturnType<typeof parseEvents>[number];

function parseEvents(logs: Logs) {
  return parseEventLogs({ abi: [...taskRegistryAbi, ...disputeCourtAbi], logs });
}

/** From the court's own events; null for a task that was never disputed, and while the dispute runs. */
function findOutcome(events: readonly TaskEvent[]): DisputeOutcome | null {
  const opener = events.find(({ eventName }) => eventName === 'DisputeOpened')?.args;
  if (opener === undefined) return null;
  for (const event of events) {
    switch (event.eventName) {
      case 'DisputeResolved':
        return 'ruling';
      case 'MutuallySettled':
        return 'settled';
      case 'DisputeTimedOut':
        return nameOf(disputePhases, event.args.phase) === 'ANSWERING' ? 'default' : 'silence';
      case 'DisputeConceded':
        return 'opener' in opener && event.args.by === opener.opener
          ? 'concededByPoster'
          : 'concededByWorker';
    }
  }
  return null;
}
