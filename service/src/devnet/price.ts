// Keeps the oracle's price fresh, however long the chain runs and however far its clock is moved.

import { postedPriceFeedAbi } from '@svc/contracts/abi';
import type { Deployment } from '@svc/sdk/chain';
import type { PublicClient } from 'viem';
import { accountOf } from './accounts.ts';
import type { Evm } from './evm.ts';
import { type Act, buildAct } from './seed/stage.ts';

export type PriceKeeper = {
  /** Publishes the last price anew when it is some hours old. */
  readonly refresh: () => Promise<void>;
};

/** A quarter of the age at which the oracle drops a price. */
const shareOfMaxAge = 4;

export function createPriceKeeper(evm: Evm, publicClient: PublicClient, deployment: Deployment): PriceKeeper {
  const feed = feedOf(deployment);
  const refreshAfter = BigInt(Math.floor(deployment.oracle.maxAgeSeconds / shareOfMaxAge));
  return {
    refresh: async () => {
      const [[, answer, , updatedAt], { timestamp }] = await Promise.all([
        publicClient.readContract({ ...feed, functionName: 'latestRoundData' }),
        publicClient.getBlock(),
      ]);
      if (timestamp - updatedAt < refreshAfter) return;
      const { by, to, data } = buildPriceAct(deployment, answer);
      await evm.request({ method: 'eth_sendTransaction', params: [{ from: by, to, data }] });
    },
  };
}

export function buildPriceAct(deployment: Deployment, priceE8: bigint): Act {
  return buildAct(accountOf('publisher').address, feedOf(deployment), 'publish', [priceE8]);
}

function feedOf({ priceFeed }: Deployment) {
  return { address: priceFeed, abi: postedPriceFeedAbi } as const;
}
