// Proposals about a listing: what a conversation proposes, whether it still stands, and how it differs from the listing.
import type { Hex } from 'viem';
import { type Address, isSameAddress } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import type { SigningPlace } from '../domain/terms.ts';
import { splitBudget } from '../rules/offer.ts';
import { isMadeFor } from '../rules/terms.ts';
import type { Listing, ListingDocument } from '../schemas/listings.ts';
import { listChanges, type OfferChange } from './changes.ts';
import { isOffer, senderOf } from './envelope.ts';
import { type Negotiation, type Offer, readNegotiation } from './negotiation.ts';
import { statusOf } from './nextMessages.ts';
import type { Transcript } from './transcript.ts';

/**
 * `open`: unsigned. `binding`: the worker has signed, until `acceptBy`. `chosen`: the poster asks the worker to sign. `other`: the
 * last offer is one of the poster.
 */
export type ProposalState =
  | 'open'
  | 'binding'
  | 'chosen'
  | 'other'
  | 'withdrawn'
  | 'declined'
  | 'ended'
  | 'tasked'
  | 'invalid';

export type Proposal = {
  readonly root: Hex;
  readonly worker: Address;
  readonly state: ProposalState;
  readonly offer: Offer;
  /** A sentence of the worker. */
  readonly rationale: string;
  /** The worker's signature under the last offer. */
  readonly signature: Hex | null;
  readonly comparison: Comparison;
  readonly negotiation: Negotiation;
};

export type Comparison = {
  /** Every field that is not as the listing has it, price and deadline included. */
  readonly differences: readonly OfferChange[];
  /** Whether nothing but price and deadline differs, so that one click may accept it. */
  readonly isPlain: boolean;
  readonly isAboveBudget: boolean;
  readonly isAfterDeadline: boolean;
};

type Known = {
  readonly listing: Pick<Listing, 'id' | 'poster'> & { readonly document: ListingDocument };
  readonly place: SigningPlace;
  /** The chain's clock. */
  readonly now: Date;
  /** The task that has the digest of the last offer, where the chain shows one. */
  readonly taskId?: string | undefined;
};

/** The listing that a conversation is about: that of its first offer. Later messages cannot move it to another one. */
export function listingOf({ entries }: Transcript): string | null {
  const first = entries.find(({ envelope }) => isOffer(envelope.type));
  const about = first?.envelope.payload.about;
  return typeof about === 'string' ? about : null;
}

/** What a conversation proposes for a listing; null where it is about another one, or with another poster. */
export function readProposal(transcript: Transcript, known: Known): Proposal | null {
  const { listing, now, taskId } = known;
  if (listingOf(transcript) !== listing.id) return null;
  const negotiation = readNegotiation(transcript, { refused: new Set(), taskId });
  const { offer, parties } = negotiation;
  const poster = listing.poster;
  const worker = isSameAddress(parties.opener, poster) ? parties.other : parties.opener;
  const isOfPoster = [parties.opener, parties.other].some((party) => isSameAddress(party, poster));
  if (offer === null || !isOfPoster) return null;
  const signature = negotiation.acceptances.find(({ by }) => isSameAddress(by, worker))?.signature ?? null;
  return {
    root: transcript.root,
    worker,
    offer,
    rationale: findRationale(transcript, offer),
    signature,
    comparison: compareWithListing(listing.document, offer),
    negotiation,
    state: stateOf(transcript, negotiation, offer, { ...known, worker, signature, now }),
  };
}

type Facts = Known & { readonly worker: Address; readonly signature: Hex | null };

function stateOf(
  transcript: Transcript,
  negotiation: Negotiation,
  offer: Offer,
  { listing, place, worker, signature, now }: Facts,
): ProposalState {
  const { terms } = offer;
  const isBetween =
    isMadeFor(terms, place) &&
    terms.market === listing.document.market &&
    isSameAddress(terms.poster, listing.poster) &&
    isSameAddress(terms.worker, worker);
  const status = statusOf(negotiation, now);
  if (status === 'tasked') return 'tasked';
  if (!isBetween || status === 'forked' || status === 'vetoed') return 'invalid';
  if (negotiation.isWithdrawn) return 'withdrawn';
  if (status === 'expired') return 'ended';
  if (!isSameAddress(offer.by, worker)) return 'other';
  if (signature !== null) return 'binding';
  const poster = listing.poster;
  if (hasNote(transcript, poster, 'declines', offer)) return 'declined';
  return hasNote(transcript, poster, 'chooses', offer) ? 'chosen' : 'open';
}

/** Whether a note of this wallet says so of the offer. */
export function hasNote(
  { entries, aside }: Transcript,
  by: Address,
  field: 'declines' | 'chooses',
  { hash }: Pick<Offer, 'hash'>,
): boolean {
  return [...entries, ...aside].some(
    (signed) =>
      signed.envelope.type === 'Note' &&
      isSameAddress(senderOf(signed), by) &&
      String(signed.envelope.payload[field]).toLowerCase() === hash,
  );
}

