// The x402 offer: one price in USDC, in both versions of the protocol.
import { isDeepStrictEqual } from 'node:util';
import { type Address, formatUsdc, isSameAddress, knownChains, SvcError } from '@svc/sdk/domain';
import { verifyTypedData } from 'viem';
import type { Payment } from '../contract/paymentSchemas.ts';
import { buildUsdcPaymentTypedData } from '../contract/usdcPayment.ts';
import { declareSignIn, signInKey } from './signIn.ts';

/** What one request costs, and to whom. */
export type Price = {
  /** USDC with 6 decimals. */
  readonly amount: bigint;
  readonly asset: Address;
  readonly payTo: Address;
  readonly chainId: number;
  /** The EIP-712 domain of the asset, under which clients sign. */
  readonly domain: { readonly name: string; readonly version: string };
};

export type Offer = {
  readonly price: Price;
  readonly url: string;
  readonly description: string;
  /** How long a payment may wait to be settled: the first is the current offer, the others were offered shortly before. */
  readonly timeouts: readonly [number, ...number[]];
  readonly discovery: Discovery;
  /** Whether its payer gets it again by signing in. */
  readonly isHeld?: boolean;
};

/** How to call what is paid for, for catalogs that list it (Bazaar). */
type Discovery = {
  readonly method: 'GET' | 'POST';
  /** An example of the body, and its JSON Schema. */
  readonly body?: { readonly example: object; readonly schema: object };
};

/** The reasons of the protocol that clients know. */
export const errorReasons = {
  payload: 'invalid_payload',
  requirements: 'invalid_payment_requirements',
  network: 'invalid_network',
  recipient: 'invalid_exact_evm_payload_recipient_mismatch',
  value: 'invalid_exact_evm_payload_authorization_value',
  validAfter: 'invalid_exact_evm_payload_authorization_valid_after',
  validBefore: 'invalid_exact_evm_payload_authorization_valid_before',
  signature: 'invalid_exact_evm_payload_signature',
  used: 'invalid_exact_evm_nonce_already_used',
  pending: 'settlement_pending',
  other: 'invalid_transaction_state',
} as const;

/** `errorReason` is one of the protocol's; that of a facilitator is passed on where it looks like one. */
export function refusePayment(reason: string, errorReason: string): SvcError {
  const isKnown = /^[a-z][a-z0-9_]{2,80}$/.test(errorReason);
  return new SvcError('PAYMENT_REQUIRED', {
    reason,
    errorReason: isKnown ? errorReason : errorReasons.other,
  });
}

/** Version 1 has names for a few chains only; null where it has none. */
const networkV1 = (chainId: number) => knownChains[chainId]?.network ?? null;
const networkV2 = (chainId: number) => `eip155:${chainId}`;

/** How the version that a payment is of calls the chain of the price. */
function networkFor({ x402Version }: Payment, { chainId }: Price): string {
  return (x402Version === 1 ? networkV1(chainId) : null) ?? networkV2(chainId);
}

const paymentSeconds = 300;
const leadStep = 3_600;

/**
 * Clients sign a payment that is valid for a number of seconds by their clock, and the chain judges it by its clock. Where the chain's clock
 * is ahead, as on an embedded chain that was moved into the future, the difference is offered on top, in whole hours and
 * with one to spare: the time of the last block may lie behind the chain's.
 */
export function offerTimeouts(chainTime: number, wallTime: number): Offer['timeouts'] {
  const lead = chainTime - wallTime;
  const steps = lead <= 60 ? 0 : Math.ceil(lead / leadStep) + 1;
  const near = [steps - 1, steps + 1].filter((one) => steps > 0 && one > 0);
  return [paymentSeconds + steps * leadStep, ...near.map((one) => paymentSeconds + one * leadStep)];
}

export function buildRequirementV2({ price, timeouts: [timeout] }: Pick<Offer, 'price' | 'timeouts'>) {
  return {
    scheme: 'exact',
    network: networkV2(price.chainId),
    asset: price.asset,
    amount: String(price.amount),
    payTo: price.payTo,
    maxTimeoutSeconds: timeout,
    extra: price.domain,
  } as const;
}

/** Null on a chain that version 1 has no name for: there only version 2 pays. */
export function buildRequirementV1({ price, url, description, timeouts: [timeout], discovery }: Offer) {
  const network = networkV1(price.chainId);
  if (network === null) return null;
  return {
    scheme: 'exact',
    network,
    maxAmountRequired: String(price.amount),
    resource: url,
    description,
    mimeType: 'application/json',
    payTo: price.payTo,
    maxTimeoutSeconds: timeout,
    asset: price.asset,
    outputSchema: { input: buildInputV1(discovery) },
    extra: price.domain,
  } as const;
}

export type Requirement = ReturnType<typeof buildRequirement>;

export function buildRequirement(payment: Payment, offer: Offer) {
  return (payment.x402Version === 1 ? buildRequirementV1(offer) : null) ?? buildRequirementV2(offer);
}

function buildInputV1({ method, body }: Discovery) {
  const fields = body && { bodyType: 'json', bodyFields: body.schema };
  return { type: 'http', method, discoverable: true, ...fields };
}

const $schema = 'https://json-schema.org/draft/2020-12/schema';

/** The extension `bazaar` of version 2: an example of a call, and the schema that it follows. */
function buildBazaar({ method, body }: Discovery) {
  const constants = { type: 'http', method, ...(body && { bodyType: 'json' }) };
  const properties = Object.entries(constants).map(([name, value]) => [name, { const: value }]);
  const input = {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...(body && { body: body.schema }) },
    required: [...Object.keys(constants), ...(body ? ['body'] : [])],
  };
  return {
    info: { input: { ...constants, ...(body && { body: body.example }) } },
    schema: { $schema, type: 'object', properties: { input }, required: ['input'] },
  };
}

