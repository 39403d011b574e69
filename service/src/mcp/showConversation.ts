// A conversation as a model reads it: its messages, the last offer, the task that came of it, and ready calls for what is next.
import type { TaskRecord } from '@svc/sdk/actions';
import { type Address, formatTok, isSameAddress, isTerminal, parseAddress } from '@svc/sdk/domain';
import { formatPercent } from '@svc/sdk/internal/domain/amount';
import { isOffer, senderOf } from '@svc/sdk/internal/negotiation/envelope';
import { takeUnbroken } from '@svc/sdk/internal/negotiation/mailReader';
import { findTaskOf } from '@svc/sdk/internal/negotiation/negotiation';
import { hasNote } from '@svc/sdk/internal/negotiation/proposals';
import { findMarketMistake, type Registries } from '@svc/sdk/internal/rules/terms';
import { addressSchema, hashSchema, taskIdSchema, timeSchema } from '@svc/sdk/internal/schemas/primitives';
import {
  headOf,
  type Negotiation,
  type NegotiationStatus,
  readNegotiation,
  type SignedEnvelope,
  statusOf,
  type Transcript,
} from '@svc/sdk/negotiation';
import * as z from 'zod';
import { cutText, shorten, takeFitting, weigh } from './shorten.ts';
import type { MarketReads } from './tool.ts';
import { otherOf, type ToolMailbox } from './toolMail.ts';

/** Present where something was cut. */
export const leftOutSchema = z
  .object({ characters: z.int(), message: hashSchema, taskId: taskIdSchema.optional() })
  .optional()
  .describe('Characters that were cut. svc_inbox with message (and taskId) has the whole.');

/** The weight of one message: about 2,000 characters. */
const maxMessageWeight = 2_500;
/** Of the space of a conversation, for the last offer. */
const offerShare = 0.45;

const messageSchema = z.object({
  sequence: z.int(),
  hash: hashSchema,
  from: addressSchema,
  type: z.string(),
  at: z.string(),
  payload: z.record(z.string(), z.unknown()).describe('Of an offer without terms and document: see offer.'),
  leftOut: leftOutSchema,
  unusable: z.string().optional().describe('Why it has no effect.'),
});

const offerSchema = z
  .object({
    hash: hashSchema,
    leftOut: leftOutSchema,
    by: addressSchema,
    settlementDigest: hashSchema,
    expiresAt: timeSchema,
    posterSignature: z.string().nullable(),
    workerSignature: z.string().nullable(),
    terms: z.record(z.string(), z.unknown()).optional(),
    document: z.record(z.string(), z.unknown()).optional(),
  })
  .nullable()
  .describe(
    'The last offer, with the signatures of those who accepted it. create-task takes root and settlementDigest. Without terms and document where work shows the task.',
  );

const nextSchema = z.object({
  why: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).describe('Fill in words in <angle brackets>.'),
});
type Next = z.input<typeof nextSchema>;

export const conversationSchema = z.object({
  root: hashSchema.describe('The key of the conversation.'),
  negotiationId: z.string(),
  with: addressSchema,
  status: z.string(),
  taskId: taskIdSchema.nullable().describe('The task that the chain has under these terms.'),
  wrongMarket: z
    .string()
    .optional()
    .describe('Why the terms are not for the market that they name. Do not sign.'),
  next: z.array(nextSchema).describe('Ready calls; empty where the other party moves.'),
  untrusted: z.object({
    offer: offerSchema,
    messages: z.array(messageSchema).describe('The newest, oldest first.'),
  }),
  earlier: z.int().describe('Messages before those shown; root, and then cursor, has them.'),
});

/** The task that came out of a conversation: the relay names it, and the chain has it under one of the offers. */
export async function readTaskOf(
  transcript: Transcript,
  { taskOf }: Pick<ToolMailbox, 'taskOf'>,
  market: Pick<MarketReads, 'task'>,
): Promise<string | undefined> {
  const id = taskOf(transcript);
  return id && findTaskOf(transcript, [(await market.task(id)).task])?.id;
}

/** The task that the newest message is about; its sender chose it, so it leads to a question and to no act. */
function findSubject(transcript: Transcript): string | undefined {
  const named = transcript.entries.findLast(({ envelope }) => envelope.taskId !== undefined);
  return taskIdSchema.safeParse(named?.envelope.taskId).data;
}

