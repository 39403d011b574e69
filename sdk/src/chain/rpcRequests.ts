// JSON-RPC requests, each with the parser of its result. A parser throws on a null or malformed result, so that a wrong
// answer of a node is never used.
import type { Hex } from 'viem';
import type { Address } from '../domain/address.ts';

export type RpcRequest<T> = {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Throws when the result does not fit the request. */
  readonly parse: (result: unknown) => T;
};

export type Block = Readonly<ReturnType<typeof parseBlock>>;
/** A log as JSON-RPC returns it. */
export type RawLog = Readonly<ReturnType<typeof parseLog>>;
/** A transaction as it was sent, mined or not. */
export type Sent = Readonly<ReturnType<typeof parseSent>>;
export type MinedSent = Sent & { readonly hash: Hex; readonly nonce: number };
/** A mined transaction. */
export type Receipt = Readonly<ReturnType<typeof parseReceipt>>;

type CallData = { readonly to: Address; readonly data: Hex };

/** At exactly this block; fails when it is no longer on the chain. */
export function callAt(call: CallData, blockHash: Hex): RpcRequest<Hex> {
  return { method: 'eth_call', params: [call, { blockHash, requireCanonical: true }], parse: parseData };
}

export function callLatest(call: CallData): RpcRequest<Hex> {
  return { method: 'eth_call', params: [call, 'latest'], parse: parseData };
}

/** As a call from a wallet; `overrides` replace the code of accounts for this request. */
export function callFrom(
  call: CallData & { readonly from: Address },
  overrides?: Readonly<Record<Address, { readonly code: Hex }>>,
): RpcRequest<Hex> {
  const params = overrides === undefined ? [call, 'latest'] : [call, 'latest', overrides];
  return { method: 'eth_call', params, parse: parseData };
}

/** Runs code that exists nowhere on the chain and returns what it returns. */
export function runCode(data: Hex): RpcRequest<Hex> {
  return { method: 'eth_call', params: [{ data }, 'latest'], parse: parseData };
}

/** "0x" where there is none. */
export function codeOf(address: Address): RpcRequest<Hex> {
  return { method: 'eth_getCode', params: [address, 'latest'], parse: parseData };
}

/** Fails when the call would revert. */
export function gasOf(call: CallData & { readonly from: Address }): RpcRequest<bigint> {
  return numberOf('gas', 'eth_estimateGas', [call], BigInt);
}

/** The number of mined transactions of an account; `pending` includes those that wait. */
export function transactionCount(address: Address, at: 'latest' | 'pending'): RpcRequest<number> {
  return numberOf('count', 'eth_getTransactionCount', [address, at], Number);
}

/** The number of transactions of an account that were mined until this block. */
export function transactionCountAt(address: Address, block: bigint): RpcRequest<number> {
  return numberOf('count', 'eth_getTransactionCount', [address, toQuantity(block)], Number);
}

export function balanceOf(address: Address): RpcRequest<bigint> {
  return numberOf('balance', 'eth_getBalance', [address, 'latest'], BigInt);
}

/** The current price of a unit of gas, in wei. */
export function gasPrice(): RpcRequest<bigint> {
  return numberOf('gas price', 'eth_gasPrice', [], BigInt);
}

export function chainId(): RpcRequest<number> {
  return numberOf('chain id', 'eth_chainId', [], Number);
}

function numberOf<T>(field: string, method: string, params: readonly unknown[], read: (quantity: Hex) => T) {
  return { method, params, parse: (result: unknown) => read(parseQuantity(result, field)) };
}

export function latestBlock(): RpcRequest<Block> {
  return { method: 'eth_getBlockByNumber', params: ['latest', false], parse: parseBlock };
}

/** The newest block that the chain does not take back. */
export function safeBlock(): RpcRequest<Block> {
  return { method: 'eth_getBlockByNumber', params: ['safe', false], parse: parseBlock };
}

/** The newest block that the chain cannot take back. */
export function finalBlock(): RpcRequest<Block> {
  return { method: 'eth_getBlockByNumber', params: ['finalized', false], parse: parseBlock };
}

/** The base fee of the newest block, in wei per unit of gas; null on chains without one. */
export function baseFee(): RpcRequest<bigint | null> {
  return {
    ...latestBlock(),
    parse: (result) => {
      const fee = (result as { readonly baseFeePerGas?: unknown } | null)?.baseFeePerGas;
      return fee === undefined || fee === null ? null : BigInt(parseQuantity(fee, 'baseFeePerGas'));
    },
  };
}

/** Null when the chain has no such block yet. */
export function blockAt(number: bigint): RpcRequest<Block | null> {
  return {
    method: 'eth_getBlockByNumber',
    params: [toQuantity(number), false],
    parse: (result) => {
      if (result === null) return null;
      const block = parseBlock(result);
      if (block.number !== number) throw malformed('number');
      return block;
    },
  };
}

/** The transactions of a block. */
export function sentIn(block: bigint): RpcRequest<MinedSent[]> {
  return {
    method: 'eth_getBlockByNumber',
    params: [toQuantity(block), true],
    parse: (result) =>
      parseList(parseObject(result).transactions).map((item) => {
        const sent = parseObject(item);
        return {
          ...parseSent(sent),
          hash: parseHash(sent.hash, 'hash'),
          nonce: parseNumber(sent.nonce, 'nonce'),
        };
      }),
  };
}

/** Null until the transaction is mined. */
export function receiptOf(txHash: Hex): RpcRequest<Receipt | null> {
  return {
    method: 'eth_getTransactionReceipt',
    params: [txHash],
    parse: (result) => (result === null ? null : parseReceipt(result, txHash)),
  };
}

