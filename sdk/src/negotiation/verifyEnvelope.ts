// Verifies one received envelope: its form, its signatures and its time.
import { hashTypedData } from 'viem';
import { parseAddress } from '../domain/address.ts';
import { buildTypedData } from '../domain/typedData.ts';
import { normaliseKeySignature, type VerifyDigest } from '../domain/verifyDigest.ts';
import type { Payload } from '../schemas/envelope.ts';
import {
  hashSigned,
  parseWire,
  type Refusal,
  refuse,
  type SignedEnvelope,
  senderOf,
  signingDomain,
} from './envelope.ts';

export type Arrival =
  /** `unusable`: a signature inside its payload fails. It keeps its place, and has no effect while it fails. */
  | { readonly signed: SignedEnvelope; readonly unusable?: Refusal }
  | { readonly refusal: Refusal }
  /** Refused for a reason that may change: a wrong clock, or a smart wallet that is not deployed yet. */
  | Undecided;

export type Undecided = { readonly refusal: Refusal; readonly undecided: SignedEnvelope };

/** The tolerated difference between clocks. */
const maxAheadMs = 10 * 60 * 1_000;

/** The transcript decides whether the envelope also fits into its negotiation. */
export async function checkArrival(text: string, now: Date, verify: VerifyDigest): Promise<Arrival> {
  const parsed = parseWire(text);
  if ('refusal' in parsed) return parsed;
  const { signed } = parsed;
  // The signature comes first, so that the sender of an envelope that is refused for its time is known.
  const isSigned = await verify(senderOf(signed), hashSigned(signed), signed.signature);
  if (!isSigned) return { refusal: refuse('signature'), undecided: signed };
  const isEarly = Date.parse(signed.envelope.timestamp) > now.getTime() + maxAheadMs;
  if (isEarly) return { refusal: refuse('time'), undecided: signed };
  const unusable = await findFalseConsent(signed, verify);
  return unusable === null ? parsed : { signed, unusable };
}

/**
 * A signature inside a payload: whose it must be, and of what. Null for types whose payload holds no signature, or one that only
 * the state of the chain can judge.
 */
export function findConsent({ envelope }: SignedEnvelope) {
  if (envelope.type === 'TaskAcceptance') {
    // The signature covers the EIP-712 digest of the terms, so the terms themselves are not needed here.
    const { settlementDigest, signature } = envelope.payload as Payload<'TaskAcceptance'>;
    return {
      signer: parseAddress(envelope.sender.evmAddress),
      digest: settlementDigest,
      signature,
      reason: 'acceptance' as const,
    };
  }
  if (envelope.type !== 'IdentityLink') return null;
  const link = envelope.payload as Payload<'IdentityLink'>;
  return {
    signer: parseAddress(link.evmAddress),
    digest: hashTypedData(buildLinkTypedData(link)),
    signature: link.signature,
    reason: 'link' as const,
  };
}

/** Null where the payload holds no signature that fails. Throws when `verify` throws. */
export async function findFalseConsent(
  signed: SignedEnvelope,
  verify: VerifyDigest,
): Promise<Refusal | null> {
  const consent = findConsent(signed);
  if (consent === null) return null;
  const { signer, digest, signature, reason } = consent;
  // In any spelling: an acceptance is brought into the form of the contracts where it is judged and sent.
  const normal = normaliseKeySignature(signature);
  if (await verify(signer, digest, normal)) return null;
  return normal !== signature && (await verify(signer, digest, signature)) ? null : refuse(reason);
}

/** What a wallet signs to confirm that an XMTP key is its own. */
export function buildLinkTypedData(link: Omit<Payload<'IdentityLink'>, 'signature'>) {
  const fields = { xmtpPublicKey: 'string', evmAddress: 'address', issuedAt: 'uint256' };
  return buildTypedData(signingDomain, 'IdentityLink', fields, {
    xmtpPublicKey: String(link.xmtpPublicKey),
    evmAddress: parseAddress(link.evmAddress),
    issuedAt: BigInt(link.issuedAt as number),
  });
}