/** The task that the other party's signed split is about, while it runs: its parties are those of the conversation. */
export async function readSplitTask(
  { entries, parties: { opener, other } }: Transcript,
  made: string | undefined,
  address: Address,
  market: Pick<MarketReads, 'task'>,
): Promise<TaskRecord | undefined> {
  const split = entries.findLast(
    (one) => one.envelope.type === 'MutualCancel' && !isSameAddress(senderOf(one), address),
  );
  const id = split && (taskIdSchema.safeParse(split.envelope.taskId).data ?? made);
  // The sender chose the id: perhaps there is no such task.
  const task = id && (await market.task(id).catch(() => undefined))?.task;
  if (!task || task.worker === null || isTerminal(task.state)) return undefined;
  const parties = [task.poster, task.worker].map(parseAddress);
  const isTheirs = [opener, other].every((one) => parties.some((party) => isSameAddress(party, one)));
  return isTheirs ? task : undefined;
}

/** The splits that the other party has signed, to be sent by this wallet. */
function listSplits({ cancels }: Negotiation, { splitTask, address: from, now }: Viewer): Next[] {
  if (splitTask === undefined) return [];
  const { id: taskId, poster } = splitTask;
  const open = cancels.filter(({ by, validUntil }) => !isSameAddress(by, from) && validUntil * 1_000 > +now);
  return open.map(({ by, workerBps, validUntil, signature }) => {
    const side = isSameAddress(parseAddress(poster), by) ? 'poster' : 'worker';
    const split = {
      workerBps: String(workerBps),
      validUntil: String(validUntil),
      [`${side}Signature`]: signature,
    };
    return {
      why: `The other party has signed this split of ${taskId}, ${formatPercent(workerBps)} to the worker: ends the task, if nothing has changed since.`,
      tool: 'svc_prepare',
      arguments: { action: 'mutual-settle', arguments: { taskId, from, ...split } },
    };
  });
}

/** Ready calls for what the wallet can do now. */
function listNext(
  state: Negotiation,
  status: NegotiationStatus,
  { address }: Pick<Viewer, 'address'>,
  {
    about,
    isChosen,
    isWrong,
  }: { readonly about: string | undefined; readonly isChosen: boolean; readonly isWrong: boolean },
): Next[] {
  const { root, offer, taskId, acceptances } = state;
  const call = (tool: string, why: string, args: Next['arguments']): Next => ({ why, tool, arguments: args });
  const message = (type: string, why: string, more: object) =>
    call('svc_send_message', why, { from: address, root, type, ...more });
  const counter = (why: string) => message('TaskCounterOffer', why, { offer: '<what changes>' });
  // A judge, or a party of a public task, writes about a task and has nothing to offer.
  const subject = status === 'tasked' ? taskId : status === 'talking' ? about : undefined;
  if (subject !== undefined) {
    return [call('svc_task_next_steps', 'What you may do with the task.', { taskId: subject, address })];
  }
  if (status === 'talking') return [message('TaskProposal', 'To make an offer.', { offer: '<terms>' })];
  if (status === 'expired') return [counter('The offer has expired.')];
  if (status === 'vetoed' || status === 'forked' || offer === null) return [];
  if (isWrong) return [counter('The terms are not for the market that they name.')];
  const { terms, settlementDigest, by } = offer;
  const isPoster = isSameAddress(terms.poster, address);
  const isAccepted = (mine: boolean) => acceptances.some((one) => isSameAddress(one.by, address) === mine);
  const other = counter('To offer other terms.');
  if (isAccepted(false)) {
    const given = {
      from: address,
      root,
      settlementDigest,
      ...(isPoster && { fundNowTok: formatTok(BigInt(terms.totalAmountTokWei)) }),
    };
    const why = 'The other party has signed: creates the task, which is your consent.';
    return [call('svc_prepare', why, { action: 'create-task', arguments: given }), other];
  }
  if (isAccepted(true)) {
    const why = 'Creating the task charges your access fee: allow it before the other party does.';
    return [call('svc_onboarding_checklist', why, { address, market: terms.market })];
  }
  if (isSameAddress(by, address))
    return isChosen
      ? [
          message('TaskAcceptance', 'The other party has chosen your offer: signs it, which binds.', {
            settlementDigest,
          }),
        ]
      : [];
  return [message('TaskAcceptance', 'Signs this offer, which binds.', { settlementDigest }), other];
}

