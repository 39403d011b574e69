// Proposals and what a wallet has signed: for live listings, no more than it has bonds, and none that a message alone takes back.
import { createListingClient } from '@svc/sdk/client';
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { countLiveSignatures } from '@svc/sdk/internal/negotiation/proposals';
import {
  countFreeBonds,
  listLiveSignatures,
  readNegotiation,
  requireFreeBond,
  type TermsDocument,
  type Transcript,
} from '@svc/sdk/negotiation';
import type { ToolContext } from './tool.ts';
import type { ToolMailbox } from './toolMail.ts';

/** A worker signs no more proposals than it has bonds: the posters may use all of them. */
export async function checkBonds(
  context: ToolContext,
  mailbox: Pick<ToolMailbox, 'find'>,
  from: Address,
  { market, worker }: TermsDocument,
  settlementDigest: string,
): Promise<void> {
  if (!isSameAddress(worker, from)) return;
  const { reads } = await context.connectPrepare();
  // Also those of conversations that nothing else has read.
  const { transcripts, taskOf } = await mailbox.find({ isOffered: true });
  const now = new Date((await context.now()) * 1_000);
  const signed = listLiveSignatures(transcripts, from, now, new Set([settlementDigest.toLowerCase()]));
  const counting = countLiveSignatures(signed, {
    taskOf,
    readDigest: async (id) => (await context.market.task(id)).task.settlementDigest,
    isRevoked: (digest) => reads.readRevoked(market, from, digest),
  });
  const [live, { deposit }, figures] = await Promise.all([
    counting,
    reads.readWallet(market, from),
    reads.readFigures(market),
  ]);
  try {
    requireFreeBond(live, countFreeBonds(deposit, figures));
  } catch (error) {
    const fix = { tool: 'svc_onboarding_checklist', arguments: { address: from, market } };
    if (!isErrorOf(error, 'NOT_READY_TO_ACT')) throw error;
    throw new SvcError('NOT_READY_TO_ACT', { reason: String(error.details.reason), fix }, error);
  }
}

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
