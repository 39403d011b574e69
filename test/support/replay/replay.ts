// Builds a market from its logs and nothing else.
import { type Abi, type PublicClient, parseEventLogs } from 'viem';
import type { MarketContracts } from '../marketReader.ts';
import { applyDeposits, applyReputation } from './agents.ts';
import { applyCourt } from './court.ts';
import type { EventOf } from './event.ts';
import { createModel, type MarketModel } from './model.ts';
import { applyGateway, applyStaking } from './staking.ts';
import { applyEscrow, applyRegistry } from './tasks.ts';

type Applier<Interface extends Abi> = (model: MarketModel, event: EventOf<Interface>, time: bigint) => void;

type Happening = {
  readonly blockNumber: bigint;
  readonly logIndex: number;
  readonly name: string;
  readonly apply: (model: MarketModel, time: bigint) => void;
};

export type Replay = {
  readonly model: MarketModel;
  /** Names of all events that were replayed. */
  readonly seen: ReadonlySet<string>;
};

/** Applies all events up to a block, in the order they happened. */
export async function replayMarket(
  client: PublicClient,
  contracts: MarketContracts,
  toBlock: bigint,
): Promise<Replay> {
  const read = async <const Interface extends Abi>(
    { address, abi }: { readonly address: `0x${string}`; readonly abi: Interface },
    apply: Applier<Interface>,
  ): Promise<Happening[]> => {
    const logs = await client.getLogs({ address, fromBlock: 0n, toBlock });
    const events = parseEventLogs({ abi, logs }) as EventOf<Interface>[];
    if (events.length !== logs.length) throw new Error(`${logs.length - events.length} logs are unknown.`);
    return events.map((event) => ({
      blockNumber: event.blockNumber as bigint,
      logIndex: event.logIndex as number,
      name: event.eventName as string,
      apply: (model, time) => apply(model, event, time),
    }));
  };
  const happenings = (
    await Promise.all([
      read(contracts.registry, applyRegistry),
      read(contracts.escrow, applyEscrow),
      read(contracts.deposits, applyDeposits),
      read(contracts.gateway, applyGateway),
      read(contracts.court, applyCourt),
      read(contracts.staking, applyStaking),
      read(contracts.reputation, applyReputation),
    ])
  )
    .flat()
    .sort((left, right) => Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex);
  const times = await readTimes(client, new Set(happenings.map(({ blockNumber }) => blockNumber)));
  const model = createModel();
  for (const { blockNumber, apply } of happenings) apply(model, times.get(blockNumber) as bigint);
  return { model, seen: new Set(happenings.map(({ name }) => name)) };
}

async function readTimes(client: PublicClient, blocks: ReadonlySet<bigint>): Promise<Map<bigint, bigint>> {
  const pairs = [...blocks].map(async (blockNumber) => {
    const { timestamp } = await client.getBlock({ blockNumber });
    return [blockNumber, timestamp] as const;
  });
  return new Map(await Promise.all(pairs));
}
