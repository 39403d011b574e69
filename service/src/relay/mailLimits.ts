// How much mail the relay takes from a wallet, and how long it keeps it.
import { SvcError } from '@svc/sdk/domain';
import type { MailCounts } from '../store/conversations.ts';

export const mailLimits = {
  daySeconds: 86_400,
  /** New conversations of a sender per day, those of earlier holders of its collateral included. */
  openings: 20,
  /** Messages of a sender per day. */
  messages: 200,
  /** Bytes of a sender per day. */
  bytes: 5_000_000,
  /** Beside all others, of a party or judge of a live dispute to each other one per day. */
  dispute: { messages: 200, bytes: 20_000_000 },
  /** Messages of an unknown sender until the other party answers. */
  untilAnswered: 3,
  /** The same about a live listing: a proposal, its signature, and what replaces them. */
  untilAnsweredToListing: 6,
  /** Messages of an unknown sender in all its conversations with one wallet, until that one answers. */
  untilAnsweredByPair: 6,
  /** Messages of unknown senders in a mailbox. */
  unknown: 1_000,
  /** After this time an opening that nobody has answered takes no place any more. */
  unknownSeconds: 14 * 86_400,
  /** After the last message of a conversation, or the end of its task. */
  keptSeconds: 90 * 86_400,
} as const;

export type Sending = {
  readonly isOpening: boolean;
  readonly bytes: number;
  /** Between the parties, or a party and the judge, of a live dispute. */
  readonly isInDispute: boolean;
  /** To the poster of a live listing, from a wallet that has proposed. */
  readonly hasProposed: boolean;
  /** Takes an offer of its sender back, so it always reaches the other side within the bound of its conversation. */
  readonly isWithdrawal: boolean;
};

/** Returns whether the message counts on the allowance of a dispute. Throws MAIL_LIMIT where it is too much. */
export function checkMailLimits(counts: MailCounts, sending: Sending): boolean {
  const { isOpening, bytes, isInDispute, hasProposed, isWithdrawal } = sending;
  const { openings, messages, unknown, dispute } = mailLimits;
  const untilAnswered = hasProposed ? mailLimits.untilAnsweredToListing : mailLimits.untilAnswered;
  const isAllowed =
    isInDispute && counts.disputeMessages < dispute.messages && counts.disputeBytes + bytes <= dispute.bytes;
  if (isAllowed) return true;
  if (counts.unanswered > untilAnswered)
    throw limit(`${untilAnswered} messages until the other party answers`);
  if (!isWithdrawal && counts.unansweredByPair > mailLimits.untilAnsweredByPair)
    throw limit(`${mailLimits.untilAnsweredByPair} messages until the other party answers`);
  if (isOpening && counts.openings > openings) throw limit(`${openings} new conversations a day`);
  if (counts.messages >= messages) throw limit(`${messages} messages a day`);
  if (counts.bytes + bytes > mailLimits.bytes) throw limit('5 MB a day');
  if (counts.unknown > unknown)
    throw limit(`${unknown.toLocaleString('en')} messages of unknown senders in the recipient’s mailbox`);
  return false;
}

function limit(reason: string): SvcError {
  return new SvcError('MAIL_LIMIT', { reason });
}
