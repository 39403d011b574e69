// One log of a market's contracts, decoded: plain data that can be stored as JSON.
import type { Address } from './address.ts';
import type { Market } from './market.ts';

export const contractNames = [
  'taskRegistry',
  'escrowVault',
  'depositVault',
  'paymentGateway',
  'disputeCourt',
  'stakingVault',
  'reputationRegistry',
  'pricingPolicy',
] as const;
export type ContractName = (typeof contractNames)[number];

/** Big integers are decimal strings, addresses are checksummed. */
export type EventValue = string | number | boolean | readonly EventValue[];

export type ChainEvent = {
  readonly market: Market;
  readonly contract: ContractName;
  readonly name: string;
  readonly args: Readonly<Record<string, EventValue>>;
  /** The task that the event is about, if any. */
  readonly taskNumber: bigint | null;
  readonly blockNumber: bigint;
  readonly blockHash: `0x${string}`;
  readonly blockTime: number;
  readonly txHash: `0x${string}`;
  readonly logIndex: number;
  readonly address: Address;
};

type LogPlace = Pick<ChainEvent, 'blockNumber' | 'logIndex'>;

/** For sorting. */
export function inChainOrder(left: LogPlace, right: LogPlace): number {
  return Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex;
}
