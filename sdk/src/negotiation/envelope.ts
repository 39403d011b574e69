// Envelopes: building, hashing, signing and parsing them, and the reasons to refuse one.
import { type Hex, zeroHash } from 'viem';
import { type Address, isSameAddress, parseAddress } from '../domain/address.ts';
import { hashCanonical, isTooDeep, toCanonical } from '../domain/canonical.ts';
import { SvcError } from '../domain/errors.ts';
import { toShown } from '../domain/text.ts';
import { buildTypedData, hashOwnTypedData } from '../domain/typedData.ts';
import { normaliseKeySignature, verifyPlainAccount } from '../domain/verifyDigest.ts';
import { buildSalt, findDocumentMistake, findTermsMistake } from '../rules/terms.ts';
import {
  type Envelope,
  isMessageType,
  type Payload,
  payloadSchemas,
  schemaVersion,
  signedEnvelopeSchema,
  writtenPayload,
} from '../schemas/envelope.ts';
import { addressSchema } from '../schemas/primitives.ts';
import type { TermsDocument } from '../schemas/terms.ts';

export type SignedEnvelope = { readonly envelope: Envelope; readonly hash: Hex; readonly signature: Hex };
export type Sender = Envelope['sender'];
/** The end of a transcript, to which the next envelope is linked. */
export type Head = { readonly sequence: number; readonly hash: Hex };

export type Draft = {
  readonly type: string;
  readonly negotiationId: string;
  readonly taskId?: string | undefined;
  readonly sender: Sender;
  readonly payload: Record<string, unknown>;
};

/** Before the first envelope: sequence 0 and 32 zero bytes. */
export const noHead: Head = { sequence: 0, hash: zeroHash };

/** How often a message is built again because another one took its place. */
export const placeAttempts = 10;

export const maxWireBytes = 256 * 1_024;

/** Throws ENVELOPE_INVALID when the recipient would refuse the result. */
export function buildEnvelope({ taskId, ...draft }: Draft, head: Head, now: Date): Envelope {
  const envelope = {
    schemaVersion,
    ...draft,
    ...(taskId !== undefined && { taskId }),
    sequence: head.sequence + 1,
    previousHash: head.hash,
    timestamp: now.toISOString(),
  } as Envelope;
  if (isTooDeep(envelope.payload)) throw invalid(refuse('depth'));
  const refusal =
    findMistake({ envelope, hash: hashOrThrow(envelope), signature: '0x00' }) ?? findUnwritten(envelope);
  if (refusal !== null) throw invalid(refusal);
  return envelope;
}

function hashOrThrow(envelope: Envelope): Hex {
  try {
    return hashCanonical(envelope);
  } catch (error) {
    throw invalid(refuse('form', (error as Error).message));
  }
}

function invalid({ reason, detail }: Refusal): SvcError {
  return new SvcError('ENVELOPE_INVALID', { reason: detail, refusal: reason });
}

/** What the sender signs. It names no chain; the terms inside the payload do. */
export function buildEnvelopeTypedData({ negotiationId, sequence }: Envelope, hash: Hex) {
  const fields = { hash: 'bytes32', negotiationId: 'string', sequence: 'uint256' };
  const message = { hash, negotiationId, sequence: BigInt(sequence) };
  return buildTypedData(signingDomain, 'NegotiationEnvelope', fields, message);
}

export const signingDomain = { name: 'svc negotiation', version: '1' } as const;

export type EnvelopeTypedData = ReturnType<typeof buildEnvelopeTypedData>;

/** The EIP-712 digest that the sender of an envelope signs. */
export function hashSigned({ envelope, hash }: SignedEnvelope): Hex {
  return hashOwnTypedData(buildEnvelopeTypedData(envelope, hash));
}

/** Hashes an envelope and signs it: the form that is sent. */
export async function signEnvelope(
  envelope: Envelope,
  sign: (typedData: EnvelopeTypedData) => Promise<Hex>,
): Promise<SignedEnvelope> {
  const hash = hashCanonical(envelope);
  const signature = await sign(buildEnvelopeTypedData(envelope, hash));
  const byKey: SignedEnvelope = { envelope, hash, signature: normaliseKeySignature(signature) };
  // Only the smart wallet can interpret its signature, so its bytes stay unchanged.
  return (await verifyKeySignature(byKey)) ? byKey : { ...byKey, signature: signature.toLowerCase() as Hex };
}

/** Whether the key of `sender.evmAddress` signed it, in the one accepted form. Asks no chain, so false for smart wallets. */
export function verifyKeySignature(signed: SignedEnvelope): Promise<boolean> {
  return verifyPlainAccount(senderOf(signed), hashSigned(signed), signed.signature);
}

