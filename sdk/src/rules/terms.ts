// The terms document of an offer, and its conversion to the terms of the contracts.
import { type Hex, keccak256, stringToBytes } from 'viem';
import { type Address, isSameAddress, parseAddress } from '../domain/address.ts';
import { maxAmount } from '../domain/amount.ts';
import { hashCanonical } from '../domain/canonical.ts';
import { SvcError } from '../domain/errors.ts';
import { type Market, markets } from '../domain/market.ts';
import type { Scope } from '../domain/state.ts';
import {
  buildTermsTypedData,
  findAcceptanceMistake,
  hashMilestones,
  hashTerms,
  type SigningPlace,
  type TaskTerms,
} from '../domain/terms.ts';
import type { DocumentOf } from '../schemas/documents.ts';
import { type TermsDocument, termsSchema } from '../schemas/terms.ts';

/** The words of a task. */
export type TaskDocument = DocumentOf<'svc-task-v1'>;

type TermsValues = {
  readonly market: Market;
  readonly place: SigningPlace;
  readonly poster: Address;
  readonly worker: Address;
  readonly totalAmount: bigint;
  /** Empty for a single milestone. */
  readonly milestones: readonly { readonly amount: bigint }[];
  /** The hash of the task document. */
  readonly criteriaHash: Hex;
  /** Unix seconds, as is `acceptBy`. */
  readonly deadline: number;
  readonly reviewPeriod: number;
  readonly scope: Scope;
  readonly negotiationId: string;
  readonly acceptBy: number;
};

/** The terms that two parties negotiate, with the hashes that their digest covers, and the digest. */
export function buildTermsDocument({ market, place, milestones, ...input }: TermsValues): TermsDocument {
  const terms: TermsDocument = {
    market,
    chainId: place.chainId,
    registryAddress: place.registry,
    poster: input.poster,
    worker: input.worker,
    totalAmountTokWei: String(input.totalAmount),
    milestones: milestones.map(({ amount }) => ({ amountTokWei: String(amount) })),
    milestonesHash: hashMilestones(milestones.map(({ amount }) => amount)),
    criteriaHash: input.criteriaHash,
    deadline: input.deadline,
    reviewPeriod: input.reviewPeriod,
    scope: input.scope,
    salt: buildSalt(input.negotiationId),
    acceptBy: input.acceptBy,
  };
  return withDigest(terms);
}

/** The terms with their own digest, also where another one stood in them. */
export function withDigest(terms: TermsDocument): TermsDocument {
  return { ...terms, settlementDigest: hashTermsDocument(terms) };
}

/** Makes the same terms in two negotiations two agreements. */
export function buildSalt(negotiationId: string): Hex {
  return keccak256(stringToBytes(negotiationId));
}

/** The terms in the form of the contracts, and the chain and registry they are for. */
export function toContractTerms(document: TermsDocument): {
  readonly terms: TaskTerms;
  readonly place: SigningPlace;
} {
  const terms = {
    poster: parseAddress(document.poster),
    worker: parseAddress(document.worker),
    totalAmount: BigInt(document.totalAmountTokWei),
    milestonesHash: document.milestonesHash,
    criteriaHash: document.criteriaHash,
    deadline: BigInt(document.deadline),
    reviewPeriod: document.reviewPeriod,
    scope: document.scope,
    salt: document.salt,
    acceptBy: BigInt(document.acceptBy),
  };
  return { terms, place: { chainId: document.chainId, registry: parseAddress(document.registryAddress) } };
}

/** What poster and worker sign to agree on the terms. */
export function buildAgreementTypedData(document: TermsDocument) {
  const { terms, place } = toContractTerms(document);
  return buildTermsTypedData(terms, place);
}

/** Throws TERMS_INVALID where the contracts would take no signature under terms with this end. `now`: of the chain. */
export function requireAcceptable(acceptBy: number, now: number): void {
  const mistake = findAcceptanceMistake(acceptBy, now);
  if (mistake !== null) throw new SvcError('TERMS_INVALID', { reason: `acceptBy ${mistake}` });
}

