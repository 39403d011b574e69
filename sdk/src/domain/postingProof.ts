// What a transaction proves: that a task was posted, or that a plan was paid.
import { type Address, isSameAddress } from './address.ts';
import type { ChainEvent } from './event.ts';
import type { Market } from './market.ts';
import type { Purchase } from './posting.ts';
import { type Currency, currencies, nameOf } from './state.ts';
import type { TaskKey } from './taskId.ts';

/** A mined transaction, with the events of the markets' contracts in it. */
export type TransactionProof = {
  readonly isSuccess: boolean;
  readonly blockNumber: bigint;
  /** How many blocks of the chain hold it, its own included. */
  readonly confirmations: number;
  readonly events: readonly ChainEvent[];
};

export type PostClaim = TaskKey & {
  readonly poster: Address;
  /** Null where the amount was not told in TOK. */
  readonly amountTokWei: bigint | null;
};

/** Why the transaction is not this post, as the end of a sentence; null when it is. */
export function findPostMismatch(
  proof: Pick<TransactionProof, 'isSuccess' | 'events'>,
  claim: PostClaim,
): string | null {
  if (!proof.isSuccess) return 'it was reverted';
  const posted = proof.events.filter(
    ({ market, contract, name }) =>
      market === claim.market && contract === 'taskRegistry' && name === 'TaskPosted',
  );
  if (posted.length === 0) return `it posts no task on the market "${claim.market}"`;
  const post = posted.find(({ taskNumber }) => taskNumber === claim.number);
  if (post === undefined) return 'it posts another task';
  if (!isSameAddress(post.args.poster as Address, claim.poster)) return 'another wallet posts in it';
  const isSameAmount = claim.amountTokWei === null || String(claim.amountTokWei) === post.args.totalAmount;
  return isSameAmount ? null : 'the task in it pays another amount';
}

/** Every payment for a plan in these events. */
export function readPurchases(events: readonly ChainEvent[]): Purchase[] {
  return events
    .filter(({ contract, name }) => contract === 'paymentGateway' && name === 'PlanPurchased')
    .map((event) => ({
      txHash: event.txHash,
      logIndex: event.logIndex,
      market: event.market,
      payer: event.args.payer as Address,
      tier: decodeTier(String(event.args.tier)),
      payWith: nameOf(currencies, Number(event.args.payWith)),
      blockNumber: event.blockNumber,
      blockTime: event.blockTime,
    }));
}

/** The chain keeps a plan's id as 32 bytes, filled up with zeros. */
export function decodeTier(bytes: string): string {
  const digits = bytes.slice(2).replace(/(00)+$/, '');
  const codes = digits.match(/../g) ?? [];
  return new TextDecoder().decode(Uint8Array.from(codes, (pair) => Number.parseInt(pair, 16)));
}

export type PaymentClaim = {
  readonly market: Market;
  readonly payer: Address;
  readonly tier: string;
  /** Undefined takes either currency. */
  readonly payWith: Currency | undefined;
};

export function isPaymentFor(purchase: Purchase, claim: PaymentClaim): boolean {
  return (
    purchase.market === claim.market &&
    isSameAddress(purchase.payer, claim.payer) &&
    purchase.tier === claim.tier &&
    (claim.payWith === undefined || purchase.payWith === claim.payWith)
  );
}

/** Why the transaction does not pay for this plan, as the end of a sentence. */
export function explainPayment(proof: TransactionProof, claim: PaymentClaim): string {
  if (!proof.isSuccess) return 'it was reverted';
  const purchases = readPurchases(proof.events).filter(({ market }) => market === claim.market);
  if (purchases.length === 0) return `it buys no plan on the market "${claim.market}"`;
  const own = purchases.filter(({ payer }) => isSameAddress(payer, claim.payer));
  if (own.length === 0) return 'another wallet pays in it';
  return own.some(({ tier }) => tier === claim.tier) ? 'it pays in another currency' : 'it buys another plan';
}
