// Says that the day's posting quota is full. Anyone can fill a stranger's for some minutes, so it never refuses.
import type { Address } from '#domain/address.ts';
import type { Market } from '#domain/market.ts';
import type { PrepareNeeds } from '../needs.ts';

export async function warnOfQuota(
  { readQuota }: PrepareNeeds,
  market: Market,
  poster: Address,
): Promise<string[]> {
  const quota = await readQuota(market, poster).catch(() => null);
  if (quota === null || quota.canPost) return [];
  const { used, limit, tier } = quota;
  return [
    `The posting quota of today is full (${used} of ${limit}, plan ${tier}). The chain takes the post all the same; ` +
      'svc prepare buy-plan raises the quota.',
  ];
}
