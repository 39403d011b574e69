// The check of a transcript that somebody hands over: every envelope, in the order given, with nothing left out.
import type { Hex } from 'viem';
import type { Address } from '#domain/address.ts';
import { isSameAddress } from '#domain/address.ts';
import type { TermsDocument } from '#schemas/terms.ts';
import { checkArrival } from './arrival.ts';
import { type SignedEnvelope, senderOf } from './envelope.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { VerifyDigest } from './signature.ts';
import { findPlaceMistake, headOf, isOffer, type Parties } from './transcript.ts';

/** `index` is that of the text; one past the last means that the end is missing. */
export type Finding = { readonly index: number; readonly refusal: Refusal };

export type VerifiedTranscript = {
  readonly entries: readonly SignedEnvelope[];
  readonly findings: readonly Finding[];
};

export type TranscriptExpectations = {
  readonly now: Date;
  readonly verify: VerifyDigest;
  /** Hash of the last envelope. Without it nobody can tell that the end was cut off. */
  readonly head?: Hex;
  readonly parties?: Parties;
};

/** No findings mean: these envelopes, in this order, each by the party that it names. */
export async function verifyTranscript(
  texts: readonly string[],
  { now, verify, head, parties }: TranscriptExpectations,
): Promise<VerifiedTranscript> {
  const arrivals = await Promise.all(texts.map((text) => checkArrival(text, now, verify)));
  const good = arrivals.flatMap((arrival) => ('signed' in arrival ? [arrival.signed] : []));
  const negotiationId = good[0]?.envelope.negotiationId ?? '';
  const between = parties ?? findParties(good);
  const entries: SignedEnvelope[] = [];
  const findings: Finding[] = [];
  for (const [index, arrival] of arrivals.entries()) {
    const refusal =
      'refusal' in arrival
        ? arrival.refusal
        : findPlaceMistake({ negotiationId, parties: between, entries }, arrival.signed);
    if (refusal !== null) findings.push({ index, refusal });
    else if ('signed' in arrival) entries.push(arrival.signed);
  }
  if (head !== undefined && headOf({ entries }).hash !== head.toLowerCase())
    findings.push({
      index: texts.length,
      refusal: refuse('gap', 'It does not end with the envelope expected.'),
    });
  return { entries, findings };
}

/** The opener, and whom the first offer names beside it; without an offer, whoever answers first. */
function findParties(entries: readonly SignedEnvelope[]): Parties {
  const first = entries.find(({ envelope }) => envelope.sequence === 1) ?? entries[0];
  const nobody: Address = '0x0000000000000000000000000000000000000000';
  if (first === undefined) return { opener: nobody, other: nobody };
  const opener = senderOf(first);
  const offer = entries.find(({ envelope }) => isOffer(envelope.type));
  const { poster, worker } = (offer?.envelope.payload.terms ?? {}) as Partial<TermsDocument>;
  const candidates = [poster as Address, worker as Address, ...entries.map(senderOf)];
  const other = candidates.find((address) => address !== undefined && !isSameAddress(address, opener));
  return { opener, other: other ?? opener };
}
