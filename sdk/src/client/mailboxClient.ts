// A wallet's mailbox at a gateway: sends wire texts, reads and follows messages, blocks senders. Opens sessions as needed.
import type { Address } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import type { Head } from '../negotiation/envelope.ts';
import { readTodo, type Todo } from '../rules/todo.ts';
import type { ConversationList, ConversationMarks, ConversationPage } from '../schemas/conversations.ts';
import type { HeldMessage, Mail, MailboxPage } from '../schemas/messages.ts';
import type { TodoReply, todoMarkets } from '../schemas/todoList.ts';
import { gatewayRoutes, mail as mailShape } from './clientRoutes.ts';
import { repeatWrite } from './repeatWrite.ts';
import type { ClientRoute } from './replyShape.ts';
import {
  type Connection,
  createRequest,
  openResponse,
  type Parameters,
  parseReply,
  type RequestPlace,
  type Signal,
} from './request.ts';
import { openSession, type SessionWallet } from './session.ts';
import { isFinal, openStream, reconnecting } from './streams.ts';

export type MailboxClientOptions = Connection & {
  readonly wallet: SessionWallet;
  readonly chainId: number | (() => Promise<number>);
  /** A session that is open already, from `openSession` or from another client's `token`. */
  readonly session?: { readonly token: string; readonly expiresAt: number };
};

export type OnTodo = Signal & {
  /** `standard` unless given. */
  readonly market?: (typeof todoMarkets)[number];
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
};

export type TodoPage = Omit<TodoReply, 'todo'> & { readonly todo: readonly Todo[] };

/** A session that ends sooner is renewed first. */
const marginSeconds = 60;

/**
 * The mailbox of one wallet. Every method throws an SvcError: API_REFUSED with `details.code`, API_UNREACHABLE,
 * API_UNEXPECTED.
 */