function findRationale({ entries }: Transcript, { hash }: Offer): string {
  const text = entries.find((signed) => signed.hash === hash)?.envelope.payload.rationale;
  return typeof text === 'string' ? text : '';
}

/** Fields in which a proposal may differ and still be accepted with one click. */
const priceAndDeadline = ['totalAmountTokWei', 'deadline'];
/** Fields that no listing has. */
const ofEveryOffer = ['worker', 'acceptBy', 'poster', 'market', 'chainId', 'registryAddress'];

/** How an offer differs from the listing, field by field: words, amounts, milestones, review period, deadline. */
export function compareWithListing(
  listing: ListingDocument,
  offer: Pick<Offer, 'terms' | 'document'>,
): Comparison {
  const { terms, document } = offer;
  const total = BigInt(terms.totalAmountTokWei);
  const [min, max] = [BigInt(listing.budget.minTokWei), BigInt(listing.budget.maxTokWei)];
  const isPriced = total >= min && total <= max;
  const expected = {
    terms: {
      ...terms,
      // A price within the range, and a day before the latest, are as the listing wants them.
      totalAmountTokWei: isPriced ? terms.totalAmountTokWei : listing.budget.maxTokWei,
      deadline: Math.min(terms.deadline, listing.deadline),
      milestones: splitBudget(total, listing.milestoneBps).map((amount) => ({
        amountTokWei: String(amount),
      })),
      reviewPeriod: listing.reviewPeriod,
      scope: 'open' as const,
    },
    document: listing.task,
  };
  const changed = listChanges(expected, offer).filter(({ field }) => !ofEveryOffer.includes(field));
  // A blind would keep readers from checking the words against the hash on chain.
  const blind = document.blind === undefined ? [] : [{ field: 'blind', before: null, after: document.blind }];
  const differences = [...changed, ...blind];
  return {
    differences,
    isPlain: differences.every(({ field }) => priceAndDeadline.includes(field)),
    isAboveBudget: total > max,
    isAfterDeadline: terms.deadline > listing.deadline,
  };
}

/**
 * Offers that a wallet has signed and that the contracts still accept, in all of its conversations. `ended` are digests that became
 * tasks, or that the wallet has revoked on chain.
 */
export function listLiveSignatures(
  transcripts: readonly Transcript[],
  own: Address,
  now: Date,
  ended: ReadonlySet<string> = new Set(),
): { readonly root: Hex; readonly settlementDigest: Hex; readonly acceptBy: number | null }[] {
  const time = now.getTime() / 1_000;
  return transcripts.flatMap((transcript) => {
    const { offer, acceptances, loose } = readNegotiation(transcript, {
      refused: new Set(),
      taskId: undefined,
    });
    const current = acceptances.map((one) => ({ ...one, acceptBy: offer?.expiresAt ?? null }));
    return [...current, ...loose]
      .filter(({ by, acceptBy }) => isSameAddress(by, own) && (acceptBy === null || acceptBy > time))
      .filter(({ settlementDigest }) => !ended.has(settlementDigest.toLowerCase()))
      .map(({ settlementDigest, acceptBy }) => ({ root: transcript.root, settlementDigest, acceptBy }));
  });
}

type Ends = {
  /** The task that came out of a conversation. */
  readonly taskOf: (conversation: { readonly root: Hex }) => string | undefined;
  readonly readDigest: (taskId: string) => Promise<string | null | undefined>;
  /** Whether the wallet has taken its signature back on chain. */
  readonly isRevoked: (settlementDigest: Hex) => Promise<boolean>;
};

/** How many of these signatures can still become a task. */
export async function countLiveSignatures(
  signed: ReturnType<typeof listLiveSignatures>,
  { taskOf, readDigest, isRevoked }: Ends,
): Promise<number> {
  const ended = signed.map(async (one) => {
    const id = taskOf(one);
    const digest = id === undefined ? undefined : await readDigest(id);
    return digest?.toLowerCase() === one.settlementDigest.toLowerCase() || isRevoked(one.settlementDigest);
  });
  return (await Promise.all(ended)).filter((is) => !is).length;
}

/** How many more tasks a deposit carries: each signed proposal needs a free bond. */
export function countFreeBonds(
  { balance, locked }: { readonly balance: bigint; readonly locked: bigint },
  { entryUsdc, bondUsdc }: { readonly entryUsdc: bigint; readonly bondUsdc: bigint },
): number {
  return balance < entryUsdc ? 0 : Number((balance - locked) / bondUsdc);
}

/** Throws NOT_READY_TO_ACT where another signature would promise a bond that the deposit does not have. */
export function requireFreeBond(live: number, free: number): void {
  if (live < free) return;
  const reason = `${live} signed ${live === 1 ? 'proposal is' : 'proposals are'} live, and the collateral has ${free} free ${free === 1 ? 'bond' : 'bonds'}: top up, or take a signature back (revoke-terms)`;
  throw new SvcError('NOT_READY_TO_ACT', { reason });
}
