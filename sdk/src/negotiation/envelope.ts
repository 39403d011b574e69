// Envelopes: building one on top of another, signing it, and reading one that somebody else has written.
import { type Hex, hashTypedData } from 'viem';
import { type Address, parseAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';
import {
  type Envelope,
  isMessageType,
  payloadSchemas,
  schemaVersion,
  signedEnvelopeSchema,
} from '#schemas/envelope.ts';
import { hashCanonical, toCanonical } from './canonical.ts';
import { isTooDeep } from './depth.ts';
import { type Refusal, refuse } from './refusal.ts';
import { findTermsMistake } from './terms.ts';

export type SignedEnvelope = { readonly envelope: Envelope; readonly hash: Hex; readonly signature: Hex };
export type Sender = Envelope['sender'];
/** The end of a transcript, on which the next envelope stands. */
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

/** Throws ENVELOPE_INVALID when the result would be refused by its reader. */
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
  const refusal = findMistake({ envelope, hash: hashOrNothing(envelope), signature: '0x00' });
  if (refusal !== null) throw invalid(refusal);
  return envelope;
}

/** The hash of an envelope that has no canonical form is none; the check that follows says so. */
function hashOrNothing(envelope: Envelope): Hex {
  try {
    return hashCanonical(envelope);
  } catch (error) {
    throw invalid(refuse('form', (error as Error).message));
  }
}

function invalid({ reason, detail }: Refusal): SvcError {
  return new SvcError('ENVELOPE_INVALID', { reason: detail, refusal: reason });
}

/** What the sender signs. It names no chain: the message is about none, the terms inside it are. */
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
  return { envelope, hash, signature: lower(await sign(buildEnvelopeTypedData(envelope, hash))) };
}

/** The one spelling in which a signed envelope travels. Throws ENVELOPE_INVALID when nobody would take it. */
export function formatWire(signed: SignedEnvelope): string {
  const text = toCanonical(signed);
  const parsed = parseWire(text);
  if ('refusal' in parsed) throw invalid(parsed.refusal);
  return text;
}

/**
 * Reads what came over a wire, from anybody. Checks all that one envelope shows by itself, except who signed it.
 */
export function parseWire(text: string): { readonly signed: SignedEnvelope } | { readonly refusal: Refusal } {
  if (byteLength(text) > maxWireBytes) return { refusal: refuse('size') };
  let value: unknown;
  try {
    value = JSON.parse(text);
    // Before anything that walks it.
    if (isTooDeep((value as Partial<SignedEnvelope> | null)?.envelope?.payload))
      return { refusal: refuse('depth') };
    if (toCanonical(value) !== text) return { refusal: refuse('form') };
  } catch {
    return { refusal: refuse('form') };
  }
  const refusal = findMistake(value);
  return refusal === null ? { signed: value as SignedEnvelope } : { refusal };
}

/** Answers nothing of what zod makes of the value: hash and signature are about the value as it came. */
function findMistake(value: unknown): Refusal | null {
  const version = (value as { envelope?: { schemaVersion?: unknown } } | null)?.envelope?.schemaVersion;
  if (typeof version === 'string' && version !== schemaVersion)
    return refuse('version', `It speaks "${toShown(version)}", not ${schemaVersion}.`);
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

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex;
}
