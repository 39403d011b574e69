// The conversations of a wallet as far as they say who has to answer: the newest, and those about its listings. What was read of one
// is kept until a message follows.
import { type Address, milestoneNumber, parseAddress } from '@svc/sdk/domain';
import { createConversationReader } from '@svc/sdk/internal/client/conversationReader';
import { senderOf } from '@svc/sdk/internal/negotiation/envelope';
import { hasNote } from '@svc/sdk/internal/negotiation/proposals';
import type { listTodo } from '@svc/sdk/internal/rules/todo';
import { listingOf, readNegotiation, type SignedEnvelope, type Transcript } from '@svc/sdk/negotiation';
import { LRUCache } from 'lru-cache';
import { type MailboxService, toTaskId } from '../relay/mailbox.ts';
import type { ConversationListStore, ListedRow } from '../store/conversationList.ts';

/** The work of one request: conversations with wallets that are known, and those about each listing. */
const limits = { known: 50, ofListing: 20 };
/** The operator may remove a text, so nothing is kept for long. */
const keptMs = 60_000;
const mostKept = 20_000;

/** A conversation as `rules/todo` reads it. */
export type Talk = NonNullable<Parameters<typeof listTodo>[0]['talks']>[number];

type Read = ReturnType<typeof readTalk>;

export type TalkService = ReturnType<typeof createTalkService>;

export function createTalkService(
  store: Pick<ConversationListStore, 'load'>,
  mailboxes: Pick<MailboxService, 'readConversation'>,
) {
  const kept = new LRUCache<string, { readonly talk: Read | null }>({ max: mostKept, ttl: keptMs });

  async function read(wallet: Address, { root, headSequence }: ListedRow): Promise<Read | null> {
    const key = `${root} ${headSequence}`;
    const known = kept.get(key);
    if (known !== undefined) return known.talk;
    // The relay has checked every signature of a key when it took the message.
    const reader = createConversationReader(wallet, async () => true);
    await reader.readNewest(
      {
        conversations: () => Promise.reject(new RangeError('Only one conversation is read.')),
        conversation: (one, { only, before = Number.MAX_SAFE_INTEGER, limit = 100, ...query } = {}) =>
          mailboxes.readConversation(wallet, one, { ...query, before, limit, isTerms: only === 'terms' }),
      },
      root,
    );
    const { transcripts, receivedAt } = reader.read();
    const found = transcripts.find((one) => one.root === root);
    const talk = found === undefined ? null : readTalk(found, ({ hash }) => receivedAt.get(hash) ?? 0);
    kept.set(key, { talk });
    return talk;
  }

  return {
    /** Without those that the wallet has muted, or with wallets that it blocks. */
    list: async (wallet: Address, listings: readonly string[]): Promise<Talk[]> => {
      const pages = [
        store.load(wallet, { senders: 'known', isUnread: false, limit: limits.known }),
        ...listings.map((about) =>
          store.load(wallet, { senders: 'all', isUnread: false, about, limit: limits.ofListing }),
        ),
      ];
      const rows = new Map((await Promise.all(pages)).flat().map((row) => [row.root, row]));
      const talks: Talk[] = [];
      for (const row of rows.values()) {
        if (row.isMuted || row.isBlocked) continue;
        const talk = await read(wallet, row);
        if (talk !== null)
          talks.push({ ...talk, title: row.title, at: row.lastAt, taskId: toTaskId(row.task) });
      }
      return talks;
    },
  };
}

/** Longer words are read in the conversation. */
const maxWords = 500;

/** `receivedAt` is when a gateway got a message, in Unix seconds: dates in messages are their senders'. */
function readTalk(
  transcript: Transcript,
  receivedAt: (signed: SignedEnvelope) => number,
): Omit<Talk, 'taskId' | 'at' | 'title'> {
  const { root, parties, entries } = transcript;
  const state = readNegotiation(transcript);
  const both = [parties.opener, parties.other];
  const { offer } = state;
  const isOpen = offer !== null && !state.isForked && state.vetoes.length === 0 && !state.isWithdrawn;
  const saying = (field: 'declines' | 'chooses') =>
    offer === null ? [] : both.filter((party) => hasNote(transcript, party, field, offer));
  return {
    root,
    parties: both,
    about: listingOf(transcript),
    offer: isOpen
      ? {
          hash: offer.hash,
          by: offer.by,
          market: offer.terms.market,
          poster: parseAddress(offer.terms.poster),
          totalTokWei: offer.terms.totalAmountTokWei,
          acceptBy: offer.expiresAt,
        }
      : null,
    acceptedBy: state.acceptances.map(({ by }) => by),
    chosenBy: saying('chooses')[0] ?? null,
    declinedBy: saying('declines'),
    change: findChange(entries, receivedAt),
  };
}

function findChange(entries: Transcript['entries'], receivedAt: (signed: SignedEnvelope) => number) {
  const types = ['RevisionRequest', 'DeliveryNotice', 'AcceptDelivery'];
  const newest = entries.findLast(({ envelope }) => types.includes(envelope.type));
  if (newest === undefined || newest.envelope.type !== 'RevisionRequest') return null;
  const { taskId = '', payload } = newest.envelope;
  return {
    by: senderOf(newest),
    taskId,
    milestone: milestoneNumber(Number(payload.milestone)),
    words: String(payload.requestedChanges).slice(0, maxWords),
    at: receivedAt(newest),
    hash: newest.hash,
  };
}
