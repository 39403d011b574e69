// What a wallet has signed: no more proposals than it has bonds, and none that a message alone takes back.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import {
  countFreeBonds,
  listLiveSignatures,
  readNegotiation,
  requireFreeBond,
  type Transcript,
} from '@svc/sdk/negotiation';
import type { TermsDocument } from '@svc/sdk/schemas';
import { listOwnTasks } from './showConversation.ts';
import type { ToolContext } from './tool.ts';
import type { ToolMailbox } from './toolMail.ts';

/** A worker signs no more proposals than it has bonds: the posters may use all of them. */
export async function checkBonds(
  context: ToolContext,
  { transcripts }: ToolMailbox,
  from: Address,
  { market, worker }: TermsDocument,
  settlementDigest: string,
): Promise<void> {
  if (!isSameAddress(worker as Address, from)) return;
  const { reads } = await context.connectPrepare();
  const tasks = await listOwnTasks(context.market, from);
  const ended = new Set(tasks.map((task) => task.settlementDigest?.toLowerCase() ?? ''));
  const now = new Date((await context.now()) * 1_000);
  const signed = listLiveSignatures(transcripts, from, now, ended.add(settlementDigest.toLowerCase()));
  const revoked = await Promise.all(
    signed.map((one) => reads.readRevoked(market, from, one.settlementDigest)),
  );
  const [{ deposit }, figures] = await Promise.all([
    reads.readWallet(market, from),
    reads.readFigures(market),
  ]);
  requireFreeBond(revoked.filter((is) => !is).length, countFreeBonds(deposit, figures));
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