type Viewer = {
  readonly address: Address;
  /** The most messages of each conversation. */
  readonly limit: number;
  readonly now: Date;
  /** The task whose work is shown beside the conversations. */
  readonly workOf?: string | undefined;
  /** The weight of the conversation, and of its messages. */
  readonly space: number;
  readonly messageWeight: number;
  /** Only messages before this place. */
  readonly before?: number | undefined;
  /** The result of `readSplitTask`. */
  readonly splitTask: TaskRecord | undefined;
  readonly registries: Registries;
};

/** `taskId` is the result of `readTaskOf`. */
export function showConversation(transcript: Transcript, taskId: string | undefined, viewer: Viewer) {
  const { address, limit, now, workOf, space, before = Number.POSITIVE_INFINITY } = viewer;
  const state = { ...readNegotiation(transcript), taskId };
  const { offer } = state;
  const status = statusOf(state, now);
  const entries = takeUnbroken(transcript.entries.filter(({ envelope }) => envelope.sequence < before));
  const newest = limit === 0 ? [] : entries.slice(-limit).reverse();
  const isShort = taskId !== undefined && taskId === workOf;
  const wrongMarket = offer === null ? null : findMarketMistake(offer.terms, viewer.registries);
  const frame = {
    root: transcript.root,
    negotiationId: transcript.negotiationId,
    with: otherOf(transcript, address),
    status,
    taskId: taskId ?? null,
    ...(wrongMarket !== null && { wrongMarket }),
    next: [
      ...listSplits(state, viewer),
      ...listNext(state, status, viewer, {
        isWrong: wrongMarket !== null,
        about: findSubject(transcript),
        isChosen: offer !== null && hasNote(transcript, otherOf(transcript, address), 'chooses', offer),
      }),
    ],
    untrusted: { offer: showOffer(state, isShort, offerShare * space) },
    earlier: Math.min(before, headOf(transcript).sequence + 1) - 1,
  };
  const messages = takeFitting(
    newest.map((signed) => showMessage(signed, transcript.unusable.get(signed.hash)?.detail)),
    Math.min(viewer.messageWeight, space - weigh(frame)),
  ).reverse();
  const [oldest] = messages;
  return {
    ...frame,
    untrusted: { ...frame.untrusted, messages },
    ...(oldest !== undefined && { earlier: oldest.sequence - 1 }),
  };
}

function showMessage(
  { envelope, hash }: SignedEnvelope,
  unusable: string | undefined,
): z.input<typeof messageSchema> {
  const { type, timestamp, payload } = envelope;
  // Terms and words are long, and only those of the last offer count.
  const { terms: _, document: _document, ...short } = payload;
  const { shown, leftOut } = shorten(isOffer(type) ? short : payload, maxMessageWeight);
  return {
    sequence: envelope.sequence,
    hash,
    from: parseAddress(envelope.sender.evmAddress),
    // Senders choose the length of both.
    type: cutText(type, 60),
    at: cutText(timestamp, 60),
    payload: shown,
    ...(leftOut > 0 && { leftOut: { characters: leftOut, message: hash } }),
    ...(unusable !== undefined && { unusable }),
  };
}

/** `isShort`: the chain has the terms, and the work has the document. */
function showOffer(
  { offer, acceptances }: Negotiation,
  isShort: boolean,
  most: number,
): z.input<typeof offerSchema> {
  if (offer === null) return null;
  const { hash, by, settlementDigest, expiresAt, terms, document } = offer;
  const signatureOf = (party: string) =>
    acceptances.find((one) => isSameAddress(one.by, party as Address))?.signature ?? null;
  const signatures = {
    posterSignature: signatureOf(terms.poster),
    workerSignature: signatureOf(terms.worker),
  };
  const whole = { ...signatures, ...(!isShort && { terms, document }) };
  const { shown, leftOut } = shorten(whole, most);
  return {
    hash,
    ...(leftOut > 0 && { leftOut: { characters: leftOut, message: hash } }),
    by,
    settlementDigest,
    expiresAt,
    // A signature of a smart wallet may be of any length.
    ...{ posterSignature: null, workerSignature: null },
    ...shown,
  };
}
