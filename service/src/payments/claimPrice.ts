// What a claim costs when it is paid over HTTP, and who receives it.
import type { Deployment } from '@svc/sdk/chain';
import { type Address, parseUsdc } from '@svc/sdk/domain';
import type { Price } from './x402.ts';

export type ClaimPriceOptions = {
  /** SVC_CLAIM_PRICE_USDC. */
  readonly claimPriceUsdc: string;
  /** Default: the treasury of the deployment. */
  readonly payTo: Address | undefined;
};

export function priceClaim(
  { chainId, usdc, usdcDomain, roles }: Deployment,
  { claimPriceUsdc, payTo = roles.treasury }: ClaimPriceOptions,
): Price {
  return { amount: parseUsdc(claimPriceUsdc), asset: usdc, payTo, chainId, domain: usdcDomain };
}