/** Whether the terms are for this chain and registry. */
export function isMadeFor({ chainId, registryAddress }: TermsDocument, place: SigningPlace): boolean {
  return chainId === place.chainId && isSameAddress(registryAddress, place.registry);
}

/** The chain of a deployment, and the registries of its two markets. */
export type Registries = {
  readonly chainId: number;
  readonly contracts: Readonly<Record<Market, { readonly taskRegistry: Address }>>;
};

/** The market whose registry the terms are for, whatever they call it; null where it is neither. */
export function findOwnMarket(terms: TermsDocument, { chainId, contracts }: Registries): Market | null {
  return (
    markets.find((market) => isMadeFor(terms, { chainId, registry: contracts[market].taskRegistry })) ?? null
  );
}

/**
 * Null where terms are for the registry of the market that they name. The digest covers chain and registry, and not the name: only
 * this check keeps a name from being a lie.
 */
export function findMarketMistake(terms: TermsDocument, registries: Registries): string | null {
  const own = findOwnMarket(terms, registries);
  if (own === terms.market) return null;
  if (own !== null)
    return `The terms say ${terms.market}, but their registry is that of another market: ${own}.`;
  const { chainId, contracts } = registries;
  return (
    `The terms are for another market: chain ${terms.chainId}, registry ${terms.registryAddress}; ` +
    `${terms.market} is on chain ${chainId}, registry ${contracts[terms.market].taskRegistry}.`
  );
}

/** The settlement digest of the document: `TaskRegistry.hashTerms` of its terms. */
export function hashTermsDocument(document: TermsDocument): Hex {
  const { terms, place } = toContractTerms(document);
  return hashTerms(terms, place);
}

/** Null when the document is valid, consistent and has the digest that is given, in it or beside it. */
export function findTermsMistake(value: unknown, settlementDigest?: unknown): string | null {
  const parsed = termsSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `terms.${issue?.path.join('.')}: ${issue?.message}`;
  }
  const document = value as TermsDocument;
  const mistake = findContradiction(document);
  if (mistake !== null) return mistake;
  const digest = hashTermsDocument(document);
  const isSame = (given: unknown) =>
    given === undefined || (typeof given === 'string' && given.toLowerCase() === digest);
  if (!isSame(document.settlementDigest)) return 'The settlementDigest in the terms is not theirs.';
  return isSame(settlementDigest) ? null : 'The settlementDigest is not that of the terms.';
}

/** The readable amounts must match the hash that the digest covers. */
function findContradiction(document: TermsDocument): string | null {
  const { totalAmountTokWei, milestones } = document;
  const total = BigInt(totalAmountTokWei);
  const amounts = milestones.map(({ amountTokWei }) => BigInt(amountTokWei));
  if (total === 0n || total > maxAmount) return 'The total must be above 0 and below 2^96 wei.';
  if (isSameAddress(document.poster, document.worker)) return 'Poster and worker are the same wallet.';
  if (amounts.length === 1) return 'A single milestone is written as an empty list.';
  if (amounts.length > 0 && amounts.reduce((sum, amount) => sum + amount, 0n) !== total)
    return 'The milestones do not add up to the total.';
  if (hashMilestones(amounts) !== document.milestonesHash.toLowerCase())
    return 'The milestonesHash is not that of the milestones.';
  return null;
}

/** Null when the digest of the terms covers every word of the document. */
export function findDocumentMistake(terms: TermsDocument, document: TaskDocument): string | null {
  if (hashCanonical(document) !== terms.criteriaHash.toLowerCase())
    return 'The criteriaHash is not that of the document.';
  if (document.milestones.length !== terms.milestones.length)
    return 'The document must have one text for each milestone, and none for a single milestone.';
  if (terms.scope === 'private' && /^(0x0*)?$/.test(document.blind ?? ''))
    return 'The document of a private task needs blind, 32 random bytes, so that nobody can guess it from its hash.';
  return null;
}
