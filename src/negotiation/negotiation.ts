// A negotiation as a state, computed from its transcript: what is offered, who accepted, what is agreed now.
import type { Hex } from 'viem';
import { type Address, addressKey, isSameAddress, parseAddress } from '#domain/address.ts';
import type { MessageType, Payload } from '#schemas/envelopePayloads.ts';
import type { TermsDocument } from '#schemas/terms.ts';
import { type SignedEnvelope, senderOf } from './envelope.ts';
import { isOffer, type Parties } from './parties.ts';
import { type Transcript, taskOf } from './transcript.ts';

export type Offer = {
  readonly by: Address;
  readonly sequence: number;
  readonly hash: Hex;
  readonly terms: TermsDocument;
  readonly settlementDigest: Hex;
  /** Unix seconds: the offer's own end, or the terms' acceptBy where that comes first. */
  readonly expiresAt: number;
};

export type Acceptance = {
  readonly by: Address;
  readonly sequence: number;
  readonly settlementDigest: Hex;
  readonly signature: Hex;
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

export type Veto = { readonly by: Address; readonly supervisor: Address; readonly reason: string };

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
  /** Signatures under replaced offers: worth something on chain until acceptBy, whatever was said since. */
  readonly loose: readonly (Acceptance & { readonly acceptBy: number })[];
  readonly vetoes: readonly Veto[];
  readonly deliveries: readonly Delivery[];
  /** Ends that a party has signed, and that wait for the other one. */
  readonly cancels: readonly (Payload<'MutualCancel'> & { readonly by: Address })[];
};

/** Pure: the same transcript gives both parties the same state. */
export function readNegotiation({ negotiationId, parties, entries }: Transcript): Negotiation {
  const start: Negotiation = {
    negotiationId,
    parties,
    taskId: taskOf({ entries }),
    offer: null,
    acceptances: [],
    agreement: null,
    loose: [],
    vetoes: [],
    deliveries: [],
    cancels: [],
  };
  return entries.reduce(applyEntry, start);
}

/** A type that is not known here changes nothing. */
function applyEntry(state: Negotiation, entry: SignedEnvelope): Negotiation {
  const { type, payload } = entry.envelope;
  if (isOffer(type)) return applyOffer(state, entry);
  switch (type as MessageType) {
    case 'TaskAcceptance':
      return applyAcceptance(state, entry);
    case 'SupervisorVeto':
      return applyVeto(state, senderOf(entry), payload as Payload<'SupervisorVeto'>);
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
  const acceptBy = state.offer?.terms.acceptBy ?? 0;
  const isReplaced = state.agreement?.settlementDigest !== state.offer?.settlementDigest;
  const loosened = isReplaced ? state.acceptances.map((acceptance) => ({ ...acceptance, acceptBy })) : [];
  return { ...state, offer, acceptances: [], loose: [...state.loose, ...loosened] };
}

/**
 * Counts when it is for the last offer, in time and under no veto. Its time is what its sender says; the hard end is
 * the terms' acceptBy, which the chain keeps.
 */
function applyAcceptance(state: Negotiation, entry: SignedEnvelope): Negotiation {
  const { offer } = state;
  const payload = entry.envelope.payload as Payload<'TaskAcceptance'>;
  const settlementDigest = payload.settlementDigest.toLowerCase() as Hex;
  const by = senderOf(entry);
  const isKnown = state.acceptances.some((acceptance) => isSameAddress(acceptance.by, by));
  if (offer === null || offer.settlementDigest !== settlementDigest || isKnown) return state;
  const acceptance: Acceptance = {
    by,
    sequence: entry.envelope.sequence,
    settlementDigest,
    signature: payload.signature as Hex,
  };
  const isLate = Date.parse(entry.envelope.timestamp) > offer.expiresAt * 1_000;
  if (isLate || state.vetoes.length > 0)
    return { ...state, loose: [...state.loose, { ...acceptance, acceptBy: offer.terms.acceptBy }] };
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

/** Only whoever passed a veto on can pass its withdrawal on, in the name of the same supervisor. */
function applyVeto(state: Negotiation, by: Address, payload: Payload<'SupervisorVeto'>): Negotiation {
  const supervisor = parseAddress(payload.supervisor);
  const others = state.vetoes.filter(
    (veto) => addressKey(veto.by) !== addressKey(by) || veto.supervisor !== supervisor,
  );
  return {
    ...state,
    vetoes: payload.withdrawn === true ? others : [...others, { by, supervisor, reason: payload.reason }],
  };
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
