// What the posting quota asks of the chain: mined transactions, and payments that our rows do not hold yet.
import { pad, toEventSelector } from 'viem';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Market } from '#domain/market.ts';
import type { Purchase } from '#domain/posting.ts';
import { readPurchases, type TransactionProof } from '#domain/postingProof.ts';
import type { Hash } from '#domain/task.ts';
import { paymentGatewayAbi } from './abi/paymentGateway.ts';
import { createLogDecoder } from './decodeLog.ts';
import type { Deployment } from './deployment.ts';
import { blockAt, latestBlock, logsBetween, type RawLog, receiptOf } from './questions.ts';
import type { Rpc } from './rpc.ts';

const planPurchased = toEventSelector(
  paymentGatewayAbi.find((item) => item.type === 'event' && item.name === 'PlanPurchased') as never,
);

/** A range that is refused is asked for in halves; below this many blocks the refusal stands. */
const fewestBlocks = 500n;

export function createPostingReads(rpc: Rpc, deployment: Deployment) {
  const decoder = createLogDecoder(deployment);

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

  async function readPurchaseLogs(
    market: Market,
    payer: Address,
    from: bigint,
    to: bigint,
  ): Promise<RawLog[]> {
    const gateway = deployment.markets[market].paymentGateway;
    try {
      return await rpc.ask(logsBetween([gateway], from, to, [planPurchased, pad(payer)]));
    } catch (error) {
      const isRefused = error instanceof SvcError && error.code === 'CHAIN_REFUSED';
      if (!isRefused || to - from < fewestBlocks) throw error;
      const middle = (from + to) / 2n;
      const older = await readPurchaseLogs(market, payer, from, middle);
      return [...older, ...(await readPurchaseLogs(market, payer, middle + 1n, to))];
    }
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

    /** What a wallet has paid for plans in these blocks. */
    async readPurchases(market: Market, payer: Address, from: bigint, to: bigint): Promise<Purchase[]> {
      return readPurchases(await decodeLogs(await readPurchaseLogs(market, payer, from, to)));
    },
  };
}
