// Verifies one received envelope: its form, its signatures and its time.
import { type Hex, hashTypedData } from 'viem';
import { parseAddress } from '#domain/address.ts';
import { normaliseKeySignature, type VerifyDigest } from '#domain/verifyDigest.ts';
import type { Payload } from '#schemas/envelope.ts';
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
  | { readonly signed: SignedEnvelope }
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
  const refusal = (await findFalseSignature(signed, verify)) ?? findEarly(signed, now);
  return refusal === null ? parsed : { refusal, undecided: signed };
}

function findEarly({ envelope }: SignedEnvelope, now: Date): Refusal | null {
  return Date.parse(envelope.timestamp) > now.getTime() + maxAheadMs ? refuse('time') : null;
}

/** Null when every signature is valid. Throws when `verify` throws. */
async function findFalseSignature(signed: SignedEnvelope, verify: VerifyDigest): Promise<Refusal | null> {
  const { envelope, signature } = signed;
  const sender = senderOf(signed);
  if (!(await verify(sender, hashSigned(signed), signature))) return refuse('signature');
  if (envelope.type === 'TaskAcceptance') {
    // The signature covers the EIP-712 digest of the terms, so the terms themselves are not needed here.
    const { settlementDigest, signature: consent } = envelope.payload as Payload<'TaskAcceptance'>;
    // In any spelling: it is brought into the form of the contracts where it is judged and sent.
    const isSigned = (signature: Hex) => verify(sender, settlementDigest as Hex, signature);
    const normal = normaliseKeySignature(consent as Hex);
    if (!(await isSigned(normal)) && (normal === consent || !(await isSigned(consent as Hex))))
      return refuse('acceptance');
  }
  if (envelope.type === 'IdentityLink') {
    const link = envelope.payload as Payload<'IdentityLink'>;
    const digest = hashTypedData(buildLinkTypedData(link));
    if (!(await verify(parseAddress(link.evmAddress), digest, link.signature as Hex))) return refuse('link');
  }
  return null;
}

/** What a wallet signs to confirm that an XMTP key is its own. */
export function buildLinkTypedData(link: Omit<Payload<'IdentityLink'>, 'signature'>) {
  return {
    domain: signingDomain,
    types: {
      IdentityLink: [
        { name: 'xmtpPublicKey', type: 'string' },
        { name: 'evmAddress', type: 'address' },
        { name: 'issuedAt', type: 'uint256' },
      ],
    },
    primaryType: 'IdentityLink',
    message: {
      xmtpPublicKey: String(link.xmtpPublicKey),
      evmAddress: parseAddress(link.evmAddress),
      issuedAt: BigInt(link.issuedAt as number),
    },
  } as const;
}
