// The state of a negotiation, computed from its transcript: offer, acceptances, agreement, vetoes and deliveries.
import type { Hex } from 'viem';
import { type Address, addressKey, isSameAddress, parseAddress } from '../domain/address.ts';
import type { TaskDocument } from '../rules/terms.ts';
import type { MessageType, Payload } from '../schemas/envelope.ts';
import type { TermsDocument } from '../schemas/terms.ts';
import { isOffer, isParty, type Parties, type SignedEnvelope, senderOf } from './envelope.ts';
import type { Transcript } from './transcript.ts';

export type Offer = {
  readonly by: Address;
  readonly sequence: number;
  readonly hash: Hex;
  readonly terms: TermsDocument;
  /** The words of the task, all of them inside the digest. */
  readonly document: TaskDocument;
  readonly settlementDigest: Hex;
  /** Unix seconds on the chain's clock: acceptBy of the terms. */
  readonly expiresAt: number;
};

/** A party's `TaskAcceptance`. */
export type Acceptance = {
  readonly by: Address;
  readonly sequence: number;
  /** Of the envelope. */
  readonly hash: Hex;
  /** The offer that it accepts. */
  readonly offerHash: Hex;
  readonly settlementDigest: Hex;
  readonly signature: Hex;
};

export type OtherSignature = Acceptance & {
  /** Unix seconds until which the chain accepts it; null when the terms of the digest are unknown. */
  readonly acceptBy: number | null;
};

export type Veto = { readonly by: Address; readonly supervisor: Address; readonly reason: string };

export type Agreement = {
  readonly offerHash: Hex;
  readonly terms: TermsDocument;
  readonly document: TaskDocument;
  readonly settlementDigest: Hex;
  /** `createTask` needs at least the signature of the party that does not call it. */
  readonly posterSignature: Hex;
  readonly workerSignature: Hex;
};

export type Delivery = {
  readonly milestone: number;
  readonly proofHash: Hex;
  readonly state: 'delivered' | 'revision' | 'accepted';
};

/** What the chain says about a conversation. */
export type ChainFacts = {
  /** Hashes of the acceptances whose signature the contracts would refuse now. */
  readonly refused: ReadonlySet<Hex>;
  /** The task that was created under a digest of this conversation. */
  readonly taskId: string | undefined;
};

export type Negotiation = {
  readonly root: Hex;
  readonly negotiationId: string;
  readonly parties: Parties;
  /** Known from the chain only: a task id in a message proves nothing. */
  readonly taskId: string | undefined;
  /** Task ids that messages name. */
  readonly namedTasks: readonly string[];
  /** Whether the chain was asked about the signatures. */
  readonly isChecked: boolean;
  /** Acceptances whose signature fails, or that the contracts would refuse now. */
  readonly unusable: readonly Acceptance[];
  readonly isForked: boolean;
  /** The last offer; it replaces earlier ones. */
  readonly offer: Offer | null;
  /** Whether its sender has taken the last offer back. The contracts still accept signatures under it until acceptBy. */
  readonly isWithdrawn: boolean;
  /** The one before it, for comparison. */
  readonly previousOffer: Offer | null;
  /** Of the last offer. */
  readonly acceptances: readonly Acceptance[];
  /** The last offer that both accepted; a later open offer does not cancel it. */
  readonly agreement: Agreement | null;
  /** Signatures for other terms: the chain accepts them until acceptBy, whatever was negotiated later. */
  readonly loose: readonly OtherSignature[];
  readonly vetoes: readonly Veto[];
  readonly deliveries: readonly Delivery[];
  /** Settlements that one party has signed. */
  readonly cancels: readonly (Payload<'MutualCancel'> & { readonly by: Address })[];
};

/** Pure: the same transcript gives both parties the same state. `chain` is undefined where the chain was not asked. */
export function readNegotiation(transcript: Transcript, chain?: ChainFacts): Negotiation {
  const { root, negotiationId, parties } = transcript;
  const counted = listCounted(transcript);
  const start: Negotiation = {
    root,
    negotiationId,
    parties,
    taskId: chain?.taskId,
    namedTasks: [...new Set(counted.flatMap(({ envelope }) => envelope.taskId ?? []))],
    isChecked: chain !== undefined,
    unusable: [],
    isForked: transcript.forks.length > 0,
    offer: null,
    isWithdrawn: false,
    previousOffer: null,
    acceptances: [],
    agreement: null,
    loose: [],
    vetoes: [],
    deliveries: [],
    cancels: [],
  };
  const apply = (state: Negotiation, entry: SignedEnvelope): Negotiation => {
    if (!transcript.unusable.has(entry.hash) && !chain?.refused.has(entry.hash))
      return applyEntry(state, entry);
    if (entry.envelope.type !== 'TaskAcceptance') return state;
    return { ...state, unusable: [...state.unusable, readAcceptance(entry)] };
  };
  const state = counted.reduce(apply, start);
  // Vetoes beside the chain cancel no acceptance: their writer could create one for an earlier place at any time.
  const vetoes = addVetoesAside(state.vetoes, transcript);
  return { ...state, vetoes, loose: listOtherSignatures(transcript, state) };
}