const nameKey = 'payment-identifier';
const nameShape = { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' } as const;

/** The extension `payment-identifier`: a payer may name its payment, and a request under the same name is paid once. */
const paymentIdentifier = {
  info: { required: false },
  schema: {
    $schema,
    type: 'object',
    properties: { required: { type: 'boolean' }, id: nameShape },
    required: ['required'],
  },
} as const;

/** The name that the payer has given; null without one. Throws PAYMENT_REQUIRED for a malformed name. */
export function nameOf(payment: Payment): string | null {
  const { extensions } = payment as { readonly extensions?: Readonly<Record<string, unknown>> };
  const { info } = (extensions?.[nameKey] ?? {}) as { readonly info?: { readonly id?: unknown } };
  const id = info?.id;
  if (id === undefined || id === null) return null;
  if (typeof id === 'string' && /^[a-zA-Z0-9_-]{16,128}$/.test(id)) return id;
  throw refusePayment(
    'a payment identifier has 16 to 128 letters, digits, hyphens and underscores',
    errorReasons.payload,
  );
}

/** The challenge of version 2, which travels in a header; that of version 1 is the body. */
export function buildChallengeV2(offer: Offer, error: string) {
  return {
    x402Version: 2,
    error,
    resource: { url: offer.url, description: offer.description, mimeType: 'application/json' },
    accepts: [buildRequirementV2(offer)],
    extensions: {
      bazaar: buildBazaar(offer.discovery),
      [nameKey]: paymentIdentifier,
      ...(offer.isHeld && { [signInKey]: declareSignIn({ url: offer.url, chainId: offer.price.chainId }) }),
    },
  } as const;
}

/** Local checks, before the facilitator is asked: what is wrong with a payment, or null. */
export function findMistake(payment: Payment, offer: Offer, now: number): SvcError | null {
  const { price } = offer;
  const { to, value, validAfter } = payment.payload.authorization;
  const accepted = payment.x402Version === 2 ? payment.accepted : null;
  const network = payment.x402Version === 2 ? payment.accepted.network : payment.network;
  const wanted = networkFor(payment, price);
  const isSame = (one: string, other: Address) => isSameAddress(one as Address, other);
  const checks: readonly (readonly [isRight: boolean, reason: string, errorReason: string])[] = [
    [
      accepted !== null || networkV1(price.chainId) !== null,
      `on ${wanted} only x402 version 2 is taken`,
      errorReasons.network,
    ],
    [network === wanted, `the payment is for the network ${network}, not ${wanted}`, errorReasons.network],
    [
      accepted === null || isSame(accepted.asset, price.asset),
      'the payment is in another asset',
      errorReasons.requirements,
    ],
    [isSame(to, price.payTo), 'the payment goes to another payee', errorReasons.recipient],
    [
      BigInt(value) === price.amount,
      `the payment is of ${formatUsdc(BigInt(value))} USDC; exactly ${formatUsdc(price.amount)} USDC are asked for`,
      errorReasons.value,
    ],
    [
      accepted === null || isOffered(accepted, offer),
      'the payment accepts other requirements than those offered here',
      errorReasons.requirements,
    ],
    [BigInt(validAfter) <= BigInt(now), 'the payment is not valid yet', errorReasons.validAfter],
  ];
  const [, reason, errorReason] = checks.find(([isRight]) => !isRight) ?? [];
  return reason === undefined || errorReason === undefined ? null : refusePayment(reason, errorReason);
}

type Accepted = Extract<Payment, { x402Version: 2 }>['accepted'];

/** What a payment accepts must be an offer as a whole; addresses may be spelled in any case. */
function isOffered(accepted: Accepted, { price, timeouts }: Offer): boolean {
  const spell = <Some extends Accepted>(one: Some) => ({
    ...one,
    asset: one.asset.toLowerCase(),
    payTo: one.payTo.toLowerCase(),
  });
  return timeouts.some((timeout) => {
    const offered = buildRequirementV2({ price, timeouts: [timeout] });
    return isDeepStrictEqual(spell(accepted), spell({ ...offered, extra: { ...offered.extra } }));
  });
}

export function isExpired({ payload }: Payment, now: number): boolean {
  return BigInt(payload.authorization.validBefore) <= BigInt(now);
}

/** Whether the payer has signed it. False for a smart wallet, whose signature only the chain can check. */
export async function isSigned({ payload }: Payment, { price }: Offer): Promise<boolean> {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  const amounts = { value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
  const domain = { ...price.domain, chainId: price.chainId, verifyingContract: price.asset };
  const document = buildUsdcPaymentTypedData(domain, { from, to, nonce, ...amounts });
  return verifyTypedData({ ...document, address: from, signature: payload.signature }).catch(() => false);
}

/** What the payer receives about a payment that was not settled. */
export function buildFailure(payment: Payment, { price }: Offer, errorReason: string) {
  return { success: false, errorReason, ...outcomeOf(payment, price, '') };
}

/** What the payer receives about a settled payment. */
export function buildSettlement(payment: Payment, { price }: Offer, transaction: string) {
  return { success: true, ...outcomeOf(payment, price, transaction) };
}

function outcomeOf(payment: Payment, price: Price, transaction: string) {
  return { payer: payment.payload.authorization.from, transaction, network: networkFor(payment, price) };
}
