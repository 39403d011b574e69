// The tool that sends one message: builds its envelope, has it signed, and delivers it.
import { explainSignature } from '@svc/sdk/actions';
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { toJsonTypedData } from '@svc/sdk/internal/actions/action';
import { listMoneyLines } from '@svc/sdk/internal/actions/explainCalls';
import { readNet } from '@svc/sdk/internal/actions/prepareAction';
import { formatMoment, formatPercent } from '@svc/sdk/internal/domain/amount';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { toShown } from '@svc/sdk/internal/domain/text';
import { isOffer } from '@svc/sdk/internal/negotiation/envelope';
import { buildAgreementTypedData } from '@svc/sdk/internal/rules/terms';
import { writtenPayload } from '@svc/sdk/internal/schemas/envelope';
import { hashSchema } from '@svc/sdk/internal/schemas/primitives';
import {
  hashTermsDocument,
  isMessageType,
  messageTypes,
  payloadSchemas,
  type TermsDocument,
  type Transcript,
} from '@svc/sdk/negotiation';
import * as z from 'zod';
import { parseValue } from './mistakes.ts';
import { buildOffer, offerArgument, publishOffer, refuseOffer } from './offer.ts';
import { addHashes } from './privatePapers.ts';
import { asJsonText, type JsonSchema, publishAny, readJsonText, withoutWords } from './publishedSchema.ts';
import {
  answerWaiting,
  type MessageAnswer,
  messageOutput,
  messageSteps,
  messageTool,
  sendBy,
} from './sendEnvelope.ts';
import { sendPapers } from './sendPapers.ts';
import { checkWithdrawal, readListing } from './signedOffers.ts';
import {
  addressArgument,
  defineTool,
  findSigner,
  requestIdArgument,
  saySigner,
  type Tool,
  type ToolContext,
  taskIdArgument,
} from './tool.ts';
import { findTranscript, otherOf, type ToolMailbox } from './toolMail.ts';
import { openMessenger } from './toolMessenger.ts';

/** Fields of payloads that clients send as JSON text: strict schemas of them would be too long, or impossible. */
const documentFields = ['document', 'documents', 'artifacts', 'milestones', 'keys'];

const inputSchema = z.object({
  from: addressArgument.describe('The sender.'),
  requestId: requestIdArgument.optional().describe('Of the last call, after its approval.'),
  type: z.enum(messageTypes as unknown as [string, ...string[]]).optional(),
  payload: z.record(z.string(), z.unknown()).default({}),
  offer: offerArgument,
  root: hashSchema.optional().describe('The conversation to continue.'),
  to: addressArgument.optional().describe('Opens a conversation instead.'),
  taskId: taskIdArgument.optional().describe('What it is about.'),
  settlementDigest: hashSchema.optional().describe('Of TaskAcceptance: the offer that you have read.'),
});

type Message = Omit<z.output<typeof inputSchema>, 'requestId'>;
export const sendMessageTool: Tool = defineTool({
  name: messageTool,
  isLocal: true,
  title: 'Send a message',
  description:
    'Sends one message to a conversation or a wallet. TaskProposal and TaskCounterOffer take ' +
    'offer; with payload.about, the id of a listing, only its price and deadline. TaskAcceptance takes settlementDigest and signs ' +
    'that offer, which binds. taskId alone sends other party and judge of a private task what they lack. Other types take ' +
    'payload; document fills in its hashes. Where sent is false, the owner has to approve: then call again with requestId alone.',
  input: inputSchema,
  published: { payload: publishPayload(), offer: publishOffer() },
  output: messageOutput,
  writes: true,
  confirm: async ({ requestId, ...given }, context) => {
    const own = await findSigner(context, { ...given, requestId });
    const lines = own && (await describeMessage(readMessage(given), context));
    return lines && [...lines, saySigner(own)].join('\n');
  },
  run: async ({ requestId, ...given }, context, signal) => {
    const { from } = given;
    const message = requestId === undefined ? readMessage(given) : given;
    const { root } = message;
    const opened = await context.mail.open(from, root === undefined ? undefined : { root });
    signal.throwIfAborted();
    if ('request' in opened)
      return answerWaiting(
        opened.request,
        'Let the owner approve the session, then call again with the same arguments.',
      );
    const here = { context, mailbox: opened.mailbox, signal };
    const answer =
      requestId === undefined ? start(here, message) : messageSteps.resume(context, from, requestId, here);
    return answer.catch((error: unknown) => explainPlace(error, given, context));
  },
});

