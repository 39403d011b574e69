// How much mail the relay takes from a wallet, and how long it keeps it.
import { SvcError } from '@svc/sdk/domain';
import type { MailCounts } from '#store/conversations.ts';

export const mailLimits = {
  daySeconds: 86_400,
  /** New conversations of a sender per day. */
  openings: 20,
  /** Messages of a sender per day. */
  messages: 200,
  /** Bytes of a sender per day. */
  bytes: 5_000_000,
  /** Messages of a sender until the other party answers. */
  untilAnswered: 3,
  /** Unanswered messages in a mailbox. */
  waiting: 1_000,
  /** After the last message of a conversation, or the end of its task. */
  keptSeconds: 90 * 86_400,
} as const;

/** Throws MAIL_LIMIT where one more message of this size is too much. */
export function checkMailLimits(counts: MailCounts, isOpening: boolean, bytes: number): void {
  const { openings, messages, untilAnswered, waiting } = mailLimits;
  if (counts.unanswered > untilAnswered)
    throw limit(`${untilAnswered} messages until the other party answers`);
  if (isOpening && counts.openings >= openings) throw limit(`${openings} new conversations a day`);
  if (counts.messages >= messages) throw limit(`${messages} messages a day`);
  if (counts.bytes + bytes > mailLimits.bytes) throw limit('5 MB a day');
  if (counts.waiting > waiting) throw limit(`${waiting} unanswered messages in the recipient’s mailbox`);
}

function limit(reason: string): SvcError {
  return new SvcError('MAIL_LIMIT', { reason });
}
