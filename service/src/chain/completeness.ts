// Whether a provider returned all logs: providers truncate lists, and nodes that lag behind know fewer. The bloom filter in a
// block's header shows it. Each check also asks for the block, because the node that answers it may be another one that
// does not have it yet.

import type { Rpc } from '@svc/sdk/chain';
import { type Address, SvcError } from '@svc/sdk/domain';
import { isOversized } from '@svc/sdk/internal/chain/rpcEndpoint';
import { type Block, blockAt, logsBetween, logsOf, type RawLog } from '@svc/sdk/internal/chain/rpcRequests';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import { bloomBits, bloomDensity, bloomMayHold, buildBloom, parseBloom } from './bloom.ts';

/** A denser filter matches nearly everything, and such a block has very many logs. */
const dense = 0.5;

/**
 * Throws CHAIN_LOGS_MISSING where the given logs of a block cannot be all of ours. If the filter may hold a contract without
 * a log, all logs of the block are read, which must give exactly its filter. Ours are read a second time where the filter is
 * dense, or all logs together are too large to read: anybody can pay for such a block.
 */
export type CheckLogs = (block: Block, logs: readonly RawLog[]) => Promise<void>;

export function createLogCheck(rpc: Rpc, ours: readonly Address[]): CheckLogs {
  const contracts = ours.map((address) => ({ key: addressKey(address), bits: bloomBits(address) }));
  const keys = new Set(contracts.map(({ key }) => key));
  return async (block, logs) => {
    const bloom = parseBloom(block.logsBloom);
    if (bloom === null) return;
    // A log that another block has, or none: its contract and its indexed values are in the filter of its block.
    const values = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]));
    for (const value of values)
      if (!bloomMayHold(bloom, bloomBits(value))) throw blameForged(rpc, block.number);
    const seen = new Set(logs.map(({ address }) => addressKey(address)));
    if (contracts.every(({ key, bits }) => seen.has(key) || !bloomMayHold(bloom, bits))) return;
    const readAgain = (addresses?: readonly Address[]) =>
      rpc.askAll([logsOf(block.hash, addresses), blockAt(block.number)]);
    let isDense = bloomDensity(bloom) > dense;
    const [all, same] = await readAgain(isDense ? ours : undefined).catch((error: unknown) => {
      if (isDense || !isOversized(error)) throw error;
      isDense = true;
      return readAgain(ours);
    });
    if (same?.hash !== block.hash) throw new SvcError('CHAIN_CHANGED', {});
    const isWhole = isDense || buildBloom(all) === block.logsBloom;
    const found = all.filter(({ address }) => keys.has(addressKey(address)));
    if (isWhole && found.length === logs.length) return;
    throw blameMissing(rpc, block.number);
  };
}

/**
 * Throws CHAIN_LOGS_MISSING where a list of many blocks was truncated: read again from its last block on, it is longer.
 */
export type CheckTail = (logs: readonly RawLog[], to: bigint) => Promise<void>;

export function createTailCheck(rpc: Rpc, ours: readonly Address[]): CheckTail {
  return async (logs, to) => {
    if (logs.length === 0) return;
    const last = logs.reduce(
      (highest, { blockNumber }) => (blockNumber > highest ? blockNumber : highest),
      0n,
    );
    const [tail, end] = await rpc.askAll([logsBetween(ours, last, to), blockAt(to)]);
    if (end === null) throw new SvcError('CHAIN_CHANGED', {});
    if (tail.length !== logs.filter(({ blockNumber }) => blockNumber === last).length)
      throw blameMissing(rpc, last);
  };
}

/** Providers cut lists without saying so, hardly ever shorter than this. */
const longList = 100;

type LogRange = { readonly from: bigint; readonly to: bigint; readonly hash: Hex | undefined };

/**
 * The logs of a range of blocks. A long list is asked for again from its last block on, until nothing is added. Where the hash of
 * the last block is given, the node that answers has that block.
 */
export async function readWholeList(
  rpc: Pick<Rpc, 'ask' | 'askAll' | 'blame'>,
  ours: readonly Address[],
  { from, to, hash }: LogRange,
): Promise<RawLog[]> {
  let part: RawLog[];
  if (hash === undefined) part = await rpc.ask(logsBetween(ours, from, to));
  else {
    const [logs, last] = await rpc.askAll([logsBetween(ours, from, to), blockAt(to)]);
    if (last?.hash !== hash) throw new SvcError('CHAIN_CHANGED', {});
    part = logs;
  }
  const all: RawLog[] = [];
  while (part.length >= longList) {
    const last = part.reduce(
      (highest, { blockNumber }) => (blockNumber > highest ? blockNumber : highest),
      0n,
    );
    const known = part.filter(({ blockNumber }) => blockNumber === last).length;
    const tail = await rpc.ask(logsBetween(ours, last, to));
    const again = tail.filter(({ blockNumber }) => blockNumber === last).length;
    if (again < known) throw blameMissing(rpc, last);
    for (const log of part) if (log.blockNumber < last) all.push(log);
    const isWhole = tail.length === again;
    part = tail;
    if (isWhole) break;
  }
  return [...all, ...part];
}

function blameForged({ blame }: Pick<Rpc, 'blame'>, block: bigint): Error {
  const error = new Error(`malformed answer: a log that block ${block} does not have`);
  blame(error);
  return error;
}

/** An answer that lacks logs: the next question goes to another endpoint, if there is one. */
export function blameMissing({ blame }: Pick<Rpc, 'blame'>, block: bigint): OperatorError {
  const error = new OperatorError('CHAIN_LOGS_MISSING', { block: String(block) });
  blame(error);
  return error;
}
