// Conversations as the page lists them: their state, what is unread, and the task that came out of one.

import { taskDocumentSchema } from '@svc/sdk/documents';
import { type Address, markets, parseTaskId } from '@svc/sdk/domain';
import { isOffer } from '@svc/sdk/internal/negotiation/envelope';
import { takeUnbroken } from '@svc/sdk/internal/negotiation/mailReader';
import type { ListedConversation } from '@svc/sdk/internal/schemas/conversations';
import { taskIdSchema } from '@svc/sdk/internal/schemas/primitives';
import {
  type NegotiationStatus,
  type Offer,
  readNegotiation,
  type SignedEnvelope,
  statusOf,
  type Transcript,
} from '@svc/sdk/negotiation';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { client } from '../../data/client.ts';
import { nameTask } from '../../data/format.ts';
import { type Mailbox, otherOf, replacedOffer } from '../../wallet/messaging.ts';
import { readOffer } from './OfferCard.tsx';

export type Conversation = ReturnType<typeof describeConversation>;

type Named = Pick<ListedConversation, 'title' | 'about'>;

/** What conversations are called: by their offer, else by the task that they name. */
export function useTitles(conversations: readonly Named[]): (conversation: Named) => string {
  const ids = conversations.flatMap(({ title, about }) => (title === null && isTaskId(about) ? [about] : []));
  const lists = useQueries({
    queries: markets.map((market) => {
      const asked = [...new Set(ids.filter((id) => parseTaskId(id).market === market))];
      return {
        queryKey: ['titles', market, ...asked],
        enabled: asked.length > 0,
        placeholderData: keepPreviousData,
        queryFn: async ({ signal }: { signal: AbortSignal }) => (await client.tasks(asked, { signal })).tasks,
      };
    }),
  });
  const tasks = lists.flatMap(({ data = [] }) => data);
  return ({ title, about }) => {
    if (title !== null || !isTaskId(about)) return title ?? 'Conversation';
    return nameTask(tasks.find(({ id }) => id === about) ?? { id: about, scope: 'open' });
  };
}

type Context = {
  mailbox: Mailbox | undefined;
  own: Address;
  /** The task that came out of it, as the gateway says. */
  taskId: string | undefined;
  now: number;
};

export function describeConversation(transcript: Transcript, { mailbox, own, taskId, now }: Context) {
  const messages = [...takeUnbroken(transcript.entries), ...transcript.aside].sort(
    (one, other) => one.envelope.sequence - other.envelope.sequence,
  );
  const { entries } = transcript;
  // The mailbox is read through the wallet, which has verified every signature on this chain.
  const negotiation = readNegotiation(transcript, { refused: new Set(), taskId });
  const timeOf = ({ hash, envelope }: SignedEnvelope) =>
    mailbox?.receivedAt.get(hash) ?? Math.floor(Date.parse(envelope.timestamp) / 1_000);
  return {
    /** The wallet that reads it. */
    own,
    transcript,
    negotiation,
    status: statusOf(negotiation, new Date(now * 1_000)),
    other: otherOf(transcript, own),
    /** The newest that were read, in the order of their places; those beside the chain included. */
    messages,
    /** When the gateway took a message; until it has been read back, when its sender wrote it. */
    timeOf,
    lastAt: Math.max(...messages.map(timeOf)),
    title: titleOf(entries),
    /** The id of the task that it is about, which a message may only name. */
    about: taskId ?? findAbout(entries),
    taskId: taskId ?? null,
  };
}

function titleOf(messages: readonly SignedEnvelope[]): string | null {
  const offer = messages.findLast(({ envelope }) => isOffer(envelope.type));
  if (offer !== undefined) return readOffer(offer.envelope).document.title;
  const handed = messages.flatMap(({ envelope: { payload } }) =>
    Array.isArray(payload.documents) ? payload.documents : [],
  );
  const words = handed.map((document) => taskDocumentSchema.safeParse(document).data);
  return words.find((document) => document !== undefined)?.title ?? null;
}

export function isTaskId(value: unknown): value is string {
  return taskIdSchema.safeParse(value).success;
}

function findAbout(messages: readonly SignedEnvelope[]): string | null {
  return messages.flatMap(({ envelope }) => [envelope.payload.about, envelope.taskId]).find(isTaskId) ?? null;
}

export const endings: Partial<Record<NegotiationStatus, string>> = {
  expired: 'This offer has ended.',
  forked: 'One side has sent two different messages at the same place, so nothing here can be accepted.',
  vetoed: 'A supervisor forbids to accept anything here until the veto is withdrawn.',
  tasked: 'The task exists already.',
};

/** Why the offer that an open dialog shows should not be signed any more, for its reader; null while it is the last one. */
export function findOfferChange({ negotiation, status }: Conversation, shown: Offer): string | null {
  if (negotiation.offer?.hash !== shown.hash) return replacedOffer;
  return negotiation.isWithdrawn ? 'This offer was taken back.' : (endings[status] ?? null);
}

export const statusWords: Readonly<Record<NegotiationStatus, string>> = {
  talking: 'talking',
  offered: 'offer open',
  'accepted-by-one': 'signed by one',
  signed: 'signed by both',
  agreed: 'agreed',
  expired: 'offer ended',
  vetoed: 'vetoed',
  forked: 'forked',
  tasked: 'task created',
};
