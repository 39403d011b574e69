// Keeps the price of the embedded chain fresh while the chain runs and when its clock is moved.
import { postedPriceFeedAbi } from '@svc/contracts/abi';
import type { Deployment } from '@svc/sdk/chain';
import type { PublicClient } from 'viem';
import { accountOf } from './accounts.ts';
import type { Evm } from './evm.ts';
import { buildTransaction, type DevTransaction } from './transactions.ts';

export type PricePublisher = {
  /** Publishes the last price again when it is some hours old. */
  readonly refresh: () => Promise<void>;
};

/** A quarter of the age at which the oracle rejects a price. */
const shareOfMaxAge = 4;

export function createPricePublisher(
  evm: Evm,
  publicClient: PublicClient,
  deployment: Deployment,
): PricePublisher {
  const feed = feedOf(deployment);
  const refreshAfter = BigInt(Math.floor(deployment.oracle.maxAgeSeconds / shareOfMaxAge));
  return {
    refresh: async () => {
      const [[, answer, , updatedAt], { timestamp }] = await Promise.all([
        publicClient.readContract({ ...feed, functionName: 'latestRoundData' }),
        publicClient.getBlock(),
      ]);
      if (timestamp - updatedAt < refreshAfter) return;
      const transaction = buildPriceTransaction(deployment, answer);
      await evm.request({ method: 'eth_sendTransaction', params: [transaction] });
    },
  };
}

export function buildPriceTransaction(deployment: Deployment, priceE8: bigint): DevTransaction {
  return buildTransaction(accountOf('publisher').address, feedOf(deployment), 'publish', [priceE8]);
}

function feedOf({ priceFeed }: Deployment) {
  return { address: priceFeed, abi: postedPriceFeedAbi } as const;
}
