// The chain reads of the posting quota: mined transactions, and what the mempool shows.
import { taskRegistryAbi } from '@svc/contracts/abi';
import type { Deployment, Rpc } from '@svc/sdk/chain';
import { type Address, isSameAddress, type Market, parseAddress, SvcError } from '@svc/sdk/domain';
import {
  blockAt,
  latestBlock,
  type RawLog,
  type RpcRequest,
  receiptOf,
  transactionOf,
} from '@svc/sdk/internal/chain/rpcRequests';
import { retry } from '@svc/sdk/internal/domain/backoff';
import type { TransactionProof } from '@svc/sdk/internal/domain/posting';
import { type Hex, toFunctionSelector } from 'viem';
import { createLogDecoder } from '../chain/decodeLog.ts';

/** In both the sender may be the poster; where another wallet sends, the chain decides. */
const postSelectors = taskRegistryAbi
  .filter((item) => item.type === 'function' && (item.name === 'postTask' || item.name === 'createTask'))
  .map((item) => toFunctionSelector(item as never));

/** Nodes behind one address differ in their newest block, so the next answer may have what this one lacks. */
const lag = {
  attempts: 4,
  firstMs: 100,
  longestMs: 400,
  shouldRetry: (error: unknown) => error === unseen,
};
const unseen = new Error('the node does not have the transaction');

export function createPostingReads(rpc: Rpc, deployment: Deployment) {
  const decoder = createLogDecoder(deployment);

  /** The same request. Logs that no contract writes are a malformed answer: another endpoint is asked. */
  function withPossible<T>(
    request: RpcRequest<T>,
    logsOf: (found: T) => readonly RawLog[] | undefined,
  ): RpcRequest<T> {
    const parse = (result: unknown) => {
      const found = request.parse(result);
      for (const log of logsOf(found) ?? []) decoder.decode(log, 0);
      return found;
    };
    return { ...request, parse };
  }

  async function readTimes(logs: readonly RawLog[]): Promise<Map<bigint, number>> {
    const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
    const blocks = numbers.length === 0 ? [] : await rpc.askAll(numbers.map(blockAt));
    const times = new Map(blocks.map((block) => [block?.number ?? -1n, block]));
    return new Map(
      logs.map(({ blockNumber, blockHash }) => {
        const block = times.get(blockNumber);
        if (block?.hash !== blockHash) throw new SvcError('CHAIN_CHANGED', {});
        return [blockNumber, block.time];
      }),
    );
  }

  async function _decodeLogs(logs: readonly RawLog[]) {
    const times = await readTimes(logs);
    return logs
      .map((log) => decoder.decode(log, times.get(log.blockNumber) as number))
      .filter((event) => event !== null);
  }

  /** Throws `unseen` where the node that was asked does not have it, or its block. */
  async function readOnce(txHash: Hex): Promise<TransactionProof | null> {
    const asked = withPossible(receiptOf(txHash), (found) => found?.logs);
    const [receipt, head] = await rpc.askAll([asked, latestBlock()]);
    if (receipt === null) throw unseen;
    const { isSuccess, blockNumber, blockHash } = receipt;
    const block = await rpc.ask(blockAt(blockNumber));
    if (block === null) throw unseen;
    if (block.hash !== blockHash) return null;
    const events = receipt.logs.map((log) => decoder.decode(log, block.time));
    return {
      isSuccess,
      blockNumber,
      // The head may be of a node that is behind.
      confirmations: Math.max(1, Number(head.number - blockNumber) + 1),
      events: events.filter((event) => event !== null),
    };
  }

  return {
    /** Null until it is mined, and after a fork has removed it. */
    readTransaction: (txHash: Hex): Promise<TransactionProof | null> =>
      retry(() => readOnce(txHash), lag).catch((error: unknown) => {
        if (error === unseen) return null;
        throw error;
      }),

    /** Null for a transaction that the mempool does not show, or that does not post on this market. */
    async readPendingPoster(txHash: Hex, market: Market): Promise<Address | null> {
      const sent = await rpc.ask(transactionOf(txHash));
      const registry = deployment.markets[market].taskRegistry;
      if (sent === null || sent.to === null || !isSameAddress(sent.to, registry)) return null;
      return postSelectors.includes(sent.data.slice(0, 10) as Hex) ? parseAddress(sent.from) : null;
    },

    /** The blocks of these transactions; those that are not mined are left out. */
    async readMinedBlocks(txHashes: readonly Hex[]): Promise<Map<Hex, bigint>> {
      const receipts = txHashes.length === 0 ? [] : await rpc.askAll(txHashes.map(receiptOf));
      const mined = receipts.filter((receipt) => receipt !== null);
      return new Map(mined.map(({ txHash, blockNumber }) => [txHash, blockNumber]));
    },
  };
}
