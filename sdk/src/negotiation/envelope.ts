// Envelopes: building, hashing, signing and parsing them, and the reasons to refuse one.
import { type Hex, hashTypedData } from 'viem';
import { type Address, parseAddress } from '#domain/address.ts';
import { hashCanonical, isTooDeep, toCanonical } from '#domain/canonical.ts';
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';
import {
  type Envelope,
  isMessageType,
  payloadSchemas,
  schemaVersion,
  signedEnvelopeSchema,
} from '#schemas/envelope.ts';
import { findTermsMistake } from './terms.ts';

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
export const noHead: Head = { sequence: 0, hash: `0x${'0'.repeat(64)}` };

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
  const refusal = findMistake({ envelope, hash: hashOrThrow(envelope), signature: '0x00' });
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
  return {
    domain: signingDomain,
    types: {
      NegotiationEnvelope: [
        { name: 'hash', type: 'bytes32' },
        { name: 'negotiationId', type: 'string' },
        { name: 'sequence', type: 'uint256' },
      ],
    },
    primaryType: 'NegotiationEnvelope',
    message: { hash, negotiationId, sequence: BigInt(sequence) },
  } as const;
}

export const signingDomain = { name: 'svc negotiation', version: '1' } as const;

export type EnvelopeTypedData = ReturnType<typeof buildEnvelopeTypedData>;

export function hashSigned({ envelope, hash }: SignedEnvelope): Hex {
  return hashTypedData(buildEnvelopeTypedData(envelope, hash));
}

export async function signEnvelope(
  envelope: Envelope,
  sign: (typedData: EnvelopeTypedData) => Promise<Hex>,
): Promise<SignedEnvelope> {
  const hash = hashCanonical(envelope);
  const signature = await sign(buildEnvelopeTypedData(envelope, hash));
  return { envelope, hash, signature: signature.toLowerCase() as Hex };
}

/** The canonical text that is sent. Throws ENVELOPE_INVALID when a recipient would refuse it. */
export function formatWire(signed: SignedEnvelope): string {
  const text = toCanonical(signed);
  const parsed = parseWire(text);
  if ('refusal' in parsed) throw invalid(parsed.refusal);
  return text;
}

/** Parses text from an unknown sender. Checks everything that one envelope shows, except its signature. */
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
  if (!checked.success) return refuse('shape', describeIssue(checked.error.issues[0]));
  const { envelope, hash } = value as SignedEnvelope;
  if (hashCanonical(envelope) !== hash) return refuse('hash');
  if (!isMessageType(envelope.type)) return null;
  const payload = payloadSchemas[envelope.type].safeParse(envelope.payload);
  if (!payload.success) return refuse('payload', describeIssue(payload.error.issues[0]));
  const { terms, settlementDigest } = envelope.payload;
  const mistake = terms === undefined ? null : findTermsMistake(terms, settlementDigest);
  return mistake === null ? null : refuse('digest', mistake);
}

function describeIssue(issue: { path: PropertyKey[]; message: string } | undefined): string {
  const path = issue?.path.map(String).join('.') ?? '';
  return toShown(path === '' ? (issue?.message ?? '') : `${path}: ${issue?.message}`);
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
  signature: 'It is not signed by its sender.',
  acceptance: 'The signature in its payload is not a signature of its sender for this digest.',
  link: 'The identity link is not signed by that wallet.',
  time: 'Its timestamp is more than ten minutes ahead.',
  stranger: 'Its sender is not a party to this negotiation.',
  negotiation: 'It belongs to another negotiation.',
  duplicate: 'It is already in the transcript.',
  sequence: 'Its place in the transcript is taken by another envelope.',
  gap: 'Envelopes before it are missing.',
  chain: 'Its previousHash is not the hash of the envelope before it.',
  overtaken: 'The other party wrote at the same time and takes precedence; send it again.',
  task: 'It does not name the task of this negotiation.',
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