/**
 * Throws the error again. For a place that is taken with the message that is there, where this wallet can read it; otherwise with a
 * new conversation, which nobody can occupy.
 */
async function explainPlace(
  error: unknown,
  { from, root, payload: _, ...message }: Message,
  { mail }: ToolContext,
): Promise<never> {
  if (!isErrorOf(error, 'PLACE_TAKEN', 'PLACE_GONE')) throw error;
  const opened = await mail.open(from, root === undefined ? undefined : { root });
  const transcripts = 'mailbox' in opened ? opened.mailbox.transcripts : [];
  const known = transcripts.find((one) => one.root === root?.toLowerCase());
  const { hash } = (error.details.head ?? {}) as { readonly hash?: string };
  const isRead = known === undefined || known.entries.some((one) => one.hash === hash);
  const fix = isRead
    ? { tool: 'svc_inbox', arguments: { address: from, ...(root && { root }) } }
    : { tool: messageTool, arguments: { ...message, from, to: otherOf(known, from) } };
  throw new SvcError('PLACE_TAKEN', { ...error.details, fix }, error);
}

/** What its owner confirms: the money of terms, before they bind. Null where nothing will be signed yet. */
async function describeMessage(message: Message, context: ToolContext): Promise<string[] | null> {
  const { from, type = 'message', payload, offer, root, to } = message;
  const isBinding = type === 'TaskAcceptance';
  const whom = to ?? 'the other party of the conversation';
  if (isDisclosure(message))
    return [
      `Send the other party and the judge of ${message.taskId} the documents and file keys that they lack?`,
      'Who has a key can read the file. It moves no money and binds nobody.',
    ];
  if (type === 'MutualCancel') {
    const { workerBps, validUntil } = parseValue(`${type} (payload)`, payloadSchemas[type], payload);
    return [
      `Send your signed split to ${whom}?`,
      `With it they can end the task until ${formatMoment(validUntil)}: ${formatPercent(workerBps)} of what escrow then holds goes to the worker.`,
    ];
  }
  // An acceptance that opens a conversation accepts nothing.
  if (!isOffer(type) && !(isBinding && root !== undefined))
    return [`Send a ${type} to ${whom}?`, 'It moves no money and binds nobody.'];
  if ((root === undefined) === (to === undefined)) return null;
  const opened = root === undefined ? null : await context.mail.open(from, { root });
  if (opened !== null && 'request' in opened) return null;
  const { transcript, ...place } = await findPlace(context, opened?.mailbox, message);
  const { terms, document, lacks } =
    isBinding && transcript !== undefined
      ? await readOffered(context, opened?.mailbox, message, transcript)
      : offer === undefined
        ? { ...parseValue(`${type} (payload)`, payloadSchemas.TaskProposal, payload), lacks: [] }
        : { ...(await buildOffer(context, { ...message, ...place }, transcript)), lacks: [] };
  const typedData = toJsonTypedData(buildAgreementTypedData(terms));
  const explained = await explainSignature(typedData, from, await context.connectPrepare());
  const net = await readNetOf(context, terms, from);
  return [
    isBinding
      ? `Accept the terms ${hashTermsDocument(terms)} of ${place.other}? It binds.`
      : `Send a ${type} to ${place.other}? It binds nobody until both have signed its terms.`,
    `- the task: ${toShown(document.title)}`,
    isBinding ? 'Money:' : 'Money, once both have signed:',
    ...listMoneyLines([explained], from).map((line) => `- ${line}`),
    `In the end: it ${net}.`,
    ...lacks.map(sayLack),
  ];
}

