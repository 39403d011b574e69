// What the posting quota asks of the chain: mined transactions, and payments that our rows do not hold yet.

import { paymentGatewayAbi } from '@svc/contracts/abi';
import { toEventSelector } from 'viem';
import { SvcError } from '#domain/errors.ts';
import { markets } from '#domain/market.ts';
import type { Purchase } from '#domain/posting.ts';
import { readPurchases, type TransactionProof } from '#domain/posting.ts';
import type { Hash } from '#domain/task.ts';
import { createLogDecoder } from './decodeLog.ts';
import type { Deployment } from './deployment.ts';
import type { Rpc } from './rpc.ts';
import { blockAt, latestBlock, logsBetween, type RawLog, receiptOf } from './rpcRequests.ts';

const planPurchased = toEventSelector(
  paymentGatewayAbi.find((item) => item.type === 'event' && item.name === 'PlanPurchased') as never,
);

export function createPostingReads(rpc: Rpc, deployment: Deployment) {
  const decoder = createLogDecoder(deployment);
  const gateways = markets.map((market) => deployment.markets[market].paymentGateway);

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

  async function decodeLogs(logs: readonly RawLog[]) {
    const times = await readTimes(logs);
    return logs
      .map((log) => decoder.decode(log, times.get(log.blockNumber) as number))
      .filter((event) => event !== null);
  }

  return {
    /** Null while the chain has not mined it, or has just taken it back. */
    async readTransaction(txHash: Hash): Promise<TransactionProof | null> {
      const [receipt, head] = await rpc.askAll([receiptOf(txHash), latestBlock()]);
      if (receipt === null || receipt.blockNumber > head.number) return null;
      const { isSuccess, blockNumber, blockHash } = receipt;
      const block = await rpc.ask(blockAt(blockNumber));
      if (block?.hash !== blockHash) return null;
      const events = receipt.logs.map((log) => decoder.decode(log, block.time));
      return {
        isSuccess,
        blockNumber,
        confirmations: Number(head.number - blockNumber) + 1,
        events: events.filter((event) => event !== null),
      };
    },

    /** The blocks that hold these transactions; what the chain has not mined is left out. */
    async readMinedBlocks(txHashes: readonly Hash[]): Promise<Map<Hash, bigint>> {
      const receipts = txHashes.length === 0 ? [] : await rpc.askAll(txHashes.map(receiptOf));
      const mined = receipts.filter((receipt) => receipt !== null);
      return new Map(mined.map(({ txHash, blockNumber }) => [txHash, blockNumber]));
    },

    /** What was paid for plans in these blocks, by anyone on either market: payments are rare. */
    async readPurchases(from: bigint, to: bigint): Promise<Purchase[]> {
      const logs = await rpc.ask(logsBetween(gateways, from, to, [planPurchased]));
      return readPurchases(await decodeLogs(logs));
    },
  };
}
