// Decodes raw logs of a market's contracts into events: plain data with names.
import {
  depositVaultAbi,
  disputeCourtAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  pricingPolicyAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskRegistryAbi,
} from '@svc/contracts/abi';
import { type AbiEvent, type AbiParameter, decodeAbiParameters, toEventSelector } from 'viem';
import { type Address, addressKey } from '#domain/address.ts';
import { type ChainEvent, type ContractName, contractNames, type EventValue } from '#domain/event.ts';
import { type Market, markets } from '#domain/market.ts';
import type { Hash } from '#domain/task.ts';
import type { Deployment } from './deployment.ts';
import type { RawLog } from './rpcRequests.ts';

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

/** The parameters of an event, split by their place in a log. */
type KnownEvent = {
  readonly name: string;
  readonly inTopics: readonly AbiParameter[];
  readonly inData: readonly AbiParameter[];
};

type Source = { readonly market: Market; readonly contract: ContractName };

export type LogDecoder = {
  /** The contracts whose logs are decoded. */
  readonly addresses: readonly Address[];
  /** Null for a log of another contract or an unknown event. */
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

function indexEvents(abi: readonly unknown[]): Map<Hash, KnownEvent> {
  const events = (abi as readonly { type: string }[]).filter(({ type }) => type === 'event') as AbiEvent[];
  return new Map(
    events.map((event) => {
      const inTopics = event.inputs.filter(({ indexed }) => indexed);
      const inData = event.inputs.filter(({ indexed }) => !indexed);
      return [toEventSelector(event), { name: event.name, inTopics, inData }];
    }),
  );
}

/**
 * Replaces viem's `decodeEventLog`, which hashes the event's signature for each log and takes twice as long. Our events
 * index only numbers and addresses, which fit into a topic.
 */
function decodeArgs({ topics, data }: RawLog, { inTopics, inData }: KnownEvent): [string, unknown][] {
  const ofTopics = inTopics.map((input, at) => decodeAbiParameters([input], topics[at + 1] ?? '0x')[0]);
  const ofData = inData.length === 0 ? [] : decodeAbiParameters(inData, data);
  const values = [...ofTopics, ...ofData];
  return [...inTopics, ...inData].map(({ name = '' }, at) => [name, values[at]]);
}

function decode(log: RawLog, event: KnownEvent, { market, contract }: Source, blockTime: number): ChainEvent {
  const plain = Object.fromEntries(decodeArgs(log, event).map(([name, value]) => [name, toPlain(value)]));
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