/** Logs of these addresses; with `topics` only logs with these topics, in their places. */
export function logsBetween(
  addresses: readonly Address[],
  from: bigint,
  to: bigint,
  topics?: readonly (Hex | null)[],
): RpcRequest<RawLog[]> {
  const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  return {
    method: 'eth_getLogs',
    params: [{ address: addresses, ...range, ...(topics && { topics }) }],
    parse: (result) =>
      parseList(result).map((item) => {
        const log = parseLog(item);
        if (log.blockNumber < from || log.blockNumber > to) throw malformed('blockNumber');
        return log;
      }),
  };
}

/** Logs of these addresses that name an account as their topic at this position, from 1 to 3. */
export function logsAbout(
  addresses: readonly Address[],
  from: bigint,
  to: bigint,
  account: Address,
  position: number,
): RpcRequest<RawLog[]> {
  const topic = `0x${account.slice(2).toLowerCase().padStart(64, '0')}`;
  const topics = [...Array.from({ length: position }, () => null), topic];
  const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  return {
    method: 'eth_getLogs',
    params: [{ address: addresses, ...range, topics }],
    parse: (result) => parseList(result).map(parseLog),
  };
}

/** Logs of one block, of all addresses unless some are given. */
export function logsOf(blockHash: Hex, addresses?: readonly Address[]): RpcRequest<RawLog[]> {
  return {
    method: 'eth_getLogs',
    params: [{ blockHash, ...(addresses && { address: addresses }) }],
    parse: (result) => parseList(result).map(parseLog),
  };
}

/** Null when the node does not know it. */
export function transactionOf(hash: Hex): RpcRequest<Sent | null> {
  return {
    method: 'eth_getTransactionByHash',
    params: [hash],
    parse: (result) => (result === null ? null : parseSent(result)),
  };
}

/** Who sent a transaction, as its so-and-so-many-th; null when the node does not know it. */
export function nonceOf(hash: Hex): RpcRequest<{ readonly from: Address; readonly nonce: number } | null> {
  return {
    method: 'eth_getTransactionByHash',
    params: [hash],
    parse: (result) =>
      result === null
        ? null
        : { from: parseSent(result).from, nonce: parseNumber(parseObject(result).nonce, 'nonce') },
  };
}

function parseReceipt(result: unknown, txHash: Hex) {
  const receipt = parseObject(result);
  if (parseHash(receipt.transactionHash, 'transactionHash').toLowerCase() !== txHash.toLowerCase())
    throw malformed('transactionHash');
  return {
    txHash,
    isSuccess: BigInt(parseQuantity(receipt.status, 'status')) === 1n,
    blockNumber: BigInt(parseQuantity(receipt.blockNumber, 'blockNumber')),
    blockHash: parseHash(receipt.blockHash, 'blockHash'),
    logs: parseList(receipt.logs).map(parseLog),
  };
}

function parseSent(result: unknown) {
  const sent = parseObject(result);
  return {
    from: parseSized(sent.from, 20, 'from'),
    /** Null where it creates a contract. */
    to: sent.to == null ? null : parseSized(sent.to, 20, 'to'),
    value: BigInt(parseQuantity(sent.value, 'value')),
    data: parseData(sent.input, 'input').toLowerCase(),
  };
}

function parseBlock(result: unknown) {
  const block = parseObject(result);
  return {
    number: BigInt(parseQuantity(block.number, 'number')),
    hash: parseHash(block.hash, 'hash'),
    time: parseNumber(block.timestamp, 'timestamp'),
    parentHash: parseHash(block.parentHash, 'parentHash'),
    logsBloom: parseData(block.logsBloom, 'logsBloom'),
  };
}

function parseLog(item: unknown) {
  const log = parseObject(item);
  if (log.removed === true || !Array.isArray(log.topics)) throw malformed('log');
  return {
    address: parseSized(log.address, 20, 'address'),
    topics: log.topics.map((topic) => parseHash(topic, 'topics')),
    data: parseData(log.data, 'data'),
    blockNumber: BigInt(parseQuantity(log.blockNumber, 'blockNumber')),
    blockHash: parseHash(log.blockHash, 'blockHash'),
    /** Null from nodes that return logs without a time. */
    blockTime: log.blockTimestamp == null ? null : parseNumber(log.blockTimestamp, 'blockTimestamp'),
    txHash: parseHash(log.transactionHash, 'transactionHash'),
    logIndex: parseNumber(log.logIndex, 'logIndex'),
  };
}

function parseObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw malformed('answer');
  return value as Record<string, unknown>;
}

function parseList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw malformed('list');
  return value;
}

function parseQuantity(value: unknown, field: string): Hex {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return value as Hex;
  throw malformed(field);
}

function parseNumber(value: unknown, field: string): number {
  const number = Number(parseQuantity(value, field));
  if (Number.isSafeInteger(number)) return number;
  throw malformed(field);
}

function parseData(value: unknown, field = 'data'): Hex {
  if (typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(value))
    return value as Hex;
  throw malformed(field);
}

function parseHash(value: unknown, field: string): Hex {
  return parseSized(value, 32, field);
}

function parseSized(value: unknown, bytes: number, field: string): Hex {
  const data = parseData(value, field);
  if (data.length !== 2 + 2 * bytes) throw malformed(field);
  return data;
}

function toQuantity(number: bigint): Hex {
  return `0x${number.toString(16)}`;
}

function malformed(field: string): Error {
  return new Error(`malformed answer: ${field}`);
}
