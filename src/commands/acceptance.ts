// The payload of an acceptance: a wallet's signature under the terms that lie on the table.
import type { PrivateKeyAccount } from 'viem/accounts';
import { buildTermsTypedData } from '#domain/terms.ts';
import { readNegotiation } from '#negotiation/negotiation.ts';
import { findAcceptable } from '#negotiation/next.ts';
import { toContractTerms } from '#negotiation/terms.ts';
import type { Transcript } from '#negotiation/transcript.ts';

/** Throws NEGOTIATION_CLOSED where there is a veto, or nothing to accept. */
export async function buildAcceptance(transcript: Transcript, account: PrivateKeyAccount) {
  const offer = findAcceptable(readNegotiation(transcript), account.address, new Date());
  const { terms, place } = toContractTerms(offer.terms);
  const signature = await account.signTypedData(buildTermsTypedData(terms, place));
  return { settlementDigest: offer.settlementDigest, signature };
}
