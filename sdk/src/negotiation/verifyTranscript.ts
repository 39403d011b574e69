// Verifies a transcript that somebody presents: each envelope, their order, and that the end is not missing.
import type { Hex } from 'viem';
import type { VerifyDigest } from '../domain/verifyDigest.ts';
import { isParty, type Parties, type Refusal, refuse, type SignedEnvelope } from './envelope.ts';
import { findPlaceMistake, headOf, openConversation } from './transcript.ts';
import { checkArrival } from './verifyEnvelope.ts';

/** `index` is that of the text; one past the last means that the end is missing. */
export type Finding = { readonly index: number; readonly refusal: Refusal };

export type VerifiedTranscript = {
  readonly entries: readonly SignedEnvelope[];
  readonly findings: readonly Finding[];
};

export type TranscriptExpectations = {
  readonly now: Date;
  readonly verify: VerifyDigest;
  /** Hash of the last envelope, from another source than the transcript: without it, a missing end cannot be detected. */
  readonly head: Hex;
  readonly parties?: Parties;
};

/** Without findings, these are the envelopes of the conversation, in order and each signed by the party it names. */
export async function verifyTranscript(
  texts: readonly string[],
  { now, verify, head, parties }: TranscriptExpectations,
): Promise<VerifiedTranscript> {
  const arrivals = await Promise.all(texts.map((text) => checkArrival(text, now, verify)));
  const entries: SignedEnvelope[] = [];
  const findings: Finding[] = [];
  const findPlace = (signed: SignedEnvelope): Refusal | null => {
    if (entries.some(({ hash }) => hash === signed.hash)) return refuse('duplicate');
    const first = entries[0] ?? signed;
    if (first.envelope.sequence !== 1) return refuse('gap');
    const conversation = openConversation(first);
    const { opener, other } = conversation.parties;
    if (parties !== undefined && !(isParty(parties, opener) && isParty(parties, other)))
      return refuse('stranger');
    return findPlaceMistake({ ...conversation, head: headOf({ entries }) }, signed);
  };
  for (const [index, arrival] of arrivals.entries()) {
    const refusal = 'refusal' in arrival ? arrival.refusal : findPlace(arrival.signed);
    if (refusal !== null) findings.push({ index, refusal });
    else if ('signed' in arrival) {
      entries.push(arrival.signed);
      // It keeps its place: what follows it is judged as if it were right.
      if (arrival.unusable !== undefined) findings.push({ index, refusal: arrival.unusable });
    }
  }
  if (headOf({ entries }).hash !== head?.toLowerCase())
    findings.push({
      index: texts.length,
      refusal: refuse('gap', 'It does not end with the expected envelope.'),
    });
  return { entries, findings };
}
