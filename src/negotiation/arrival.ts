// The check of an envelope that arrives, by itself: what it is, who signed it, and whether its time has come.
import { parseWire, type SignedEnvelope } from './envelope.ts';
import { type Refusal, refuse } from './refusal.ts';
import { findFalseSignature, type VerifyDigest } from './signature.ts';

export type Arrival = { readonly signed: SignedEnvelope } | { readonly refusal: Refusal };

/** Clocks differ; more than this is no difference of clocks. */
const maxAheadMs = 10 * 60 * 1_000;

/** Whether it also fits into its negotiation is for the transcript to say. */
export async function checkArrival(text: string, now: Date, verify: VerifyDigest): Promise<Arrival> {
  const parsed = parseWire(text);
  if ('refusal' in parsed) return parsed;
  if (Date.parse(parsed.signed.envelope.timestamp) > now.getTime() + maxAheadMs)
    return { refusal: refuse('time') };
  const refusal = await findFalseSignature(parsed.signed, verify);
  return refusal === null ? parsed : { refusal };
}
