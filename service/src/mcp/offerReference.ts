// An offer named by its conversation and its digest, in place of its terms, words and signatures. Any other offer is refused: a
// counter-offer may have come since the caller read it.
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { readNegotiation } from '@svc/sdk/negotiation';
import { addressArgument, type ToolContext } from './tool.ts';
import { findTranscript, pickRequest, type ToolMailbox } from './toolMail.ts';

/** Replaces the reference to an offer by its terms and the signature of the other party. */
export async function takeOffer(action: string, args: Record<string, unknown>, { mail }: ToolContext) {
  const { root, settlementDigest, ...rest } = args;
  if (action !== 'create-task' || root === undefined) return { arguments: args };
  const from = addressArgument.parse(rest.from);
  const opened = await mail.open(from, { root: String(root) });
  if ('mailbox' in opened)
    return { arguments: { ...rest, ...findAgreed(opened.mailbox, from, String(root), settlementDigest) } };
  const warnings = ['Let the owner approve the session, then call again with the same arguments.'];
  return { request: { action, ...pickRequest(opened.request), warnings } };
}

/** The arguments of create-task for this offer. Throws TOOL_FAILED. */
function findAgreed(
  mailbox: ToolMailbox,
  from: Address,
  root: string,
  settlementDigest: unknown,
): Record<string, unknown> {
  const { offer, acceptances } = readNegotiation(findTranscript(mailbox, root));
  if (offer === null) throw failed('this conversation has no offer.');
  if (offer.settlementDigest !== String(settlementDigest).toLowerCase())
    throw failed(
      'the last offer has another settlementDigest: read it with svc_inbox before you create the task.',
    );
  const { terms, document } = offer;
  const isPoster = isSameAddress(terms.poster, from);
  const signature = acceptances.find(({ by }) => !isSameAddress(by, from))?.signature;
  if (signature === undefined) throw failed('the other party has not signed this offer.');
  return {
    terms: { terms, document, settlementDigest: offer.settlementDigest },
    [isPoster ? 'workerSignature' : 'posterSignature']: signature,
  };
}

function failed(reason: string): SvcError {
  return new SvcError('TOOL_FAILED', { tool: 'svc_prepare', reason });
}
