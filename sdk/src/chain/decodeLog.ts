// Decodes raw logs of a market's contracts into events: plain data with names.
import { type AbiEvent, type Hex, toEventSelector } from 'viem';
import { type Address, addressKey } from '#domain/address.ts';
import { type ChainEvent, type ContractName, contractNames, type EventValue } from '#domain/event.ts';
import { type Market, markets } from '#domain/market.ts';
import { type AbiDecoder, createAbiDecoder } from './abiDecoder.ts';
import { contractAbis } from './abis.ts';
import type { Deployment } from './deployment.ts';
import type { RawLog } from './rpcRequests.ts';

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
