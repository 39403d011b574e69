// One page of a mailbox, bounded whatever waits in it: answered conversations and shared tasks first, unknown senders last.
import { type Address, isSameAddress, markets } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { senderOf } from '@svc/sdk/internal/negotiation/envelope';
import { addressSchema, hashSchema } from '@svc/sdk/internal/schemas/primitives';
import type { Transcript } from '@svc/sdk/negotiation';
import * as z from 'zod';
import { bytesOf } from './shorten.ts';
import type { conversationSchema, OwnTask } from './showConversation.ts';
import type { MarketReads } from './tool.ts';
import { otherOf, type ToolMailbox } from './toolMail.ts';

export const unknownSchema = z.object({
  root: hashSchema,
  from: addressSchema,
  bytes: z.int(),
  untrustedText: z.string().describe('The first 200 characters; svc_inbox with root has the rest.'),
});

/** Characters of a message of an unknown sender. */
const maxUnknownCharacters = 200;

type Conversation = z.input<typeof conversationSchema>;

export type Ordered = {
  readonly transcript: Transcript;
  readonly isKnown: boolean;
  /** Of its newest message in the mailbox. */
  readonly position: number;
};

/**
 * Newest first, those of unknown senders last. A sender is known where the wallet has written in the conversation, or where
 * the two share a task, as parties or as party and judge.
 */
export async function orderConversations(
  { transcripts, positions }: Pick<ToolMailbox, 'transcripts' | 'positions'>,
  own: Address,
  tasks: readonly OwnTask[],
  market: Pick<MarketReads, 'concerns' | 'task'>,
): Promise<readonly Ordered[]> {
  const partners = new Set(tasks.flatMap(walletsOf));
  const isKnown = (transcript: Transcript) =>
    hasWritten(transcript, own) || partners.has(addressKey(otherOf(transcript, own)));
  const unknown = transcripts.filter((transcript) => !isKnown(transcript));
  for (const wallet of await findCaseParties(market, own, unknown)) partners.add(wallet);
  return transcripts
    .map((transcript) => ({
      transcript,
      isKnown: isKnown(transcript),
      position: Math.max(...messagesOf(transcript).map(({ hash }) => positions.get(hash) ?? 0)),
    }))
    .sort((one, other) => Number(other.isKnown) - Number(one.isKnown) || other.position - one.position);
}

function messagesOf({ entries, aside }: Transcript) {
  return [...entries, ...aside];
}

function hasWritten(transcript: Transcript, own: Address): boolean {
  return messagesOf(transcript).some((signed) => isSameAddress(senderOf(signed), own));
}

function walletsOf({ poster, worker, dispute }: OwnTask): string[] {
  return [poster, worker, dispute?.judge].flatMap((wallet) =>
    wallet == null ? [] : addressKey(wallet as Address),
  );
}

/** The parties of cases that the wallet judges. Only its own cases are read, whatever tasks the messages name. */
async function findCaseParties(
  market: Pick<MarketReads, 'concerns' | 'task'>,
  own: Address,
  unknown: readonly Transcript[],
): Promise<readonly string[]> {
  const named = new Set(unknown.flatMap((one) => messagesOf(one).map(({ envelope }) => envelope.taskId)));
  if (unknown.length === 0) return [];
  const pages = await Promise.all(
    markets.map((one) => market.concerns(own, { market: one, role: 'arbitrator', limit: 50 })),
  );
  const cases = pages.flatMap(({ concerns }) => concerns).filter(({ taskId }) => named.has(taskId));
  const found = await Promise.all(cases.map(({ taskId }) => market.task(taskId)));
  return found.flatMap(({ task }) => walletsOf(task));
}

export type InboxPage = {
  readonly conversations: Conversation[];
  readonly unknownSenders: z.input<typeof unknownSchema>[];
  readonly nextCursor: string | null;
};

/** The next conversations that fit, at least one. The cursor names the last one shown. */
export function fillPage(
  ordered: readonly Ordered[],
  cursor: string | undefined,
  most: number,
  show: (transcript: Transcript) => Conversation,
  own: Address,
): InboxPage {
  const [part, position] = (cursor ?? `0.${Number.MAX_SAFE_INTEGER}`).split('.').map(Number);
  const isAfter = (one: Ordered) => partOf(one) > Number(part) || one.position < Number(position);
  const conversations: Conversation[] = [];
  const unknownSenders: z.input<typeof unknownSchema>[] = [];
  let left = most;
  let last: Ordered | undefined;
  for (const one of ordered.filter((each) => partOf(each) >= Number(part) && isAfter(each))) {
    const known = one.isKnown ? show(one.transcript) : null;
    const unknown = one.isKnown ? null : showUnknown(one.transcript, own);
    left -= bytesOf(known ?? unknown) + 1;
    if (left < 0 && last !== undefined)
      return { conversations, unknownSenders, nextCursor: `${partOf(last)}.${last.position}` };
    if (known !== null) conversations.push(known);
    if (unknown !== null) unknownSenders.push(unknown);
    last = one;
  }
  return { conversations, unknownSenders, nextCursor: null };
}

function partOf({ isKnown }: Ordered): number {
  return isKnown ? 0 : 1;
}

function showUnknown(transcript: Transcript, own: Address): z.input<typeof unknownSchema> {
  const payloads = messagesOf(transcript).map(({ envelope }) => envelope.payload);
  const [first] = payloads;
  const text = typeof first?.text === 'string' ? first.text : JSON.stringify(first);
  return {
    root: transcript.root,
    from: otherOf(transcript, own),
    bytes: payloads.reduce((sum, payload) => sum + bytesOf(payload), 0),
    // Every character is one or two units long.
    untrustedText: [...text.slice(0, 2 * maxUnknownCharacters)].slice(0, maxUnknownCharacters).join(''),
  };
}