/** The canonical text that is sent. Throws ENVELOPE_INVALID when a recipient would refuse it. */
export function formatWire(signed: SignedEnvelope): string {
  const text = toCanonical(signed);
  const parsed = parseWire(text);
  if ('refusal' in parsed) throw invalid(parsed.refusal);
  return text;
}

/**
 * Parses text from an unknown sender. Checks everything that one envelope shows, except its signature: size, depth, the one
 * canonical spelling (which a repeated key does not have), fields, hash, payload, and that a first message names its recipient.
 */
export function parseWire(text: string): { readonly signed: SignedEnvelope } | { readonly refusal: Refusal } {
  if (new TextEncoder().encode(text).length > maxWireBytes) return { refusal: refuse('size') };
  let value: unknown;
  try {
    value = JSON.parse(text);
    // First, since the steps after it are recursive.
    if (isTooDeep((value as Partial<SignedEnvelope> | null)?.envelope?.payload))
      return { refusal: refuse('depth') };
    if (toCanonical(value) !== text) return { refusal: refuse('form') };
  } catch {
    return { refusal: refuse('form') };
  }
  const refusal = findMistake(value);
  return refusal === null ? { signed: value as SignedEnvelope } : { refusal };
}

/** Does not use the output of zod: hash and signature cover the value as it was received. */
function findMistake(value: unknown): Refusal | null {
  const version = (value as { envelope?: { schemaVersion?: unknown } } | null)?.envelope?.schemaVersion;
  if (typeof version === 'string' && version !== schemaVersion)
    return refuse('version', `Its schemaVersion is "${toShown(version)}", not ${schemaVersion}.`);
  const checked = signedEnvelopeSchema.safeParse(value);
  if (!checked.success) return refuse('shape', describeIssues(checked.error.issues));
  const { envelope, hash } = value as SignedEnvelope;
  if (hashCanonical(envelope) !== hash) return refuse('hash');
  return findPayloadMistake(envelope) ?? findOpeningMistake(envelope);
}

function findPayloadMistake(envelope: Envelope): Refusal | null {
  if (!isMessageType(envelope.type)) return null;
  const payload = payloadSchemas[envelope.type].safeParse(envelope.payload);
  if (!payload.success) return refuse('payload', describeIssues(payload.error.issues));
  const { terms, settlementDigest } = envelope.payload;
  const mistake = terms === undefined ? null : findTermsMistake(terms, settlementDigest);
  if (mistake !== null) return refuse('digest', mistake);
  return isOffer(envelope.type)
    ? findOfferMistake(envelope.payload as Payload<'TaskProposal'>, envelope.negotiationId)
    : findWorkMistake(envelope);
}

/** What nobody writes, although readers take it: fields that this version does not know, and an offer without criteria. */
export function findUnwritten({ type, payload }: Envelope): Refusal | null {
  const { error } = isMessageType(type) ? writtenPayload(type).safeParse(payload) : {};
  return error ? refuse('payload', describeIssues(error.issues)) : null;
}

/** The digest must cover every word, and the end that the chain enforces must be the one that is shown. */
function findOfferMistake(
  { terms, document, expiresAt, about }: Payload<'TaskProposal'>,
  negotiationId: string,
): Refusal | null {
  if (expiresAt !== terms.acceptBy)
    return refuse('payload', 'expiresAt: must equal terms.acceptBy, which the chain enforces');
  // Otherwise one signature about a listing would count in two conversations.
  if (about !== undefined && /^0x/.test(about) && terms.salt.toLowerCase() !== buildSalt(negotiationId))
    return refuse('digest', 'The salt of the terms is not the hash of the negotiation id.');
  const mistake = findDocumentMistake(terms, document);
  return mistake === null ? null : refuse('document', mistake);
}

/** A document of the work must be the one that the hashes beside it are of. */
function findWorkMistake({ type, payload }: Envelope): Refusal | null {
  if (type === 'DeliveryNotice') {
    const { document, proofHash, milestone } = payload as Payload<'DeliveryNotice'>;
    const isSame =
      document === undefined ||
      (hashCanonical(document) === proofHash.toLowerCase() && document.milestone === milestone);
    return isSame ? null : refuse('document', 'It is about another milestone, or proofHash is not its hash.');
  }
  if (type !== 'DisputeEvidence') return null;
  const { document, evidenceHashes } = payload as Payload<'DisputeEvidence'>;
  const isNamed =
    document === undefined || evidenceHashes.some((hash) => hash.toLowerCase() === hashCanonical(document));
  return isNamed ? null : refuse('document', 'The hash of its document is not among evidenceHashes.');
}

