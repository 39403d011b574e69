// What follows a wallet request: its status, the task that it has made, and the documents of a private task that others get once
// their hash is on chain.
import type { PreparedAction } from '@svc/sdk/actions';
import { type WorkDocument, workDocumentSchema } from '@svc/sdk/documents';
import { SvcError } from '@svc/sdk/domain';
import { hashAlone } from '@svc/sdk/internal/actions/evidence';
import { walletRequestSchema } from '@svc/sdk/internal/schemas/walletRequest';
import * as z from 'zod';
import type { WalletAnswer } from '../wallet/walletInterface.ts';
import { findUnsent, listReaders } from './privatePapers.ts';
import { sendPapers } from './sendPapers.ts';
import { addressArgument, defineTool, requestIdArgument, type Tool, type ToolContext } from './tool.ts';
import { briefRequest, requestFields } from './toolMail.ts';

export const papersSchema = z
  .string()
  .optional()
  .describe('Of a private task: who got the document of this action, and what is still to do.');
const papersLater =
  'Only the hash goes on chain. The document is kept here; svc_get_request sends it once the request is settled.';

export const requestTool: Tool = defineTool({
  name: 'svc_get_request',
  title: 'What became of a request?',
  description:
    'The status of a wallet request: pending until its owner decides, submitted once sent, then settled, rejected, ' +
    'failed or expired, with transaction hashes or the signature.',
  input: z.object({ requestId: requestIdArgument }),
  output: walletRequestSchema
    .pick({ requestId: true, status: true, transactionHashes: true, signature: true, error: true })
    .extend({
      approvalUrl: requestFields.approvalUrl,
      taskId: z.string().nullable().describe('The task that a settled request has posted or created.'),
      papers: papersSchema,
    }),
  brief: ({ transactionHashes, ...answer }) => ({ ...briefRequest(answer), transactionHashes }),
  run: async ({ requestId }, needs) => {
    const { wallet, findPostedTask, awaitShown } = needs;
    const status = await wallet.readStatus(requestId);
    const hasTask = status.status === 'settled' && status.transactionHashes.length > 0;
    if (hasTask) await awaitShown(status.transactionHashes).catch(() => undefined);
    const taskId = hasTask ? await findPostedTask(status.transactionHashes) : null;
    const kept = hasTask ? needs.papers.find(requestId) : undefined;
    const papers = kept && { papers: await handOver(kept.from, kept.taskId, needs) };
    return { ...status, transactionHashes: [...status.transactionHashes], taskId, ...papers };
  },
});

/** Actions whose transaction creates a task. */
const createsTask = new Set<string>(['post-task', 'create-task']);
/** Actions after which somebody else may judge, who has no document yet. */
const namesJudge = new Set<string>(['propose-arbitrator', 'escalate', 'accept-fallback']);

/**
 * Keeps the document of a private task, of which only the hash goes on chain. Where the wallet has signed at once, it goes to the
 * others as well, and the new task is named. Does not fail where the market shows the write too late.
 */
export async function followRequest(
  prepared: PreparedAction,
  { taskId, from }: Readonly<Record<string, unknown>>,
  { requestId, status, transactionHashes }: WalletAnswer,
  needs: ToolContext,
): Promise<{ readonly taskId?: string | null; readonly papers?: string; readonly warnings?: string[] }> {
  const { action, warnings } = prepared;
  const document = typeof taskId === 'string' ? findDocument(prepared) : null;
  if (document !== null) needs.papers.save(String(taskId), document, { requestId, from: String(from) });
  const isSettled = status === 'settled';
  if (isSettled) await needs.awaitShown(transactionHashes).catch(() => undefined);
  const made = isSettled &&
    createsTask.has(action) && { taskId: await needs.findPostedTask(transactionHashes) };
  if (typeof taskId !== 'string' || (document === null && !namesJudge.has(action))) return { ...made };
  // A gateway keeps no documents.
  const isKept = needs.papers.find(requestId) !== undefined;
  const papers = isSettled ? await handOver(from, taskId, needs) : isKept ? papersLater : undefined;
  return {
    ...made,
    // The document is on its way, which the warning asks for.
    warnings: warnings.filter((warning) => !isKept || !warning.startsWith(hashAlone)),
    ...(papers !== undefined && { papers }),
  };
}

/** The document that others get in a message alone. */
function findDocument(prepared: PreparedAction): WorkDocument | null {
  const { document } = prepared as { readonly document?: unknown };
  const isAlone = prepared.warnings.some((one) => one.startsWith(hashAlone));
  return isAlone ? (workDocumentSchema.safeParse(document).data ?? null) : null;
}

/** Never throws: the action itself is done, and its document can be sent again. */
async function handOver(from: unknown, taskId: string, needs: ToolContext): Promise<string | undefined> {
  const again = `svc_send_message with from and taskId ${taskId} alone sends it again.`;
  try {
    const address = addressArgument.parse(from);
    const { task } = await needs.market.task(taskId);
    const opened = await needs.mail.open(address, { with: listReaders(task, address) });
    if ('request' in opened) return `The document is kept here until the owner has signed in. ${again}`;
    if (findUnsent(task, address, opened.mailbox.transcripts, needs.papers) === null) return undefined;
    const { sent, next } = await sendPapers(needs, opened.mailbox, address, taskId);
    return sent ? next : `The document is kept here. ${next} ${again}`;
  } catch (error) {
    const reason = error instanceof SvcError ? error.message : 'the gateway did not take it.';
    return `The document is kept here and was not sent: ${reason} ${again}`;
  }
}
