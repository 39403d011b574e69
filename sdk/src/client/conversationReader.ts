// Reads conversations of a mailbox as they are needed, never the whole mailbox. What was read is kept.
import type { Address } from '../domain/address.ts';
import type { VerifyDigest } from '../domain/verifyDigest.ts';
import { createMailReader, type ReadMail } from '../negotiation/mailReader.ts';
import type { Transcript } from '../negotiation/transcript.ts';
import type { ListedConversation } from '../schemas/conversations.ts';
import type { MailboxClient } from './mailboxClient.ts';

export type MailSource = Pick<MailboxClient, 'conversations' | 'conversation'>;

/** Which conversations: one of them, those with wallets, those that name a listing or a task, or the newest with an offer. */
export type Wanted =
  /** `head`: its newest place, where that is known; `before`: also the messages before this one. */
  | { readonly root: string; readonly head?: number | undefined; readonly before?: number | undefined }
  | { readonly with: readonly Address[] }
  | { readonly about: string }
  | { readonly isOffered: true };

/** Of the newest messages of a conversation, and of those that decide about its terms; each is at least one message. */
const newestBytes = 64 * 1_024;
const termsBytes = 512 * 1_024;
/** Of one conversation that is read whole: the newest messages. */
const wholeBytes = 32 * 1_024 * 1_024;
const pageLength = 100;
/** Conversations with one wallet, or about one listing. */
const maxConversations = 1_000;

export type ConversationReader = ReturnType<typeof createConversationReader>;

/** The conversations of `own`. `verify` must not throw. */
export function createConversationReader(own: Address, verify: VerifyDigest) {
  const mail = createMailReader(own, verify);
  /** The newest place up to which what decides about the terms was read. */
  const termsRead = new Map<string, number>();
  /** As the relay said it last. */
  const tasks = new Map<string, string | null>();

  async function readPage(
    source: MailSource,
    root: string,
    query: Parameters<MailSource['conversation']>[1],
  ): Promise<{ readonly newest: number; readonly oldest: number; readonly bytes: number }> {
    const { messages, taskId } = await source.conversation(root, query);
    tasks.set(root, taskId);
    await mail.add(messages, new Date());
    const bytes = messages.reduce((sum, { wire }) => sum + (wire?.length ?? 0), 0);
    return { newest: messages.at(-1)?.sequence ?? 0, oldest: messages[0]?.sequence ?? 0, bytes };
  }

  /** The newest messages before a place, those that decide about the terms, and the first one. */
  async function readNewest(
    source: MailSource,
    root: string,
    { limit = pageLength, before }: { readonly limit?: number; readonly before?: number | undefined } = {},
  ): Promise<void> {
    const query = {
      limit: Math.max(1, limit),
      maxBytes: newestBytes,
      ...(before !== undefined && { before }),
    };
    const { newest } = await readPage(source, root, query);
    const isWhole = () => {
      const places = mail.places(root);
      return Array.from({ length: newest }, (_, at) => at + 1).every((place) => places.has(place));
    };
    if (isWhole()) return;
    if ((termsRead.get(root) ?? 0) < newest) {
      await readPage(source, root, { only: 'terms', limit: pageLength, maxBytes: termsBytes });
      termsRead.set(root, newest);
    }
    if (!mail.places(root).has(1)) await readPage(source, root, { before: 2, limit: 1 });
  }

  /** Every message, the newest first, up to a limit of bytes. */
  async function readWhole(source: MailSource, { root, messages: head }: Listed): Promise<void> {
    let total = 0;
    for (let place = head; place > 0 && total < wholeBytes; ) {
      if (mail.places(root).has(place)) {
        place -= 1;
        continue;
      }
      const page = await readPage(source, root, { before: place + 1, limit: pageLength });
      total += page.bytes;
      place = Math.min(place, page.oldest) - 1;
    }
    if (!mail.places(root).has(1)) await readPage(source, root, { before: 2, limit: 1 });
  }

  /** Newest first. */
  async function list(
    source: MailSource,
    query: { readonly with?: Address; readonly about?: string },
    most = maxConversations,
  ): Promise<readonly Listed[]> {
    const found: Listed[] = [];
    for (let cursor: string | undefined; found.length < most; ) {
      const page = await source.conversations({
        ...query,
        limit: pageLength,
        ...(cursor !== undefined && { cursor }),
      });
      found.push(...page.conversations);
      for (const { root, taskId } of page.conversations) tasks.set(root, taskId);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    return found;
  }

  async function readTerms(source: MailSource, listed: readonly Listed[]): Promise<void> {
    for (const { root, messages: head } of listed)
      if (!mail.places(root).has(head)) await readNewest(source, root);
  }

  return {
    readNewest,
    /** With wallets: their conversations whole. All others: the newest messages and what decides about the terms. */
    find: async (source: MailSource, wanted: Wanted): Promise<void> => {
      // What could not be decided is checked again although nothing new has come.
      await mail.add([], new Date());
      if ('root' in wanted) {
        const { head, before } = wanted;
        const root = wanted.root.toLowerCase();
        if (head === undefined || !mail.places(root).has(head)) await readNewest(source, root);
        if (before !== undefined && !mail.places(root).has(before - 1))
          await readNewest(source, root, { before });
      } else if ('about' in wanted) await readTerms(source, await list(source, wanted));
      else if ('isOffered' in wanted) {
        const newest = await list(source, {}, pageLength);
        await readTerms(
          source,
          newest.filter(({ settlementDigest }) => settlementDigest !== null),
        );
      } else
        for (const partner of wanted.with)
          for (const one of await list(source, { with: partner })) await readWhole(source, one);
    },
    /** What was read so far. */
    read: (): FoundMail => ({ ...mail.read(), taskOf: ({ root }) => tasks.get(root) ?? undefined }),
  };
}

/** With the tasks that came out of the conversations. */
export type FoundMail = ReadMail & {
  readonly taskOf: (transcript: Pick<Transcript, 'root'>) => string | undefined;
};

type Listed = Pick<ListedConversation, 'root' | 'messages' | 'settlementDigest'>;
