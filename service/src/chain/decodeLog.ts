// Decodes raw logs of a market's contracts into events: plain data with names.

import type { Deployment } from '@svc/sdk/chain';
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { type AbiDecoder, createAbiDecoder } from '@svc/sdk/internal/chain/abiDecoder';
import { contractAbis } from '@svc/sdk/internal/chain/abis';
import type { RawLog } from '@svc/sdk/internal/chain/rpcRequests';
import { addressKey } from '@svc/sdk/internal/domain/address';
import {
  type ChainEvent,
  type ContractName,
  contractNames,
  type EventValue,
} from '@svc/sdk/internal/domain/event';
import { type AbiEvent, type Hex, toEventSelector } from 'viem';

/** The parameters of an event: first those in the topics, which are numbers and addresses, then those in the data. */
type KnownEvent = {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly indexed: number;
  readonly decodeTopics: AbiDecoder;
  readonly decodeData: AbiDecoder;
};

type Source = { readonly market: Market; readonly contract: ContractName };

/** The same for every deployment; finding them hashes the signature of each event. */
let knownEvents: ReadonlyMap<ContractName, ReadonlyMap<Hex, KnownEvent>> | undefined;

export function createLogDecoder(deployment: Deployment) {
  const sources = new Map<string, Source>();
  for (const market of markets) {
    for (const contract of contractNames) {
      sources.set(addressKey(deployment.markets[market][contract]), { market, contract });
    }
  }
  knownEvents ??= new Map(contractNames.map((contract) => [contract, indexEvents(contractAbis[contract])]));
  const events = knownEvents;
  return {
    /** The contracts whose logs are decoded. */
    addresses: [...sources.keys()] as Address[],
    /** Null for a log of another contract or an unknown event. Throws on one that no contract writes. */
    decode: (log: RawLog, blockTime: number): ChainEvent | null => {
      const source = sources.get(addressKey(log.address));
      const selector = log.topics[0];
      if (source === undefined || selector === undefined) return null;
      const event = events.get(source.contract)?.get(selector);
      return event === undefined ? null : decode(log, event, source, blockTime);
    },
  };
}

function indexEvents(abi: readonly unknown[]): Map<Hex, KnownEvent> {
  const events = (abi as readonly { type: string }[]).filter(({ type }) => type === 'event') as AbiEvent[];
  return new Map(
    events.map((event) => {
      const inTopics = event.inputs.filter(({ indexed }) => indexed);
      const inData = event.inputs.filter(({ indexed }) => !indexed);
      const known: KnownEvent = {
        name: event.name,
        parameters: [...inTopics, ...inData].map(({ name = '' }) => name),
        indexed: inTopics.length,
        decodeTopics: createAbiDecoder(inTopics),
        decodeData: createAbiDecoder(inData),
      };
      return [toEventSelector(event), known];
    }),
  );
}

/** Topics are words, so one after the other they are the data of their parameters. */
function decodeArgs({ topics, data }: RawLog, event: KnownEvent): Record<string, EventValue> {
  const words = topics.slice(1, 1 + event.indexed).map((topic) => topic.slice(2));
  const values = [...event.decodeTopics(`0x${words.join('')}`), ...event.decodeData(data)];
  const args: Record<string, EventValue> = {};
  for (const [at, name] of event.parameters.entries()) args[name] = toPlain(values[at]);
  return args;
}

/** No token has more units than uint96 holds, and task numbers are JavaScript's. */
const largestValues = { taskId: BigInt(Number.MAX_SAFE_INTEGER), amount: 2n ** 96n - 1n };

function decode(log: RawLog, event: KnownEvent, { market, contract }: Source, blockTime: number): ChainEvent {
  const plain = decodeArgs(log, event);
  for (const [name, largest] of Object.entries(largestValues))
    if (BigInt(String(plain[name] ?? 0)) > largest) throw new Error(`malformed answer: ${name} of a log`);
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
