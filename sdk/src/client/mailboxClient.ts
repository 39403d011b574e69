// A wallet's mailbox at a gateway: sends wire texts, reads and follows messages, blocks senders. Opens sessions as needed.
import type * as z from 'zod';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Head } from '#negotiation/envelope.ts';
import {
  type ConversationList,
  type ConversationMarks,
  type ConversationPage,
  conversationListSchema,
  conversationMarksSchema,
  conversationPageSchema,
  conversationRoutes,
} from '#schemas/conversations.ts';
import {
  type HeldMessage,
  heldMessageSchema,
  type Mail,
  type MailboxPage,
  mailboxPageSchema,
  mailSchema,
  messageRoutes,
} from '#schemas/messages.ts';
import { sessionRoutes } from '#schemas/sessions.ts';
import { repeatWrite } from './repeatWrite.ts';
import { type Connection, openResponse, type Parameters, parseReply } from './request.ts';
import { openSession, type SessionWallet } from './session.ts';
import { isFinal, openStream, reconnecting } from './streams.ts';

export type MailboxClientOptions = Connection & {
  readonly wallet: SessionWallet;
  readonly chainId: number | (() => Promise<number>);
  /** A session that is open already, from `openSession` or from another client's `token`. */
  readonly session?: { readonly token: string; readonly expiresAt: number };
};

type Signal = { readonly signal?: AbortSignal };

/** A session that ends sooner is renewed first. */
const marginSeconds = 60;

/**
 * The mailbox of one wallet. Every method throws an SvcError: API_REFUSED with `details.code`, API_UNREACHABLE,
 * API_UNEXPECTED.
 */
