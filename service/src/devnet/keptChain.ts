// Keeps an embedded chain in a file while it runs, and plays the file again when it starts: same blocks, same hashes.
//
// The engine cannot save its state. It is deterministic, so the same transactions at the same times give the same blocks.
import { SvcError } from '@svc/sdk/domain';
import {
  formatTransaction,
  type Hex,
  numberToHex,
  type RpcTransaction,
  type Signature,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import type { ChainFile, KeptBlock, KeptCall, KeptChain, KeptTransaction, Mark } from './chainFile.ts';
import { createRequest, type Evm, type LocalEvm } from './evm.ts';

/** Change the state between blocks; the next block contains their effect. */
const stateCalls = new Set([
  'evm_setBlockGasLimit',
  'hardhat_setBalance',
  'hardhat_setCode',
  'hardhat_setCoinbase',
  'hardhat_setMinGasPrice',
  'hardhat_setNextBlockBaseFeePerGas',
  'hardhat_setNonce',
  'hardhat_setPrevRandao',
  'hardhat_setStorageAt',
]);

/** All other methods may change the chain, so they run one at a time. */
function isRead(method: string): boolean {
  return /^(eth|net|web3|debug)_/.test(method) && !method.startsWith('eth_send');
}

type RpcBlock = {
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly (RpcTransaction & { readonly from: Hex })[];
};

/** A chain that nobody uses mines fewer empty blocks, because each one is kept for ever. */
const idleAfterMs = 10 * 60_000;
const idleIntervalMs = 20_000;
/** Rounding and slow machines also make a block look ahead of the clock. */
const aheadTolerance = 5;

/**
 * Answers as the chain does, after the file has what the call changed. The file must hold the chain up to its head.
 * Empty blocks are mined here and not by the engine, so that no block comes between a call and its record.
 */
export function keepChain(evm: Evm, file: ChainFile, head: number, aheadSeconds = 0): Evm {
  let recorded = head;
  let ahead = aheadSeconds;
  let queue: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let lastUsed = performance.now();
  let lastMined = performance.now();
  const marks = new Map<string, Mark>();
  const impersonated = new Set<string>();

  async function recordBlocks(): Promise<void> {
    const newest = Number(await evm.request({ method: 'eth_blockNumber' }));
    while (recorded < newest) {
      const number = recorded + 1;
      const params = [numberToHex(number), true];
      const block = (await evm.request({ method: 'eth_getBlockByNumber', params })) as RpcBlock;
      const timestamp = Number(block.timestamp);
      const transactions = block.transactions.map((one) => toKept(one, impersonated));
      file.addBlock({ number, timestamp, hash: block.hash, transactions });
      recorded = number;
      lastMined = performance.now();
      if (transactions.length > 0) lastUsed = lastMined;
      const lead = timestamp - Math.floor(Date.now() / 1_000);
      if (lead > ahead + aheadTolerance) {
        ahead = lead;
        file.saveAhead(ahead);
      }
    }
  }

  async function change(method: string, params: unknown): Promise<string> {
    const given = Array.isArray(params) ? params.map(String) : [];
    if (method === 'evm_setIntervalMining') {
      setMining(Number(given[0]));
      return '{"result":true}';
    }
    // A block has only a part of such a transaction.
    if (method === 'eth_sendRawTransaction' && given[0]?.startsWith('0x03'))
      return '{"error":{"code":-32000,"message":"This chain takes no blob transactions."}}';
    if (method === 'evm_revert') return revert(given[0] ?? '', params);
    const answer = await evm.ask(method, params);
    if (answer.startsWith('{"error"')) return answer;
    if (method === 'hardhat_impersonateAccount') impersonated.add(String(given[0]).toLowerCase());
    if (stateCalls.has(method)) file.addCall({ block: recorded, method, params });
    if (method === 'evm_snapshot') marks.set(JSON.parse(answer).result, file.mark(recorded));
    await recordBlocks();
    return answer;
  }

  async function revert(snapshot: string, params: unknown): Promise<string> {
    const answer = await evm.ask('evm_revert', params);
    const mark = marks.get(snapshot);
    if (mark === undefined || JSON.parse(answer).result !== true) return answer;
    file.cutTo(mark);
    recorded = mark.block;
    return answer;
  }

  function setMining(everyMs: number): void {
    clearInterval(timer);
    const mineOnTime = () => {
      const time = performance.now();
      if (time - lastUsed > idleAfterMs && time - lastMined < idleIntervalMs) return;
      ask('evm_mine', []).catch(() => undefined);
    };
    timer = everyMs > 0 ? setInterval(mineOnTime, everyMs).unref() : undefined;
  }

  const ask: Evm['ask'] = (method, params) => {
    if (isRead(method)) return evm.ask(method, params);
    const turn = queue.then(() => change(method, params));
    queue = turn.catch(() => undefined);
    return turn;
  };
  return { ask, request: createRequest(ask), onNotification: evm.onNotification };
}

function toKept(transaction: RpcTransaction & { readonly from: Hex }, impersonated: ReadonlySet<string>) {
  if (impersonated.has(transaction.from.toLowerCase())) return toRequest(transaction);
  const { r, s, v, yParity, ...fields } = formatTransaction(transaction);
  const parity = yParity ?? Number(v) % 2;
  const signature = fields.type === 'legacy' ? { r, s, v } : { r, s, yParity: parity };
  const data = { ...fields, data: transaction.input } as unknown as TransactionSerializable;
  return serializeTransaction(data, signature as Signature);
}

/** Its signature is not one of the sender, so it can only be sent for it again. */
function toRequest(transaction: RpcTransaction & { readonly from: Hex }): KeptTransaction {
  const { from, to, gas, value, input, nonce, type } = transaction;
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = transaction;
  const fees = maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas };
  return {
    from,
    ...(to && { to }),
    gas,
    value,
    data: input,
    nonce,
    ...fees,
    ...(type === '0x1' && { type }),
  };
}

