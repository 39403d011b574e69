// The check of an envelope that arrives, by itself: what it is, who signed it, and whether its time has come.

import type { VerifyDigest } from '#domain/verifyDigest.ts';
import { parseWire, type SignedEnvelope } from './envelope.ts';
import { type Refusal, refuse } from './refusal.ts';
import { findFalseSignature } from './signature.ts';

export type Arrival =
  | { readonly signed: SignedEnvelope }
  | { readonly refusal: Refusal }
  /** Refused for a reason that may pass: a clock is set right, a chain shows a wallet that is a contract. */
  | Undecided;

export type Undecided = { readonly refusal: Refusal; readonly undecided: SignedEnvelope };

/** Clocks differ; more than this is no difference of clocks. */
const maxAheadMs = 10 * 60 * 1_000;

/** Whether it also fits into its negotiation is for the transcript to say. */
export async function checkArrival(text: string, now: Date, verify: VerifyDigest): Promise<Arrival> {
  const parsed = parseWire(text);
  if ('refusal' in parsed) return parsed;
  const { signed } = parsed;
  // Who signed comes first: of what is refused for its time alone, the sender is known.
  const refusal = (await findFalseSignature(signed, verify)) ?? findEarly(signed, now);
  return refusal === null ? parsed : { refusal, undecided: signed };
}

function findEarly({ envelope }: SignedEnvelope, now: Date): Refusal | null {
  return Date.parse(envelope.timestamp) > now.getTime() + maxAheadMs ? refuse('time') : null;
}