/** The payload fields of all types, except those that are built from `offer` or from the conversation. */
function publishPayload(): JsonSchema {
  const {
    TaskProposal: _,
    TaskCounterOffer: _counter,
    TaskAcceptance: _acceptance,
    ...others
  } = payloadSchemas;
  const all = publishAny(Object.values(others));
  const texts = documentFields.map((field) => [field, asJsonText('as JSON text')]);
  return withoutWords(all, 'What a message of this type holds.', Object.fromEntries(texts));
}

function readDocuments(payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = documentFields.filter((field) => field in payload);
  return { ...payload, ...Object.fromEntries(given.map((field) => [field, readJsonText(payload[field])])) };
}

/** With documents from their texts, and hashes. Checked before an owner is asked for anything; offers and acceptances also once built. */
function readMessage(given: Message): Message {
  const message = { ...given, payload: addHashes(given.type, readDocuments(given.payload)) };
  const { type = '', payload, offer, settlementDigest } = message;
  if (offer !== undefined && !isOffer(type)) throw misplaced('offer', 'TaskProposal and TaskCounterOffer');
  if (settlementDigest !== undefined && type !== 'TaskAcceptance')
    throw misplaced('settlementDigest', 'TaskAcceptance');
  // A counter-offer keeps the criteria of the last offer, and a proposal has those of its listing.
  const isFirst = message.root === undefined && payload.about === undefined;
  if (offer !== undefined && isFirst && String(offer.criteria ?? '').trim() === '')
    throw refuseOffer('criteria: is required, what the work must meet');
  if (isDisclosure(message) || !isMessageType(type)) return message;
  const fields = writtenPayload(type);
  const schema =
    offer !== undefined
      ? fields.pick({ about: true, rationale: true })
      : type === 'TaskAcceptance' && payload.signature === undefined
        ? fields.pick({ settlementDigest: true }).partial()
        : fields;
  parseValue(`${type} (payload)`, schema, payload);
  return message;
}

const misplaced = (field: string, types: string) => messageSteps.failed(`${field} goes with ${types} only.`);

/** Whether the message is built from what the other party or the judge lacks. */
function isDisclosure({ type, payload, taskId, root, to }: Message): boolean {
  const isOpen = type === 'DisputeEvidence' || (type ?? root ?? to) === undefined;
  return isOpen && taskId !== undefined && Object.keys(payload).length === 0;
}

type Here = { readonly context: ToolContext; readonly mailbox: ToolMailbox; readonly signal: AbortSignal };

async function start(here: Here, message: Message): Promise<MessageAnswer> {
  const { context, mailbox } = here;
  const { from, type, payload, root, to, taskId } = message;
  if (taskId !== undefined && isDisclosure(message)) return sendPapers(context, mailbox, from, taskId);
  if (type === undefined || (root === undefined) === (to === undefined))
    throw messageSteps.failed('give a type, and either root or to; or requestId alone.');
  const { transcript, ...place } = await findPlace(context, mailbox, message);
  if (type === 'TaskAcceptance' && payload.signature === undefined && transcript !== undefined)
    return accept(here, message, transcript);
  if (payload.withdraws !== undefined && transcript !== undefined)
    await checkWithdrawal(context, transcript, from, payload.withdraws, messageSteps.failed);
  const said =
    isOffer(type) && message.offer !== undefined
      ? { ...(await buildOffer(context, { ...message, ...place }, transcript)), ...payload }
      : payload;
  const { negotiationId, other } = place;
  const where = transcript === undefined ? { to: other, negotiationId } : { root: transcript.root };
  const draft = { type, payload: said, taskId, place: where };
  const { terms } = said as { readonly terms?: TermsDocument };
  const net = isOffer(type) && terms !== undefined && { net: await readNetOf(context, terms, from) };
  return { ...(await sendBy(here, from, ({ write }) => write(draft))), ...net };
}

