// Joins what preparing reads to a chain.
import type { MarketContracts } from '#chain/contracts.ts';
import { baseFee, latestBlock } from '#chain/questions.ts';
import { readFigures, readOpenDigest, readQuote } from '#chain/readFigures.ts';
import { readTaskNow } from '#chain/readTasks.ts';
import { readWallet } from '#chain/readWallet.ts';
import type { Rpc } from '#chain/rpc.ts';
import { simulateCalls } from '#chain/simulate.ts';
import type { Market } from '#domain/market.ts';
import type { PrepareChain } from './needs.ts';

export function createPrepareChain(
  rpc: Rpc,
  contracts: Readonly<Record<Market, MarketContracts>>,
): PrepareChain {
  return {
    readNow: async () => (await rpc.ask(latestBlock())).time,
    readTask: (market, number) =>
      readTaskNow(rpc, { marketLens: contracts[market].marketLens, markets: contracts }, market, number),
    readWallet: (market, wallet) => readWallet(rpc, contracts[market], wallet),
    readFigures: (market) => readFigures(rpc, contracts[market]),
    readOpenDigest: (market, number, worker) => readOpenDigest(rpc, contracts[market], number, worker),
    readQuote: (market, tier) => readQuote(rpc, contracts[market], tier),
    simulate: (from, calls) => simulateCalls(rpc, from, calls),
    readBaseFee: () => rpc.ask(baseFee()),
  };
}