export function createMailboxClient(options: MailboxClientOptions) {
  const { wallet, chainId, ...connection } = options;
  const request = createRequest(connection);
  let session = options.session === undefined ? undefined : Promise.resolve(options.session);

  async function open() {
    const id = typeof chainId === 'number' ? chainId : await chainId();
    return openSession(connection, wallet, { chainId: id });
  }

  /** That of the session in use, or of a new one where it is over or `refused`. Parallel calls open one together. */
  async function token(refused?: string): Promise<string> {
    const before = session;
    const known = await before?.catch(() => undefined);
    const isOver = known === undefined || known.expiresAt <= Date.now() / 1_000 + marginSeconds;
    if (!isOver && known.token !== refused) return known.token;
    if (session === before) session = open();
    return session === undefined ? token() : (await session).token;
  }

  /** A gateway may have lost or revoked the session; then one more is opened. */
  async function withSession<T>(work: (token: string) => Promise<T>): Promise<T> {
    const own = await token();
    try {
      return await work(own);
    } catch (error) {
      if (codeOf(error) !== 'SESSION_REQUIRED') throw error;
      return work(await token(own));
    }
  }

  const ask = <Reply>(
    route: ClientRoute<Reply>,
    query: Parameters,
    place: RequestPlace = {},
    body?: object,
  ) => withSession((own) => request(route, query, body, { ...place, token: own }));

  /** As bytes: another spelling of the same JSON has another signature. */
  function post(wire: string, headers: Record<string, string>): Promise<HeldMessage> {
    const { path, reply } = gatewayRoutes.sendMessage;
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: wire };
    // Without the key: the relay knows a message by its hash.
    return repeatWrite(async () => {
      const response = await openResponse(connection, path, {}, init);
      return parseReply(reply, await response.text(), `the reply of ${path}`);
    });
  }

  async function* follow({
    after = 0,
    signal,
  }: { readonly after?: number } & Signal = {}): AsyncGenerator<Mail> {
    let last = after;
    let refused: string | undefined;
    let used: string | undefined;
    async function* open() {
      used = await token(refused);
      const headers = { authorization: `Bearer ${used}`, 'last-event-id': String(last) };
      yield* openStream(connection, gatewayRoutes.mailboxEvents.path, { query: {}, headers, signal });
    }
    const isEnd = (error: unknown): boolean => {
      if (codeOf(error) !== 'SESSION_REQUIRED') return isFinal(error);
      refused = used;
      return false;
    };
    for await (const { event, data } of reconnecting(open, signal, isEnd)) {
      if (event !== 'message') continue;
      const mail = parseReply<Mail>(mailShape, data, 'a message of the mailbox');
      if (mail.position <= last) continue;
      last = mail.position;
      yield mail;
    }
  }

  return {
    /**
     * The text of a signed envelope, as `formatWire` returns it. Throws PLACE_TAKEN, PLACE_GAP or PLACE_GONE, with `details.head`, where
     * the message does not continue the newest one of its conversation.
     */
    send: async (wire: string): Promise<HeldMessage> => {
      try {
        return await post(wire, {});
      } catch (error) {
        // The chain is asked about a smart wallet's signature only with a session.
        if (codeOf(error) !== 'ENVELOPE_REFUSED') throw toPlaceError(error);
        const send = (own: string) => post(wire, { authorization: `Bearer ${own}` });
        return withSession(send).catch((again: unknown) => {
          throw toPlaceError(again);
        });
      }
    },
    /** A page after a position; the end is reached when it is empty. */
    read: (query: { readonly after?: number; readonly limit?: number } & Signal = {}): Promise<MailboxPage> =>
      ask(gatewayRoutes.mailbox, query),
    /** Newest first, each with its newest message; unknown senders apart with `senders`. Marks nothing as read. */
    conversations: (
      query: {
        readonly senders?: 'all' | 'known' | 'unknown';
        readonly unread?: boolean;
        readonly with?: Address;
        /** The listing or task that they name. */
        readonly about?: string;
        readonly limit?: number;
        readonly cursor?: string;
      } & Signal = {},
    ): Promise<ConversationList> => ask(gatewayRoutes.conversations, query),
    /** The newest messages of a conversation before a sequence, whole. */
    conversation: (
      root: string,
      query: {
        readonly before?: number;
        readonly limit?: number;
        readonly maxBytes?: number;
        /** Only messages that may change what is offered, signed or vetoed. */
        readonly only?: 'terms';
      } & Signal = {},
    ): Promise<ConversationPage> => ask(gatewayRoutes.conversation, query, { params: { root } }),
    /** Confirms that messages up to a sequence are read, or mutes a conversation, on all devices of the wallet. */
    mark: (
      root: string,
      marks: { readonly read?: number; readonly isMuted?: boolean },
    ): Promise<ConversationMarks> => ask(gatewayRoutes.markConversation, {}, { params: { root } }, marks),
    /**
     * What waits for the wallet in one list, its turn first: tasks, proposals, offers to answer or to sign, changes that were asked for,
     * and requests of its tools. One market a page; `none` has what belongs to neither.
     */
    todo: async ({ limit = 50, ...query }: OnTodo = {}): Promise<TodoPage> => {
      const page = await ask(gatewayRoutes.todo, { limit, ...query });
      return { ...page, todo: readTodo(page.todo) };
    },
    /** Messages after a position, each exactly once, and new ones as they arrive. Ends when `signal` aborts. */
    follow,
    /** Refuses further messages of a wallet; no effect between parties of a live task. */
    block: async (address: Address): Promise<void> => {
      await ask(gatewayRoutes.blockSender, {}, { params: { address } });
    },
    /** Accepts messages of the wallet again. */
    unblock: async (address: Address): Promise<void> => {
      await ask(gatewayRoutes.unblockSender, {}, { params: { address } });
    },
    /** The token of the session, for other clients of this wallet. Opens one where none is open. */
    token: () => token(),
    /** Closes the session, if one is open. */
    close: async (): Promise<void> => {
      const known = await session?.catch(() => undefined);
      session = undefined;
      if (known === undefined) return;
      await request(gatewayRoutes.closeSession, {}, undefined, { token: known.token });
    },
  };
}

export type MailboxClient = ReturnType<typeof createMailboxClient>;

function codeOf(error: unknown): unknown {
  return error instanceof SvcError && error.code === 'API_REFUSED' ? error.details.code : undefined;
}

function toPlaceError(error: unknown): unknown {
  const code = codeOf(error);
  const { head, startAt } = (error instanceof SvcError ? error.details : {}) as {
    readonly head: Head;
    readonly startAt: number;
  };
  if (code === 'PLACE_GONE') return new SvcError(code, { head, startAt }, error);
  return code === 'PLACE_TAKEN' || code === 'PLACE_GAP' ? new SvcError(code, { head }, error) : error;
}
