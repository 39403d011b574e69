// Every task of a market with its dispute, its texts and its course, from the events of the chain.
import { type PublicClient, parseEventLogs } from 'viem';
import { disputeCourtAbi } from '#contracts/generated/abi/disputeCourt.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import type { Deployment } from '#sdk/chain/deployment.ts';
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
    };
  });
}

type Logs = Parameters<typeof parseEventLogs>[0]['logs'];
function parseEvents(logs: Logs) {
  return parseEventLogs({ abi: [...taskRegistryAbi, ...disputeCourtAbi], logs });
}