export function createMailboxClient(options: MailboxClientOptions) {
  const { wallet, chainId, ...connection } = options;
  let session = options.session === undefined ? undefined : Promise.resolve(options.session);

  async function open() {
    const id = typeof chainId === 'number' ? chainId : await chainId();
    return openSession(connection, wallet, { chainId: id });
  }

  async function token(): Promise<string> {
    const known = await session?.catch(() => undefined);
    if (known !== undefined && known.expiresAt > Date.now() / 1_000 + marginSeconds) return known.token;
    session = open();
    return (await session).token;
  }

  /** A gateway may have lost or revoked the session; then one more is opened. */
  async function withSession<T>(work: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    try {
      return await work({ authorization: `Bearer ${await token()}` });
    } catch (error) {
      if (codeOf(error) !== 'SESSION_REQUIRED') throw error;
      session = undefined;
      return work({ authorization: `Bearer ${await token()}` });
    }
  }

  async function ask<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    query: Parameters,
    init: RequestInit,
  ): Promise<z.output<Schema>> {
    const response = await openResponse(connection, path, query, init);
    return parseReply(schema, await response.text(), `the reply of ${path}`);
  }

  async function post(wire: string, headers: Record<string, string>): Promise<HeldMessage> {
    const { path } = messageRoutes.sendMessage;
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: wire };
    // Without the key: the relay knows a message by its hash.
    return repeatWrite(() => ask(heldMessageSchema, path, {}, init));
  }

  async function setBlock(address: Address, method: 'PUT' | 'DELETE'): Promise<void> {
    const path = messageRoutes.blockSender.path.replace(':address', address);
    await withSession((headers) => openResponse(connection, path, {}, { method, headers }));
  }

  async function* follow({
    after = 0,
    signal,
  }: { readonly after?: number } & Signal = {}): AsyncGenerator<Mail> {
    let last = after;
    async function* open() {
      const headers = { authorization: `Bearer ${await token()}`, 'last-event-id': String(last) };
      yield* openStream(connection, messageRoutes.mailboxEvents.path, { query: {}, headers, signal });
    }
    const isEnd = (error: unknown): boolean => {
      if (codeOf(error) !== 'SESSION_REQUIRED') return isFinal(error);
      session = undefined;
      return false;
    };
    for await (const { event, data } of reconnecting(open, signal, isEnd)) {
      if (event !== 'message') continue;
      const mail = parseReply(mailSchema, data, 'a message of the mailbox');
      if (mail.position <= last) continue;
      last = mail.position;
      yield mail;
    }
  }

  return {
    /**
     * The text of a signed envelope, as `formatWire` returns it. Throws PLACE_TAKEN or PLACE_GAP, with `details.head`, where
     * the message does not continue the newest one of its conversation.
     */
    send: async (wire: string): Promise<HeldMessage> => {
      try {
        return await post(wire, {});
      } catch (error) {
        // The chain is asked about a smart wallet's signature only with a session.
        if (codeOf(error) !== 'ENVELOPE_REFUSED') throw toPlaceError(error);
        return withSession((headers) => post(wire, headers)).catch((again: unknown) => {
          throw toPlaceError(again);
        });
      }
    },
    /** A page after a position; the end is reached when it is empty. */
    read: ({
      signal,
      ...query
    }: { readonly after?: number; readonly limit?: number } & Signal = {}): Promise<MailboxPage> =>
      withSession((headers) =>
        ask(mailboxPageSchema, messageRoutes.mailbox.path, query, { headers, ...(signal && { signal }) }),
      ),
    /** Newest first, each with its newest message; unknown senders apart with `senders`. Marks nothing as read. */
    conversations: ({
      signal,
      ...query
    }: {
      readonly senders?: 'all' | 'known' | 'unknown';
      readonly unread?: boolean;
      readonly with?: Address;
      /** The listing or task that they name. */
      readonly about?: string;
      readonly limit?: number;
      readonly cursor?: string;
    } & Signal = {}): Promise<ConversationList> =>
      withSession((headers) =>
        ask(conversationListSchema, conversationRoutes.conversations.path, query, {
          headers,
          ...(signal && { signal }),
        }),
      ),
    /** The newest messages of a conversation before a sequence, whole. */
    conversation: (
      root: string,
      {
        signal,
        ...query
      }: {
        readonly before?: number;
        readonly limit?: number;
        readonly maxBytes?: number;
        /** Only messages that may change what is offered, signed or vetoed. */
        readonly only?: 'terms';
      } & Signal = {},
    ): Promise<ConversationPage> =>
      withSession((headers) =>
        ask(conversationPageSchema, pathOf(root), query, { headers, ...(signal && { signal }) }),
      ),
    /** Confirms that messages up to a sequence are read, or mutes a conversation, on all devices of the wallet. */
    mark: (
      root: string,
      marks: { readonly read?: number; readonly isMuted?: boolean },
    ): Promise<ConversationMarks> =>
      withSession((headers) =>
        ask(
          conversationMarksSchema,
          pathOf(root),
          {},
          {
            method: 'PUT',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(marks),
          },
        ),
      ),
    /** Messages after a position, each exactly once, and new ones as they arrive. Ends when `signal` aborts. */
    follow,
    block: (address: Address): Promise<void> => setBlock(address, 'PUT'),
    unblock: (address: Address): Promise<void> => setBlock(address, 'DELETE'),
    /** The token of the session, for other clients of this wallet. Opens one where none is open. */
    token,
    /** Closes the session, if one is open. */
    close: async (): Promise<void> => {
      const known = await session?.catch(() => undefined);
      session = undefined;
      if (known === undefined) return;
      const headers = { authorization: `Bearer ${known.token}` };
      await openResponse(connection, sessionRoutes.closeSession.path, {}, { method: 'DELETE', headers });
    },
  };
}

export type MailboxClient = Readonly<ReturnType<typeof createMailboxClient>>;

function pathOf(root: string): string {
  return conversationRoutes.conversation.path.replace(':root', root);
}

function codeOf(error: unknown): unknown {
  return error instanceof SvcError && error.code === 'API_REFUSED' ? error.details.code : undefined;
}

function toPlaceError(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== 'PLACE_TAKEN' && code !== 'PLACE_GAP') return error;
  return new SvcError(code, { head: (error as SvcError).details.head as Head }, error);
}
