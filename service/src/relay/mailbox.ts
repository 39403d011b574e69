// A wallet's mailbox at the gateway: reading it, marking what was read, muting conversations and blocking senders.

import type { MailboxPage } from '@svc/sdk/client';
import {
  type Address,
  formatTaskId,
  isSameAddress,
  type Market,
  parseAddress,
  SvcError,
  type TaskId,
} from '@svc/sdk/domain';
import { findWords } from '@svc/sdk/internal/negotiation/envelope';
import {
  type ConversationList,
  type ConversationMarks,
  type ConversationPage,
  type ListedConversation,
  maxListedCharacters,
} from '@svc/sdk/internal/schemas/conversations';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import type { ConversationListStore, ListedRow, ListQuery, MessageQuery } from '../store/conversationList.ts';
import type { MailboxStore } from '../store/mailboxes.ts';

export type MailboxService = ReturnType<typeof createMailboxService>;

/** Of one page, so that a hundred large messages are not read at once. */
const maxPageBytes = 4_000_000;
const maxBlocks = 1_000;

export type ListRequest = Omit<ListQuery, 'after'> & { readonly cursor?: string | undefined };

export type PageRequest = Omit<MessageQuery, 'maxBytes'> & { readonly maxBytes?: number | undefined };

export function createMailboxService(
  store: MailboxStore,
  conversations: ConversationListStore,
  now: () => number,
) {
  return {
    read: async (
      wallet: Address,
      after: number,
      limit: number,
      maxBytes: number = maxPageBytes,
    ): Promise<MailboxPage> => {
      const messages = await store.loadMail(wallet, after, limit, maxBytes);
      return { messages, nextAfter: messages.at(-1)?.position ?? after };
    },

    list: async (wallet: Address, { cursor, limit, ...query }: ListRequest): Promise<ConversationList> => {
      const [lastAt, root] = cursor?.split('.') ?? [];
      const after = root === undefined ? undefined : { lastAt: Number(lastAt), root };
      const found = await conversations.load(wallet, { ...query, limit: limit + 1, after });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      return {
        conversations: shown.map((row) => describe(row, wallet)),
        counts: await conversations.countUnread(wallet),
        nextCursor: last === undefined ? null : `${last.lastAt}.${last.root}`,
      };
    },

    /** Throws CONVERSATION_NOT_FOUND. */
    readConversation: async (
      wallet: Address,
      root: string,
      { maxBytes = maxPageBytes, ...query }: PageRequest,
    ): Promise<ConversationPage> => {
      const found = await conversations.loadMessages(wallet, root, {
        ...query,
        maxBytes: Math.min(maxBytes, maxPageBytes),
      });
      if (found === undefined) throw new SvcError('CONVERSATION_NOT_FOUND', {});
      const messages = found.messages.reverse();
      return { messages, earlier: (messages[0]?.sequence ?? 1) - 1, taskId: toTaskId(found.task) };
    },

    /** Throws CONVERSATION_NOT_FOUND. */
    mark: async (
      wallet: Address,
      root: Hex,
      { read = 0, isMuted }: { readonly read?: number | undefined; readonly isMuted?: boolean | undefined },
    ): Promise<ConversationMarks> => {
      const mutedAt = isMuted === undefined ? undefined : isMuted ? now() : null;
      const marks = await conversations.saveMarks(wallet, root, { read, mutedAt });
      if (marks === undefined) throw new SvcError('CONVERSATION_NOT_FOUND', {});
      return { root, read: marks.readSequence, isMuted: marks.isMuted };
    },

    block: async (wallet: Address, blocked: Address): Promise<void> => {
      if (!(await store.saveBlock(wallet, blocked, now(), maxBlocks)))
        throw new SvcError('MAIL_LIMIT', { reason: `${maxBlocks} blocked wallets` });
    },

    unblock: store.removeBlock,
  };
}

function describe(row: ListedRow, wallet: Address): ListedConversation {
  const { root, negotiationId, opener, other, headSequence, readSequence, lastAt, wire } = row;
  return {
    root,
    negotiationId,
    with: isSameAddress(opener, wallet) ? other : opener,
    isUnknown: row.isUnknown,
    title: row.title,
    about: row.about,
    settlementDigest: row.settlementDigest as Hex | null,
    taskId: toTaskId(row.task),
    messages: headSequence,
    unread: Math.max(0, headSequence - readSequence),
    isMuted: row.isMuted,
    isBlocked: row.isBlocked,
    lastAt,
    last: wire === null ? null : describeLast(JSON.parse(wire) as SignedEnvelope),
  };
}

export function toTaskId(place: string | null): TaskId | null {
  const [market, number] = place?.split(':') ?? [];
  return number === undefined ? null : formatTaskId({ market: market as Market, number: BigInt(number) });
}

function describeLast({ hash, envelope }: SignedEnvelope): ListedConversation['last'] {
  const { type, payload, sender, taskId } = envelope;
  const title = (payload.document as { readonly title?: unknown } | undefined)?.title;
  const text = findWords(payload) ?? (typeof title === 'string' ? title : '');
  const shown = text.slice(0, maxListedCharacters);
  const about = taskId ?? payload.about;
  return {
    hash,
    from: parseAddress(sender.evmAddress),
    type: type.slice(0, 100),
    taskId: typeof about === 'string' ? about.slice(0, 100) : null,
    text: shown,
    ...(shown.length < text.length && { leftOut: text.length - shown.length }),
  };
}
