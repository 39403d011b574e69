// The check of a transcript that somebody hands over: every envelope, in the order given, with nothing left out.
import type { Hex } from 'viem';
import type { VerifyDigest } from '#domain/verifyDigest.ts';
import { checkArrival } from './arrival.ts';
import type { SignedEnvelope } from './envelope.ts';
import { findParties, type Parties } from './parties.ts';
import { type Refusal, refuse } from './refusal.ts';
import { findPlaceMistake, headOf } from './transcript.ts';

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
  const entries: SignedEnvelope[] = [];
  const findings: Finding[] = [];
  let expected: Parties | undefined = parties;
  let taskId: string | undefined;
  const findPlace = (signed: SignedEnvelope) => {
    const { negotiationId } = (good[0] as SignedEnvelope).envelope;
    expected ??= findParties(good);
    return findPlaceMistake({ negotiationId, parties: expected, entries, taskId }, signed);
  };
  for (const [index, arrival] of arrivals.entries()) {
    const refusal = 'refusal' in arrival ? arrival.refusal : findPlace(arrival.signed);
    if (refusal !== null) findings.push({ index, refusal });
    else if ('signed' in arrival) {
      entries.push(arrival.signed);
      taskId ??= arrival.signed.envelope.taskId;
    }
  }
  if (head !== undefined && headOf({ entries }).hash !== head.toLowerCase())
    findings.push({
      index: texts.length,
      refusal: refuse('gap', 'It does not end with the envelope expected.'),
    });
  return { entries, findings };
}