/**
 * What counts, in the order of the places. Beside the chain everything but offers and vetoes counts as well: otherwise a
 * party could remove an acceptance, a delivery or evidence by writing at the same place later.
 */
function listCounted({ entries, aside }: Transcript): readonly SignedEnvelope[] {
  const extra = aside.filter((signed) => !isOffer(signed.envelope.type) && !isVeto(signed));
  return [...entries, ...extra].sort((one, other) => one.envelope.sequence - other.envelope.sequence);
}

/** An unknown type changes nothing. */
function applyEntry(state: Negotiation, entry: SignedEnvelope): Negotiation {
  const { type, payload } = entry.envelope;
  if (isOffer(type)) return applyOffer(state, entry);
  switch (type as MessageType) {
    case 'TaskAcceptance':
      return applyAcceptance(state, entry);
    case 'Note':
      return { ...state, isWithdrawn: state.isWithdrawn || withdraws(entry, state.offer) };
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
  const { terms, document, settlementDigest } = entry.envelope.payload as Payload<'TaskProposal'>;
  const offer: Offer = {
    by: senderOf(entry),
    sequence: entry.envelope.sequence,
    hash: entry.hash,
    terms,
    document,
    settlementDigest: settlementDigest.toLowerCase() as Hex,
    expiresAt: terms.acceptBy,
  };
  return { ...state, offer, isWithdrawn: false, previousOffer: state.offer, acceptances: [] };
}

/** Only the sender of an offer can withdraw it, by its hash. */
function withdraws(entry: SignedEnvelope, offer: Offer | null): boolean {
  const { withdraws: hash } = entry.envelope.payload as Payload<'Note'>;
  return offer !== null && hash?.toLowerCase() === offer.hash && isSameAddress(offer.by, senderOf(entry));
}

/** Counts when it names the last offer and no veto stands. Its timestamp plays no part: the chain enforces acceptBy. */
function applyAcceptance(state: Negotiation, entry: SignedEnvelope): Negotiation {
  const { offer } = state;
  const acceptance = readAcceptance(entry);
  const isKnown = state.acceptances.some(({ by }) => isSameAddress(by, acceptance.by));
  const isForOffer =
    offer?.hash === acceptance.offerHash && offer.settlementDigest === acceptance.settlementDigest;
  if (!isForOffer || isKnown || state.vetoes.length > 0) return state;
  const acceptances = [...state.acceptances, acceptance];
  return { ...state, acceptances, agreement: findAgreement(offer, acceptances) ?? state.agreement };
}

function findAgreement(
  { hash: offerHash, terms, document, settlementDigest }: Offer,
  acceptances: readonly Acceptance[],
): Agreement | null {
  const signatureOf = (party: Address) => acceptances.find(({ by }) => isSameAddress(by, party))?.signature;
  const [posterSignature, workerSignature] = [signatureOf(terms.poster), signatureOf(terms.worker)];
  if (posterSignature === undefined || workerSignature === undefined) return null;
  return { offerHash, terms, document, settlementDigest, posterSignature, workerSignature };
}

/** Only the worker delivers and only the poster reviews; the same message from the other party changes nothing. */
function applyDelivery(
  { agreement, offer, deliveries }: Negotiation,
  entry: SignedEnvelope,
): readonly Delivery[] {
  const { type, payload } = entry.envelope;
  const { milestone, proofHash } = payload as Payload<'DeliveryNotice'>;
  const { poster, worker } = agreement?.terms ?? offer?.terms ?? {};
  const isBy = (party: Address | undefined) => party !== undefined && isSameAddress(party, senderOf(entry));
  if (type === 'DeliveryNotice') {
    const others = deliveries.filter((delivery) => delivery.milestone !== milestone);
    const delivery: Delivery = { milestone, proofHash, state: 'delivered' };
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

/**
 * Acceptances that do not count for the last offer or the agreement, one for each wallet and digest. Refused and waiting
 * envelopes are included: their signatures are valid on chain as well.
 */
function listOtherSignatures(
  transcript: Transcript,
  { acceptances, agreement }: Negotiation,
): OtherSignature[] {
  const refused = transcript.refused.map(({ signed }) => signed);
  const all = [...transcript.entries, ...transcript.aside, ...refused, ...transcript.waiting];
  const ends = findAcceptBy(all);
  const known = new Set(acceptances.map(acceptanceKey));
  const found = new Map<string, OtherSignature>();
  for (const signed of all) {
    if (signed.envelope.type !== 'TaskAcceptance' || !isParty(transcript.parties, senderOf(signed))) continue;
    if (transcript.unusable.has(signed.hash)) continue;
    const acceptance = readAcceptance(signed);
    const { settlementDigest } = acceptance;
    const key = acceptanceKey(acceptance);
    if (known.has(key) || found.has(key) || settlementDigest === agreement?.settlementDigest) continue;
    found.set(key, { ...acceptance, acceptBy: ends.get(settlementDigest) ?? null });
  }
  return [...found.values()];
}

/** acceptBy by digest, from the message types whose terms were verified against their digest. */
function findAcceptBy(all: readonly SignedEnvelope[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { envelope } of all) {
    if (!isOffer(envelope.type) && envelope.type !== 'TaskAcceptance') continue;
    const { settlementDigest, terms } = envelope.payload as Payload<'TaskAcceptance'>;
    if (terms !== undefined) ends.set(settlementDigest.toLowerCase(), terms.acceptBy);
  }
  return ends;
}

function readAcceptance(signed: SignedEnvelope): Acceptance {
  const { settlementDigest, offerHash, signature } = signed.envelope.payload as Payload<'TaskAcceptance'>;
  return {
    by: senderOf(signed),
    sequence: signed.envelope.sequence,
    hash: signed.hash,
    offerHash: offerHash.toLowerCase() as Hex,
    settlementDigest: settlementDigest.toLowerCase() as Hex,
    signature,
  };
}

function acceptanceKey({ by, settlementDigest }: Acceptance): string {
  return `${addressKey(by)} ${settlementDigest}`;
}

/** Only the sender of a veto can withdraw it, for the same supervisor. */
function applyVeto(vetoes: readonly Veto[], entry: SignedEnvelope): readonly Veto[] {
  const veto = readVeto(entry);
  const others = vetoes.filter((other) => vetoKey(other) !== vetoKey(veto));
  return isWithdrawal(entry) ? others : [...others, veto];
}

/**
 * Adds vetoes beside the chain. Otherwise the opener, who goes first, could remove a veto of the other party by writing at the
 * same place. Only a withdrawal in the chain, at their place or later, ends them.
 */
function addVetoesAside(vetoes: readonly Veto[], { entries, aside }: Transcript): readonly Veto[] {
  const known = new Set(vetoes.map(vetoKey));
  const added = new Map<string, Veto>();
  for (const signed of aside) {
    if (!isVeto(signed) || isWithdrawal(signed)) continue;
    const veto = readVeto(signed);
    const key = vetoKey(veto);
    const end = entries.findLast((entry) => isWithdrawal(entry) && vetoKey(readVeto(entry)) === key);
    const isEnded = end !== undefined && end.envelope.sequence >= signed.envelope.sequence;
    if (!isEnded && !known.has(key)) added.set(key, veto);
  }
  return [...vetoes, ...added.values()];
}

function isVeto({ envelope }: SignedEnvelope): boolean {
  return envelope.type === 'SupervisorVeto';
}

function isWithdrawal(signed: SignedEnvelope): boolean {
  return isVeto(signed) && signed.envelope.payload.withdrawn === true;
}

function readVeto(signed: SignedEnvelope): Veto {
  const { supervisor, reason } = signed.envelope.payload as Payload<'SupervisorVeto'>;
  return { by: senderOf(signed), supervisor: parseAddress(supervisor), reason };
}

function vetoKey({ by, supervisor }: Veto): string {
  return `${addressKey(by)} ${addressKey(supervisor)}`;
}

/**
 * The task that came out of this conversation: the digest of one of its offers is on chain. A task id in a message proves nothing,
 * and neither does a digest that a message only names.
 */
export function findTaskOf<Task extends { readonly settlementDigest?: string | null | undefined }>(
  { entries }: Pick<Transcript, 'entries'>,
  tasks: readonly Task[],
): Task | undefined {
  const offers = entries.filter(({ envelope }) => isOffer(envelope.type));
  const digests = new Set(
    offers.map(({ envelope }) => String(envelope.payload.settlementDigest).toLowerCase()),
  );
  return tasks.find(({ settlementDigest }) => digests.has(settlementDigest?.toLowerCase() ?? ''));
}
