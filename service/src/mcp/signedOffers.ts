// Proposals and what a wallet has signed: for live listings, and none that a message alone takes back.
import { createListingClient } from '@svc/sdk/client';
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { readNegotiation, type Transcript } from '@svc/sdk/negotiation';
import type { ToolContext } from './tool.ts';

/** A message alone does not stop the other party from using a signature. */
export async function checkWithdrawal(
  context: ToolContext,
  transcript: Transcript,
  from: Address,
  withdraws: unknown,
  failed: (reason: string) => Error,
): Promise<void> {
  const { offer, acceptances } = readNegotiation(transcript);
  if (offer === null || String(withdraws).toLowerCase() !== offer.hash) return;
  const { terms, settlementDigest } = offer;
  const isSigned = acceptances.some(({ by }) => isSameAddress(by, from));
  if (!isSigned || terms.acceptBy <= (await context.now())) return;
  const { reads } = await context.connectPrepare();
  if (await reads.readRevoked(terms.market, from, settlementDigest)) return;
  throw failed(
    `you have signed this offer. First take the signature back on chain: svc_prepare revoke-terms with market ${terms.market} and settlementDigest ${settlementDigest}; then send this again.`,
  );
}

/** The live listing that a proposal names in `about`; throws where it has ended, or is of another wallet. */
export async function readListing(
  { files }: ToolContext,
  about: unknown,
  poster: Address,
  failed: (reason: string) => Error,
) {
  if (typeof about !== 'string' || !about.startsWith('0x')) return undefined;
  const listing = await createListingClient({ baseUrl: files.gatewayUrl }).get(about);
  if (listing.state !== 'live')
    throw failed(`the listing is ${listing.state}: svc_listings shows those that take proposals.`);
  if (!isSameAddress(listing.poster, poster)) throw failed(`to must be its poster, ${listing.poster}.`);
  return listing;
}
