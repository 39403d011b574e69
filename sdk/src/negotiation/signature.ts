// Who signed: the envelope by its sender, and the signatures that some payloads bring along.
import { type Hex, hashTypedData } from 'viem';
import { parseAddress } from '#domain/address.ts';
import type { VerifyDigest } from '#domain/verifyDigest.ts';
import type { Payload } from '#schemas/envelope.ts';
import { hashSigned, type SignedEnvelope, senderOf, signingDomain } from './envelope.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Null where every signature is what it claims to be. A verify that throws could not tell, and neither can we. */
export async function findFalseSignature(
  signed: SignedEnvelope,
  verify: VerifyDigest,
): Promise<Refusal | null> {
  const { envelope, signature } = signed;
  const sender = senderOf(signed);
  if (!(await verify(sender, hashSigned(signed), signature))) return refuse('signature');
  if (envelope.type === 'TaskAcceptance') {
    // The terms' EIP-712 digest is what is signed, so the terms themselves need not be known here.
    const { settlementDigest, signature: consent } = envelope.payload as Payload<'TaskAcceptance'>;
    if (!(await verify(sender, settlementDigest as Hex, consent as Hex))) return refuse('acceptance');
  }
  if (envelope.type === 'IdentityLink') {
    const link = envelope.payload as Payload<'IdentityLink'>;
    const digest = hashTypedData(buildLinkTypedData(link));
    if (!(await verify(parseAddress(link.evmAddress), digest, link.signature as Hex))) return refuse('link');
  }
  return null;
}

/** What a wallet signs to say that an XMTP key is its own. */
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
