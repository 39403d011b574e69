// Publishes the price of the embedded chain.
import { postedPriceFeedAbi } from '@svc/contracts/abi';
import type { Deployment } from '@svc/sdk/chain';
import { sendFromNode } from '@svc/sdk/internal/send/keySender';
import type { PublicClient } from 'viem';
import { accountOf } from './accounts.ts';
import type { Evm } from './evm.ts';
import { buildTransaction, type DevTransaction } from './transactions.ts';

/** A quarter of the age at which the oracle rejects a price. */
const shareOfMaxAge = 4;

/** Publishes the last price again when it is some hours old. */
export async function refreshPrice(
  evm: Evm,
  publicClient: PublicClient,
  deployment: Deployment,
): Promise<void> {
  const [[, answer, , updatedAt], { timestamp }] = await Promise.all([
    publicClient.readContract({ ...feedOf(deployment), functionName: 'latestRoundData' }),
    publicClient.getBlock(),
  ]);
  if (timestamp - updatedAt < Math.floor(deployment.oracle.maxAgeSeconds / shareOfMaxAge)) return;
  const transaction = buildPriceTransaction(deployment, answer);
  await sendFromNode(evm, transaction);
}

export function buildPriceTransaction(deployment: Deployment, priceE8: bigint): DevTransaction {
  return buildTransaction(accountOf('publisher').address, feedOf(deployment), 'publish', [priceE8]);
}

function feedOf({ priceFeed }: Deployment) {
  return { address: priceFeed, abi: postedPriceFeedAbi } as const;
}
