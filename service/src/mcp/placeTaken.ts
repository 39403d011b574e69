// What helps where another message has the place of one in its conversation.
import { type Address, SvcError } from '@svc/sdk/domain';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { ToolContext } from './tool.ts';
import { otherOf } from './toolMail.ts';

type Sent = { readonly from: Address; readonly root?: string | undefined; readonly payload?: unknown };

/**
 * Throws the error again. For a place that is taken with the message that is there, where this wallet can read it; otherwise with a
 * new conversation, which nobody can occupy.
 */
export async function explainPlace(
  error: unknown,
  tool: string,
  { from, root, payload: _, ...message }: Sent,
  { mail }: ToolContext,
): Promise<never> {
  if (!isErrorOf(error, 'PLACE_TAKEN')) throw error;
  const opened = await mail.open(from, root === undefined ? undefined : { root });
  const transcripts = 'mailbox' in opened ? opened.mailbox.transcripts : [];
  const known = transcripts.find((one) => one.root === root?.toLowerCase());
  const { hash } = (error.details.head ?? {}) as { readonly hash?: string };
  const isRead = known === undefined || known.entries.some((one) => one.hash === hash);
  const fix = isRead
    ? { tool: 'svc_inbox', arguments: { address: from, ...(root && { root }) } }
    : { tool, arguments: { ...message, from, to: otherOf(known, from) } };
  throw new SvcError('PLACE_TAKEN', { ...error.details, fix }, error);
}
