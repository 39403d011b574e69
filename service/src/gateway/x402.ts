// The x402 offer: one price in USDC, in both versions of the protocol.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import type { Payment } from '@svc/sdk/schemas';

/** What one request costs, and to whom. */
export type Price = {
  /** USDC with 6 decimals. */
  readonly amount: bigint;
  readonly asset: Address;
  readonly payTo: Address;
  readonly chainId: number;
};

export type Offer = { readonly price: Price; readonly url: string; readonly description: string };

/** Of USDC on chain 8453; stock clients sign under it. */
const usdcDomain = { name: 'USD Coin', version: '2' };
const networkV1 = 'base';
const networkV2 = (chainId: number) => `eip155:${chainId}`;

/** How long a payment may wait to be settled. */
export const paymentSeconds = 300;

export function buildRequirementV2({ price }: Offer) {
  return {
    scheme: 'exact',
    network: networkV2(price.chainId),
    asset: price.asset,
    amount: String(price.amount),
    payTo: price.payTo,
    maxTimeoutSeconds: paymentSeconds,
    extra: usdcDomain,
  } as const;
}

export function buildRequirementV1({ price, url, description }: Offer) {
  return {
    scheme: 'exact',
    network: networkV1,
    maxAmountRequired: String(price.amount),
    resource: url,
    description,
    mimeType: 'application/json',
    payTo: price.payTo,
    maxTimeoutSeconds: paymentSeconds,
    asset: price.asset,
    extra: usdcDomain,
  } as const;
}

export function buildRequirement(payment: Payment, offer: Offer) {
  return payment.x402Version === 2 ? buildRequirementV2(offer) : buildRequirementV1(offer);
}

/** The challenge of version 2, which travels in a header; that of version 1 is the body. */
export function buildChallengeV2(offer: Offer, error: string) {
  return {
    x402Version: 2,
    error,
    resource: { url: offer.url, description: offer.description, mimeType: 'application/json' },
    accepts: [buildRequirementV2(offer)],
  } as const;
}

/** Local checks, before the facilitator is asked: what is wrong with a payment, or null. */
export function findMistake(payment: Payment, { price }: Offer, now: number): string | null {
  const { authorization } = payment.payload;
  const network = payment.x402Version === 2 ? payment.accepted.network : payment.network;
  const wanted = payment.x402Version === 2 ? networkV2(price.chainId) : networkV1;
  if (network !== wanted) return `the payment is for the network ${network}, not ${wanted}`;
  if (payment.x402Version === 2 && !isSameAddress(payment.accepted.asset as Address, price.asset))
    return 'the payment is in another asset';
  if (!isSameAddress(authorization.to as Address, price.payTo)) return 'the payment goes to another payee';
  if (BigInt(authorization.value) !== price.amount)
    return `the payment is of ${authorization.value} units, not ${price.amount}`;
  if (BigInt(authorization.validAfter) > BigInt(now)) return 'the payment is not valid yet';
  return null;
}

export function isExpired({ payload }: Payment, now: number): boolean {
  return BigInt(payload.authorization.validBefore) <= BigInt(now);
}

/** What the payer receives about a settled payment. */
export function buildSettlement(payment: Payment, { price }: Offer, transaction: string) {
  const network = payment.x402Version === 2 ? networkV2(price.chainId) : networkV1;
  return { success: true, payer: payment.payload.authorization.from, transaction, network };
}
