// One page of a mailbox, bounded whatever waits in it: answered conversations and shared tasks first, unknown senders last. Only
// what is shown is read from the relay.
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { ListedConversation } from '@svc/sdk/internal/schemas/conversations';
import { addressSchema, hashSchema } from '@svc/sdk/internal/schemas/primitives';
import type { Transcript } from '@svc/sdk/negotiation';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { weigh } from './shorten.ts';
import type { conversationSchema } from './showConversation.ts';
import type { ToolMailbox } from './toolMail.ts';

export const unknownSchema = z.object({
  root: hashSchema,
  from: addressSchema,
  messages: z.int(),
  untrustedText: z.string().describe('The newest, cut; root has the rest.'),
});

/** Characters of a message of an unknown sender. */
const maxUnknownCharacters = 200;
/** Answered conversations of one page: each is read from the relay. */
const maxConversations = 10;

type Conversation = z.input<typeof conversationSchema>;
type Shown = Pick<ListedConversation, 'messages' | 'unread'> & { readonly root: string };

type PageQuery = {
  readonly cursor: string | undefined;
  readonly isAll: boolean;
  /** Messages of each conversation. */
  readonly limit: number;
  /** The weight of the page. */
  readonly most: number;
  readonly show: (transcript: Transcript) => Promise<Conversation>;
};

/** After every known conversation, before the first unknown one. */
const firstUnknown = `1.${'9'.repeat(15)}.0x${'f'.repeat(64)}`;

/** The next conversations that fit, at least one. The cursor names the last one shown. */
export async function fillPage(mailbox: ToolMailbox, query: PageQuery) {
  const { client } = mailbox;
  const [part = '0', ...place] = (query.cursor ?? '0').split('.');
  const conversations: Conversation[] = [];
  const unknownSenders: z.input<typeof unknownSchema>[] = [];
  const shown: Shown[] = [];
  let left = query.most;
  let after = place.length === 0 ? undefined : place.join('.');
  let counts = { unread: 0, unknown: 0 };
  const end = (nextCursor: string | null) => ({
    conversations,
    unknownSenders,
    counts: { unread: counts.unread, unknownSenders: counts.unknown },
    nextCursor,
    shown,
  });
  for (const isKnown of part === '0' ? [true, false] : [false]) {
    for (;;) {
      const page = await client.conversations({
        senders: isKnown ? 'known' : 'unknown',
        unread: !query.isAll,
        limit: isKnown ? maxConversations : 50,
        ...(after !== undefined && { cursor: after }),
      });
      counts = page.counts;
      for (const one of page.conversations) {
        const known = isKnown ? await showKnown(mailbox, one, query) : null;
        const unknown = isKnown ? null : showUnknown(one);
        const weight = weigh(known ?? unknown) + 2;
        const isFull = left < weight || conversations.length === maxConversations;
        if (isFull && shown.length > 0)
          return end(after === undefined ? firstUnknown : `${isKnown ? 0 : 1}.${after}`);
        left -= weight;
        if (known !== null) conversations.push(known);
        if (unknown !== null) unknownSenders.push(unknown);
        shown.push(one);
        after = `${one.lastAt}.${one.root}`;
      }
      if (page.nextCursor === null) break;
    }
    if (isKnown) after = undefined;
  }
  // One more page confirms this one.
  const isUnread = shown.some(({ unread }) => unread > 0);
  return end(isUnread ? (after === undefined ? firstUnknown : `1.${after}`) : null);
}

async function showKnown(
  mailbox: ToolMailbox,
  { root }: ListedConversation,
  { limit, show }: PageQuery,
): Promise<Conversation | null> {
  await mailbox.reader.readNewest(mailbox.client, root, { limit });
  const transcript = mailbox.reader.read().transcripts.find((one) => one.root === root);
  return transcript === undefined ? null : show(transcript);
}

function showUnknown({ root, with: from, messages, last }: ListedConversation) {
  // Every character is one or two units long.
  const text = (last?.text ?? '').slice(0, 2 * maxUnknownCharacters);
  return { root, from, messages, untrustedText: [...text].slice(0, maxUnknownCharacters).join('') };
}

/** The newest pages that were shown and not confirmed, by wallet and cursor. */
const maxPending = 1_000;

/** Reading marks nothing: asking for the next page confirms the one before. */
export function createConfirmations() {
  const pending = new LRUCache<string, readonly Shown[]>({ max: maxPending });
  const keyOf = (address: Address, cursor: string) => `${addressKey(address)} ${cursor}`;
  return {
    remember: (address: Address, cursor: string | null, shown: readonly Shown[]): void => {
      if (cursor === null) return;
      pending.set(keyOf(address, cursor), shown);
    },
    confirm: async (address: Address, cursor: string | undefined, { client }: ToolMailbox): Promise<void> => {
      if (cursor === undefined) return;
      const key = keyOf(address, cursor);
      for (const { root, messages, unread } of pending.get(key) ?? [])
        if (unread > 0)
          await client.mark(root, { read: messages }).catch((error: unknown) => {
            // It was swept in the meantime.
            if (!isErrorOf(error, 'API_REFUSED')) throw error;
          });
      pending.delete(key);
    },
  };
}
