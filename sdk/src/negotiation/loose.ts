// Signatures under terms that are no longer, or not yet, what is on the table: the chain takes them all the same.
import type { Hex } from 'viem';
import { type Address, addressKey } from '#domain/address.ts';
import type { Payload } from '#schemas/envelope.ts';
import { type SignedEnvelope, senderOf } from './envelope.ts';
import { isOffer, isParty } from './parties.ts';
import type { Transcript } from './transcript.ts';

/** What a party's `TaskAcceptance` says. */
export type Acceptance = {
  readonly by: Address;
  readonly sequence: number;
  readonly settlementDigest: Hex;
  readonly signature: Hex;
};

export type LooseSignature = Acceptance & {
  /** Until when the chain takes it, Unix seconds; null where the terms behind the digest were never seen. */
  readonly acceptBy: number | null;
};

type Standing = {
  /** Those that count for the last offer. */
  readonly acceptances: readonly Acceptance[];
  readonly agreement: { readonly settlementDigest: Hex } | null;
};

/**
 * One for each wallet and digest. What lost its place in the transcript, or waits for it, was signed as well as what is in
 * it: no rule about messages takes a signature back.
 */
export function listLoose(transcript: Transcript, { acceptances, agreement }: Standing): LooseSignature[] {
  const refused = transcript.refused.map(({ signed }) => signed);
  const all = [...transcript.entries, ...refused, ...transcript.waiting];
  const ends = readEnds(all);
  const known = new Set(acceptances.map(keyOf));
  const loose = new Map<string, LooseSignature>();
  for (const signed of all) {
    if (signed.envelope.type !== 'TaskAcceptance' || !isParty(transcript.parties, senderOf(signed))) continue;
    const acceptance = readAcceptance(signed);
    const { settlementDigest } = acceptance;
    const key = keyOf(acceptance);
    if (known.has(key) || loose.has(key) || settlementDigest === agreement?.settlementDigest) continue;
    loose.set(key, { ...acceptance, acceptBy: ends.get(settlementDigest) ?? null });
  }
  return [...loose.values()];
}

/** By digest, of all terms that anybody has put forward: in these kinds they have been checked against it. */
function readEnds(all: readonly SignedEnvelope[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { envelope } of all) {
    if (!isOffer(envelope.type) && envelope.type !== 'TaskAcceptance') continue;
    const { settlementDigest, terms } = envelope.payload as Payload<'TaskAcceptance'>;
    if (terms !== undefined) ends.set(settlementDigest.toLowerCase(), terms.acceptBy);
  }
  return ends;
}

export function readAcceptance(signed: SignedEnvelope): Acceptance {
  const { settlementDigest, signature } = signed.envelope.payload as Payload<'TaskAcceptance'>;
  return {
    by: senderOf(signed),
    sequence: signed.envelope.sequence,
    settlementDigest: settlementDigest.toLowerCase() as Hex,
    signature: signature as Hex,
  };
}

function keyOf({ by, settlementDigest }: Acceptance): string {
  return `${addressKey(by)} ${settlementDigest}`;
}
