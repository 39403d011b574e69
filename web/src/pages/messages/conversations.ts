// Conversations as the page lists them: their state, what is unread, and the task that came out of one.
import type { Address } from '@svc/sdk/domain';
import { isOffer, isParty } from '@svc/sdk/internal/negotiation/envelope';
import { takeUnbroken } from '@svc/sdk/internal/negotiation/mailReader';
import { findTaskOf } from '@svc/sdk/internal/negotiation/negotiation';
import type { ListedConversation } from '@svc/sdk/internal/schemas/conversations';
import { taskDocumentSchema } from '@svc/sdk/internal/schemas/documents';
import { taskIdSchema } from '@svc/sdk/internal/schemas/primitives';
import {
  type NegotiationStatus,
  type Offer,
  readNegotiation,
  type SignedEnvelope,
  statusOf,
  type Transcript,
} from '@svc/sdk/negotiation';
import { useMemo } from 'react';
import { type Task, useOwnTasks } from '#data/market.ts';
import { type Mailbox, otherOf, replacedOffer } from '#wallet/messaging.ts';
import { readOffer } from './OfferCard.tsx';

export type Conversation = ReturnType<typeof describe>;

/** Newest first. */
export function useConversations(mailbox: Mailbox | undefined, own: Address, now: number) {
  const [standard, micro] = [useOwnTasks('standard', own), useOwnTasks('micro', own)];
  const minute = Math.floor(now / 60) * 60;
  return useMemo(() => {
    const tasks = [...(standard.data ?? []), ...(micro.data ?? [])];
    return (mailbox?.transcripts ?? [])
      .map((transcript) => describe(transcript, { mailbox, own, tasks, now: minute }))
      .sort((one, other) => other.lastAt - one.lastAt);
  }, [mailbox, own, standard.data, micro.data, minute]);
}

/** Undefined until it has been read. */
export function findConversation(
  mailbox: Mailbox | undefined,
  root: string,
  context: Omit<Context, 'mailbox'>,
) {
  const transcript = mailbox?.transcripts.find((one) => one.root === root);
  return transcript && describe(transcript, { ...context, mailbox });
}

/** The digest on chain names the task. */
export function findListedTask({ settlementDigest }: ListedConversation, tasks: readonly Task[]) {
  return settlementDigest === null
    ? undefined
    : tasks.find((one) => one.settlementDigest?.toLowerCase() === settlementDigest);
}

export function titleOfListed({ title, about }: ListedConversation, task: Task | undefined): string {
  return task?.title ?? title ?? (isTaskId(about) ? `About task ${about}` : 'Conversation');
}

type Context = { mailbox: Mailbox | undefined; own: Address; tasks: readonly Task[]; now: number };

function describe(transcript: Transcript, { mailbox, own, tasks, now }: Context) {
  const messages = [...takeUnbroken(transcript.entries), ...transcript.aside].sort(
    (one, other) => one.envelope.sequence - other.envelope.sequence,
  );
  const { entries } = transcript;
  const task = findTaskOf(transcript, tasks);
  // The mailbox is read through the wallet, which has verified every signature on this chain.
  const negotiation = readNegotiation(transcript, { refused: new Set(), taskId: task?.id });
  const lastAt = Math.max(
    ...messages.map(({ hash, envelope }) => mailbox?.receivedAt.get(hash) ?? toSeconds(envelope.timestamp)),
  );
  return {
    /** The wallet that reads it. */
    own,
    transcript,
    negotiation,
    status: statusOf(negotiation, new Date(now * 1_000)),
    other: otherOf(transcript, own),
    /** The newest that were read, in the order of their places; those beside the chain included. */
    messages,
    lastAt,
    title: titleOf(entries, task),
    /** The id of the task that it is about, which a message may only name. */
    about: task?.id ?? findAbout(entries),
    task: task ?? null,
    /** The task of these two parties, also one that a message only names. */
    worked: task ?? findNamed(transcript, entries, tasks) ?? null,
  };
}

export function toSeconds(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1_000);
}

function titleOf(messages: readonly SignedEnvelope[], task: Task | undefined): string {
  if (task?.title !== undefined) return task.title;
  const offer = messages.findLast(({ envelope }) => isOffer(envelope.type));
  if (offer !== undefined) return readOffer(offer.envelope).document.title;
  const handed = messages.flatMap(({ envelope: { payload } }) =>
    Array.isArray(payload.documents) ? payload.documents : [],
  );
  const words = handed.map((document) => taskDocumentSchema.safeParse(document).data);
  const title = words.find((document) => document !== undefined)?.title;
  const id = findAbout(messages);
  return title ?? (id === null ? 'Conversation' : `About task ${id}`);
}

export function isTaskId(value: unknown): value is string {
  return taskIdSchema.safeParse(value).success;
}

function findAbout(messages: readonly SignedEnvelope[]): string | null {
  return messages.flatMap(({ envelope }) => [envelope.payload.about, envelope.taskId]).find(isTaskId) ?? null;
}

/** Only a task that both parties share: anyone can name any id. */
function findNamed(
  { parties }: Transcript,
  messages: readonly SignedEnvelope[],
  tasks: readonly Task[],
): Task | undefined {
  const named = new Set(messages.flatMap(({ envelope }) => [envelope.taskId, envelope.payload.about]));
  return tasks.find(
    ({ id, poster, worker }) =>
      named.has(id) &&
      [poster, worker].every((party) => party !== undefined && isParty(parties, party as Address)),
  );
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
