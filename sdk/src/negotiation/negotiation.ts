// A negotiation as a state, computed from its transcript: what is offered, who accepted, what is agreed now.
import type { Hex } from 'viem';
import { type Address, isSameAddress } from '#domain/address.ts';
import type { MessageType, Payload } from '#schemas/envelope.ts';
import type { TermsDocument } from '#schemas/terms.ts';
import { type SignedEnvelope, senderOf } from './envelope.ts';
import { type Acceptance, type LooseSignature, listLoose, readAcceptance } from './loose.ts';
import { isOffer, type Parties } from './parties.ts';
import type { Transcript } from './transcript.ts';
import { addLostVetoes, applyVeto, type Veto } from './vetoes.ts';

export type Offer = {
  readonly by: Address;
  readonly sequence: number;
  readonly hash: Hex;
  readonly terms: TermsDocument;
  readonly settlementDigest: Hex;
  /** Unix seconds: the offer's own end, or the terms' acceptBy where that comes first. */
  readonly expiresAt: number;
};

export type Agreement = {
  readonly terms: TermsDocument;
  readonly settlementDigest: Hex;
  /** What `createTask` takes: of the absent party at least. */
  readonly posterSignature: Hex;
  readonly workerSignature: Hex;
};

export type Delivery = {
  readonly milestone: number;
  readonly proofHash: Hex;
  readonly state: 'delivered' | 'revision' | 'accepted';
};

export type Negotiation = {
  readonly negotiationId: string;
  readonly parties: Parties;
  readonly taskId: string | undefined;
  /** The last offer; earlier ones have been replaced by it. */
  readonly offer: Offer | null;
  /** Of the last offer. */
  readonly acceptances: readonly Acceptance[];
  /** The last offer that both accepted; a later offer that is still open does not undo it. */
  readonly agreement: Agreement | null;
  /** Signatures under anything else: worth something on chain until acceptBy, whatever was said since. */
  readonly loose: readonly LooseSignature[];
  readonly vetoes: readonly Veto[];
  readonly deliveries: readonly Delivery[];
  /** Ends that a party has signed, and that wait for the other one. */
  readonly cancels: readonly (Payload<'MutualCancel'> & { readonly by: Address })[];
};

/** Pure: the same transcript gives both parties the same state. */
export function readNegotiation(transcript: Transcript): Negotiation {
  const { negotiationId, parties, entries, taskId } = transcript;
  const start: Negotiation = {
    negotiationId,
    parties,
    taskId,
    offer: null,
    acceptances: [],
    agreement: null,
    loose: [],
    vetoes: [],
    deliveries: [],
    cancels: [],
  };
  const state = entries.reduce(applyEntry, start);
  // One that lost its place undoes nothing that was accepted: its writer could make another for long ago at any time.
  const vetoes = addLostVetoes(state.vetoes, transcript);
  return { ...state, vetoes, loose: listLoose(transcript, state) };
}

/** A type that is not known here changes nothing. */
function applyEntry(state: Negotiation, entry: SignedEnvelope): Negotiation {
  const { type, payload } = entry.envelope;
  if (isOffer(type)) return applyOffer(state, entry);
  switch (type as MessageType) {
    case 'TaskAcceptance':
      return applyAcceptance(state, entry);
    case 'SupervisorVeto':
      return { ...state, vetoes: applyVeto(state.vetoes, entry) };
    case 'DeliveryNotice':
    case 'AcceptDelivery':
    case 'RevisionRequest':
      return { ...state, deliveries: applyDelivery(state, entry) };
    case 'MutualCancel': {
      const by = senderOf(entry);
      const others = state.cancels.filter((cancel) => !isSameAddress(cancel.by, by));
      return { ...state, cancels: [...others, { ...(payload as Payload<'MutualCancel'>), by }] };
    }
    default:
      return state;
  }
}

function applyOffer(state: Negotiation, entry: SignedEnvelope): Negotiation {
  const { terms, settlementDigest, expiresAt } = entry.envelope.payload as Payload<'TaskProposal'>;
  const offer: Offer = {
    by: senderOf(entry),
    sequence: entry.envelope.sequence,
    hash: entry.hash,
    terms,
    settlementDigest: settlementDigest.toLowerCase() as Hex,
    expiresAt: Math.min(expiresAt, terms.acceptBy),
  };
  return { ...state, offer, acceptances: [] };
}

/**
 * Counts when it is for the last offer, in time and under no veto. Its time is what its sender says; the hard end is
 * the terms' acceptBy, which the chain keeps.
 */
function applyAcceptance(state: Negotiation, entry: SignedEnvelope): Negotiation {
  const { offer } = state;
  const acceptance = readAcceptance(entry);
  const isKnown = state.acceptances.some(({ by }) => isSameAddress(by, acceptance.by));
  if (offer === null || offer.settlementDigest !== acceptance.settlementDigest || isKnown) return state;
  const isLate = Date.parse(entry.envelope.timestamp) > offer.expiresAt * 1_000;
  if (isLate || state.vetoes.length > 0) return state;
  const acceptances = [...state.acceptances, acceptance];
  return { ...state, acceptances, agreement: findAgreement(offer, acceptances) ?? state.agreement };
}

function findAgreement(
  { terms, settlementDigest }: Offer,
  acceptances: readonly Acceptance[],
): Agreement | null {
  const signatureOf = (party: string) =>
    acceptances.find(({ by }) => isSameAddress(by, party as Address))?.signature;
  const [posterSignature, workerSignature] = [signatureOf(terms.poster), signatureOf(terms.worker)];
  if (posterSignature === undefined || workerSignature === undefined) return null;
  return { terms, settlementDigest, posterSignature, workerSignature };
}

/** The worker delivers, the poster judges what was delivered; the same words of the other one change nothing. */
function applyDelivery(
  { agreement, offer, deliveries }: Negotiation,
  entry: SignedEnvelope,
): readonly Delivery[] {
  const { type, payload } = entry.envelope;
  const { milestone, proofHash } = payload as Payload<'DeliveryNotice'>;
  const { poster, worker } = agreement?.terms ?? offer?.terms ?? {};
  const isBy = (party: string | undefined) =>
    party !== undefined && isSameAddress(party as Address, senderOf(entry));
  if (type === 'DeliveryNotice') {
    const others = deliveries.filter((delivery) => delivery.milestone !== milestone);
    const delivery: Delivery = { milestone, proofHash: proofHash as Hex, state: 'delivered' };
    return isBy(worker) ? [...others, delivery] : deliveries;
  }
  if (!isBy(poster)) return deliveries;
  return deliveries.map((delivery) => {
    if (delivery.milestone !== milestone) return delivery;
    if (type === 'RevisionRequest') return { ...delivery, state: 'revision' };
    const isSame = delivery.proofHash.toLowerCase() === proofHash.toLowerCase();
    return isSame ? { ...delivery, state: 'accepted' } : delivery;
  });
}
