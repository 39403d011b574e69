// Arguments that only name what they mean, in place of hashes, keys and signatures that a model would have to copy: files by their
// names, and an offer by its conversation and its digest.

import type { Artifact } from '@svc/sdk/documents';
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { toShown } from '@svc/sdk/internal/domain/text';
import { readNegotiation } from '@svc/sdk/negotiation';
import { OperatorError } from '../errors/operatorError.ts';
import { checkArguments } from './mistakes.ts';
import { readJsonText } from './publishedSchema.ts';
import { addressArgument, type ToolContext } from './tool.ts';
import { findTranscript, pickRequest, type ToolMailbox } from './toolMail.ts';

/** The arguments of an action, with what they only name. Checked, unless the owner has to sign in before the offer is read. */
export async function takeNamed(action: string, args: Record<string, unknown>, context: ToolContext) {
  const found = await takeOffer(action, await takeFiles(args, context), context);
  if (!('request' in found)) await checkArguments(action, found.arguments, context.connectPrepare);
  return found;
}

/** The only file with this name, or with this hash. Two files may have one name, so that alone never decides between them. */
export function pickNamed(files: readonly Artifact[], given: string, unknown: string): Artifact {
  const isMeant = ({ name, sha256, sealed }: Artifact) => [name, sha256, sealed?.sha256].includes(given);
  const [found, ...others] = new Map(files.filter(isMeant).map((one) => [one.sha256, one])).values();
  if (found === undefined) throw refuse(unknown);
  if (others.length > 0) throw refuse('Several files have this name: give sha256 of one.');
  return found;
}

function refuse(reason: string): SvcError {
  return new SvcError('USAGE', { reason });
}

type Place = { readonly from?: unknown; readonly taskId?: unknown };

/**
 * Files in place of their names: those that the wallet itself has uploaded for the task, or for none where there is no task yet.
 * What others call a file has no say in it. Artifacts as such stay as they are.
 */
export async function findUploaded(
  given: readonly unknown[],
  { from, taskId }: Place,
  { papers, readOwnAddress }: Pick<ToolContext, 'papers' | 'readOwnAddress'>,
): Promise<readonly unknown[]> {
  const named = given.map((one) => (String(one).startsWith('{') ? readJsonText(one) : one));
  if (!named.some((one) => typeof one === 'string')) return named;
  const wallet = addressArgument.safeParse(from ?? (await readOwnAddress())).data;
  const task = typeof taskId === 'string' ? taskId : undefined;
  const files = wallet === undefined ? [] : papers.loadFiles({ wallet, taskId: task });
  const where = task === undefined ? 'without taskId' : `for ${task}`;
  const refusal = (name: string) =>
    `This wallet has uploaded no ${toShown(name)} ${where}: svc_attach_file does it.`;
  return named.map((one) => (typeof one === 'string' ? pickNamed(files, one, refusal(one)) : one));
}

/** The arguments of an action, with its files in place of their names. */
export async function takeFiles(
  args: Record<string, unknown>,
  context: Parameters<typeof findUploaded>[2],
): Promise<Record<string, unknown>> {
  const { artifacts } = args;
  if (!Array.isArray(artifacts)) return args;
  return { ...args, artifacts: await findUploaded(artifacts, args, context) };
}

/**
 * Replaces the reference to an offer by its terms and the signature of the other party. Any other offer than the one that the
 * caller has read is refused: a counter-offer may have come since.
 */
async function takeOffer(action: string, args: Record<string, unknown>, { mail }: ToolContext) {
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
  if (settlementDigest === undefined)
    throw failed('root takes settlementDigest, that of the offer that you have read (svc_inbox).');
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

function failed(reason: string): OperatorError {
  return new OperatorError('TOOL_FAILED', { tool: 'svc_prepare', reason });
}
