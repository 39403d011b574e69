// An event of the chain as a row, and back.
import type { Address, ChainEvent, ContractName, Generation, Hash, Market } from '@svc/sdk/domain';
import type { Param, Row } from './database.ts';

export const eventColumns = [
  'generation',
  'block_number',
  'log_index',
  'block_hash',
  'block_time',
  'tx_hash',
  'market',
  'contract',
  'address',
  'name',
  'task_number',
  'args',
] as const;

export function buildEventRow(generation: Generation, event: ChainEvent): Param[] {
  return [
    generation,
    Number(event.blockNumber),
    event.logIndex,
    event.blockHash,
    event.blockTime,
    event.txHash,
    event.market,
    event.contract,
    event.address,
    event.name,
    event.taskNumber === null ? null : Number(event.taskNumber),
    JSON.stringify(event.args),
  ];
}

export type EventRow = Row & {
  block_number: number;
  log_index: number;
  block_hash: string;
  block_time: number;
  tx_hash: string;
  market: string;
  contract: string;
  address: string;
  name: string;
  task_number: number | null;
  args: string;
};

export function parseEventRow(row: EventRow): ChainEvent {
  return {
    blockNumber: BigInt(row.block_number),
    logIndex: row.log_index,
    blockHash: row.block_hash as Hash,
    blockTime: row.block_time,
    txHash: row.tx_hash as Hash,
    market: row.market as Market,
    contract: row.contract as ContractName,
    address: row.address as Address,
    name: row.name,
    taskNumber: row.task_number === null ? null : BigInt(row.task_number),
    args: JSON.parse(row.args),
  };
}