/** Whether messages of this type offer terms. */
export function isOffer(type: string): boolean {
  return type === 'TaskProposal' || type === 'TaskCounterOffer';
}

/** The fields of payloads that hold words, in the order in which they say most. */
const wordFields = ['text', 'rationale', 'statement', 'requestedChanges', 'reason', 'capability'];

/** What a message says in words, if it has any. */
export function findWords(payload: Envelope['payload']): string | undefined {
  return wordFields.map((field) => payload[field]).find((value) => typeof value === 'string');
}

/** Whether it only says no: the opener of the conversation is not answered by it. */
export function isDecline({ type, payload }: Envelope): boolean {
  return type === 'Note' && payload.declines !== undefined;
}

/** The writer of the first envelope and the recipient that it names. */
export type Parties = { readonly opener: Address; readonly other: Address };

export function isParty({ opener, other }: Parties, address: Address): boolean {
  return isSameAddress(opener, address) || isSameAddress(other, address);
}

/**
 * The parties of a conversation, from its first envelope alone: the sender, and the other wallet of its terms or of
 * `payload.to`. Null where it names none, which `parseWire` refuses.
 */
export function findParties({ sender, type, payload }: Envelope): Parties | null {
  const opener = parseAddress(sender.evmAddress);
  const { poster, worker } = (isOffer(type) ? payload.terms : {}) as Partial<TermsDocument>;
  const named = [poster, worker, payload.to].filter((address) => address !== undefined);
  if (!named.every((one) => addressSchema.safeParse(one).success)) return null;
  const others = named.map(parseAddress).filter((address) => !isSameAddress(address, opener));
  const [other] = others;
  if (other === undefined || !others.every((address) => isSameAddress(address, other))) return null;
  const isBetween = poster === undefined || named.length > others.length;
  return isBetween ? { opener, other } : null;
}

function findOpeningMistake(envelope: Envelope): Refusal | null {
  if (envelope.sequence !== noHead.sequence + 1) return null;
  if (envelope.previousHash !== noHead.hash) return refuse('chain');
  return findParties(envelope) === null ? refuse('recipient') : null;
}

/** Limits the text, which an unknown sender chooses. */
const mostIssues = 8;

function describeIssues(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const lines = issues.slice(0, mostIssues).map(({ path, message }) => {
    const place = path.map(String).join('.');
    return toShown(place === '' ? message : `${place}: ${message}`);
  });
  return lines.join('; ');
}

export function senderOf({ envelope }: SignedEnvelope): Address {
  return parseAddress(envelope.sender.evmAddress);
}

/** Why an envelope is not accepted into a transcript. */
export const refusalReasons = {
  size: 'It is larger than 256 KiB.',
  depth: 'Its payload is nested more than 64 levels deep.',
  form: 'It is not the one canonical JSON text (RFC 8785) of a signed envelope.',
  version: 'Its schemaVersion is not supported.',
  shape: 'A field of the envelope is missing or has another type.',
  payload: 'A required field of its payload is missing or has another type.',
  hash: 'Its hash is not that of its envelope.',
  digest: 'Its settlementDigest is not that of its terms, or the terms are inconsistent.',
  document: 'A document in its payload does not have the hash that stands for it.',
  signature: 'It is not signed by its sender.',
  acceptance: 'The signature in its payload is not a signature of its sender for this digest.',
  link: 'The identity link is not signed by that wallet.',
  time: 'Its timestamp is more than ten minutes ahead.',
  recipient:
    'A first message must name the other party, in its terms or as payload.to; terms between other wallets name none.',
  addressee: 'It opens a conversation with another wallet.',
  stranger: 'Its sender is not a party to this negotiation.',
  negotiation: 'It belongs to another negotiation.',
  duplicate: 'It is already in the transcript.',
  sequence: 'Its place in the transcript is taken by another envelope.',
  gap: 'Envelopes before it are missing.',
  chain: 'Its previousHash is not the hash of the envelope before it.',
  relay: 'The relay refused it.',
  overtaken: 'Another message took its place before it was delivered; send it again.',
} as const;

export type RefusalReason = keyof typeof refusalReasons;

export type Refusal = {
  readonly reason: RefusalReason;
  /** The exact problem, for people. */
  readonly detail: string;
};

export function refuse(reason: RefusalReason, detail: string = refusalReasons[reason]): Refusal {
  return { reason, detail };
}
