// Turns raw logs of a market's contracts into events: plain data with names.
import { type AbiEvent, decodeEventLog, toEventSelector } from 'viem';
import { type Address, addressKey } from '#domain/address.ts';
import { type ChainEvent, type ContractName, contractNames, type EventValue } from '#domain/event.ts';
import { type Market, markets } from '#domain/market.ts';
import type { Hash } from '#domain/task.ts';
import { depositVaultAbi } from './abi/depositVault.ts';
import { disputeCourtAbi } from './abi/disputeCourt.ts';
import { escrowVaultAbi } from './abi/escrowVault.ts';
import { paymentGatewayAbi } from './abi/paymentGateway.ts';
import { pricingPolicyAbi } from './abi/pricingPolicy.ts';
import { reputationRegistryAbi } from './abi/reputationRegistry.ts';
import { stakingVaultAbi } from './abi/stakingVault.ts';
import { taskRegistryAbi } from './abi/taskRegistry.ts';
import type { Deployment } from './deployment.ts';
import type { RawLog } from './questions.ts';

const abis: Readonly<Record<ContractName, readonly unknown[]>> = {
  taskRegistry: taskRegistryAbi,
  escrowVault: escrowVaultAbi,
  depositVault: depositVaultAbi,
  paymentGateway: paymentGatewayAbi,
  disputeCourt: disputeCourtAbi,
  stakingVault: stakingVaultAbi,
  reputationRegistry: reputationRegistryAbi,
  pricingPolicy: pricingPolicyAbi,
};

type Source = { readonly market: Market; readonly contract: ContractName };

export type LogDecoder = {
  /** Every contract whose logs matter. */
  readonly addresses: readonly Address[];
  /** Null for a log that is none of ours or that we have no name for. */
  readonly decode: (log: RawLog, blockTime: number) => ChainEvent | null;
};

export function createLogDecoder(deployment: Deployment): LogDecoder {
  const sources = new Map<string, Source>();
  for (const market of markets) {
    for (const contract of contractNames) {
      sources.set(addressKey(deployment.markets[market][contract]), { market, contract });
    }
  }
  const events = new Map(contractNames.map((contract) => [contract, indexEvents(abis[contract])]));
  return {
    addresses: [...sources.keys()] as Address[],
    decode: (log, blockTime) => {
      const source = sources.get(addressKey(log.address));
      const selector = log.topics[0];
      if (source === undefined || selector === undefined) return null;
      const event = events.get(source.contract)?.get(selector);
      return event === undefined ? null : decode(log, event, source, blockTime);
    },
  };
}

function indexEvents(abi: readonly unknown[]): Map<Hash, AbiEvent> {
  const events = (abi as readonly { type: string }[]).filter(({ type }) => type === 'event') as AbiEvent[];
  return new Map(events.map((event) => [toEventSelector(event), event]));
}

function decode(log: RawLog, event: AbiEvent, { market, contract }: Source, blockTime: number): ChainEvent {
  const { args } = decodeEventLog({
    abi: [event],
    topics: [...log.topics] as [Hash, ...Hash[]],
    data: log.data,
  });
  const plain = Object.fromEntries(
    Object.entries(args as Record<string, unknown>).map(([name, value]) => [name, toPlain(value)]),
  );
  return {
    market,
    contract,
    name: event.name,
    args: plain,
    taskNumber: typeof plain.taskId === 'string' ? BigInt(plain.taskId) : null,
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    blockTime,
    txHash: log.txHash,
    logIndex: log.logIndex,
    address: log.address,
  };
}

function toPlain(value: unknown): EventValue {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(toPlain);
  return value as string | number | boolean;
}