/** What the terms bring or cost this wallet in the end. */
async function readNetOf(context: ToolContext, terms: TermsDocument, from: Address): Promise<string> {
  const { market, poster, totalAmountTokWei } = terms;
  const as = isSameAddress(poster, from) ? 'poster' : 'worker';
  const { reads } = await context.connectPrepare();
  return (await readNet({ as, payTokWei: BigInt(totalAmountTokWei) }, { market, from, reads })).line;
}

/** The conversation that the message continues or opens, with whom, and about which listing. */
async function findPlace(
  context: ToolContext,
  mailbox: ToolMailbox | undefined,
  { from, type = '', payload, root, to }: Message,
) {
  const known = root === undefined || mailbox === undefined ? undefined : findTranscript(mailbox, root);
  const transcript = mailbox && known && continueOrLeave(mailbox, known, type);
  const other = known === undefined ? (to as Address) : otherOf(known, from);
  const negotiationId = transcript?.negotiationId ?? crypto.randomUUID();
  const about = transcript === undefined ? payload.about : undefined;
  return {
    transcript,
    other,
    negotiationId,
    listing: await readListing(context, about, other, messageSteps.failed),
  };
}

/**
 * The conversation, or undefined where it has ended: the newest message in it was removed or is not proved, and nothing can be
 * written after it. Then the message opens a new one with the same wallet, unless it answers an offer of the old one.
 */
function continueOrLeave(mailbox: ToolMailbox, transcript: Transcript, type: string): Transcript | undefined {
  if (!mailbox.isStuck(transcript)) return transcript;
  if (type !== 'TaskAcceptance' && type !== 'TaskCounterOffer') return undefined;
  throw messageSteps.failed(
    'the newest message of this conversation was removed or cannot be verified, so nothing can follow it. Make the offer ' +
      'again in a new conversation: TaskProposal with to.',
  );
}

/** The offer that is accepted, and what its other side still needs to enter the task. */
async function readOffered(
  context: ToolContext,
  mailbox: ToolMailbox | undefined,
  message: Message,
  { root }: Transcript,
) {
  if (mailbox === undefined) throw messageSteps.failed('this mailbox is not open');
  const { from } = message;
  const messenger = openMessenger(context, { from, mailbox, isFresh: true, failed: messageSteps.failed });
  const { offer, lacks } = await messenger.readOffered({ root, ...readMeant(message) });
  return { ...offer, lacks };
}

/** The sender names the offer: another one may have come since it last read. Its owner confirms that one, too. */
function readMeant({ payload, ...message }: Message): { readonly settlementDigest: string } {
  const meant = message.settlementDigest ?? payload.settlementDigest;
  if (typeof meant === 'string') return { settlementDigest: meant };
  throw messageSteps.failed(
    'a TaskAcceptance takes settlementDigest, that of the offer that you have read (svc_inbox).',
  );
}

async function accept(here: Here, message: Message, { root }: Transcript): Promise<MessageAnswer> {
  const { from } = message;
  const meant = { root, ...readMeant(message) };
  const { context } = here;
  let said = { lacks: [] as readonly string[], net: '' };
  const answer = await sendBy(here, from, async (messenger) => {
    const { offer, lacks } = await messenger.readOffered(meant);
    const { terms } = offer;
    said = { lacks: lacks.map(sayLack), net: await readNetOf(context, terms, from) };
    return messenger.accept(meant).catch((error: unknown) => explainBonds(error, from, terms.market));
  });
  return { ...answer, next: [answer.next, ...said.lacks].join(' '), net: said.net };
}

const sayLack = (lack: string) => `The other side is not ready: ${lack}.`;

/** Where the wallet has too few bonds, the checklist says what is missing. */
function explainBonds(error: unknown, address: Address, market: string | undefined): never {
  if (!isErrorOf(error, 'NOT_READY_TO_ACT')) throw error;
  const fix = { tool: 'svc_onboarding_checklist', arguments: { address, market } };
  throw new SvcError('NOT_READY_TO_ACT', { reason: String(error.details.reason), fix }, error);
}