/** Played in one go, then compared with the file. */
const blocksAtOnce = 100;

export type PlayOptions = {
  readonly onPlayed?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
};

/**
 * Mines the blocks of the file on a new chain and returns the number of the last one. Throws CHAIN_FILE_DAMAGED where a block
 * is missing or gets another hash.
 */
export async function playChain(
  evm: LocalEvm,
  path: string,
  chain: KeptChain,
  { onPlayed, signal }: PlayOptions = {},
): Promise<number> {
  const calls = Map.groupBy(chain.calls(), ({ block }) => block);
  await evm.requestAll(calls.get(0) ?? []);
  await evm.request({ method: 'evm_setAutomine', params: [false] });
  let head = 0;
  for (const blocks of inGroups(chain.blocks(), blocksAtOnce)) {
    try {
      await playBlocks(evm, blocks, head, calls);
    } catch (error) {
      const reason = (error as Error).message.replace(/\.+$/, '');
      throw new SvcError('CHAIN_FILE_DAMAGED', { file: path, reason }, error);
    }
    head += blocks.length;
    onPlayed?.(head, chain.blockCount);
    signal?.throwIfAborted();
  }
  await evm.request({ method: 'evm_setAutomine', params: [true] });
  return head;
}

async function playBlocks(
  evm: LocalEvm,
  blocks: readonly KeptBlock[],
  head: number,
  calls: ReadonlyMap<number, readonly KeptCall[]>,
): Promise<void> {
  const gap = blocks.findIndex(({ number }, at) => number !== head + 1 + at);
  if (gap !== -1) throw new Error(`block ${head + 1 + gap} is missing`);
  try {
    await evm.requestAll(
      blocks.flatMap(({ number, timestamp, transactions }) => [
        ...transactions.flatMap(toCalls),
        { method: 'evm_mine', params: [timestamp] },
        ...(calls.get(number) ?? []),
      ]),
    );
  } catch (error) {
    const mined = Number(await evm.request({ method: 'eth_blockNumber' }));
    await compareHashes(evm, blocks.slice(0, mined - head));
    throw new Error(`block ${mined + 1} cannot be mined again: ${(error as Error).message}`, {
      cause: error,
    });
  }
  await compareHashes(evm, blocks);
}

function toCalls(transaction: KeptTransaction) {
  if (typeof transaction === 'string') return [{ method: 'eth_sendRawTransaction', params: [transaction] }];
  return [
    { method: 'hardhat_impersonateAccount', params: [transaction.from] },
    { method: 'eth_sendTransaction', params: [transaction] },
  ];
}

/** A hash covers all blocks before it, so the last one is enough unless it differs. */
async function compareHashes(evm: Evm, blocks: readonly KeptBlock[]): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined || (await hasHash(evm, last))) return;
  for (const block of blocks)
    if (!(await hasHash(evm, block)))
      throw new Error(`block ${block.number} was changed, or another version of svc kept it`);
}

async function hasHash(evm: Evm, { number, hash }: KeptBlock): Promise<boolean> {
  const block = await evm.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] });
  return (block as { readonly hash: Hex } | null)?.hash === hash;
}

function* inGroups<Item>(items: Iterable<Item>, size: number): Iterable<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
