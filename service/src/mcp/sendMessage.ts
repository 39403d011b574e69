// The tool that sends one message: builds its envelope, has it signed, and delivers it.
import { type Address, buildTermsTypedData, SvcError } from '@svc/sdk/domain';
import { retry } from '@svc/sdk/internal/domain/backoff';
import { hashCanonical } from '@svc/sdk/internal/domain/canonical';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { isOffer, isParty } from '@svc/sdk/internal/negotiation/envelope';
import { findAcceptable } from '@svc/sdk/internal/negotiation/nextMessages';
import { hashSchema } from '@svc/sdk/internal/schemas/primitives';
import {
  buildEnvelope,
  buildEnvelopeTypedData,
  buildJudgeDisclosure,
  formatWire,
  headOf,
  type JudgeDisclosure,
  noHead,
  readNegotiation,
  signEnvelope,
  type Transcript,
  toContractTerms,
} from '@svc/sdk/negotiation';
import { isMessageType, messageTypes, payloadSchemas } from '@svc/sdk/schemas';
import type { Hex } from 'viem';
import * as z from 'zod';
import type { WalletAnswer } from '#wallet/walletInterface.ts';
import { checkValue } from './mistakes.ts';
import { buildOffer, offerArgument } from './offer.ts';
import { asJsonText, type JsonSchema, publishAny, readJsonText, withoutWords } from './publishedSchema.ts';
import { createSigningSteps } from './signingSteps.ts';
import {
  addressArgument,
  defineTool,
  requestIdArgument,
  type Tool,
  type ToolContext,
  taskIdArgument,
} from './tool.ts';
import { noRequest, otherOf, pickRequest, requestFields, type ToolMailbox } from './toolMail.ts';

const name = 'svc_send_message';
/** How often a message is built again because another one took its place. */
const maxAttempts = 3;

/** Fields of payloads that clients send as JSON text: strict schemas of them would be too long, or impossible. */
const documentFields = ['document', 'documents', 'artifacts', 'milestones', 'keys'];

const inputSchema = z.object({
  from: addressArgument.describe('The wallet that sends.'),
  requestId: requestIdArgument.optional().describe('Of the last call, to go on after its approval.'),
  type: z.enum(messageTypes as unknown as [string, ...string[]]).optional(),
  payload: z.record(z.string(), z.unknown()).default({}),
  offer: offerArgument,
  root: hashSchema.optional().describe('The conversation to continue.'),
  to: addressArgument.optional().describe('Opens a conversation with this wallet instead.'),
  taskId: taskIdArgument.optional().describe('The task that it is about.'),
  settlementDigest: hashSchema.optional().describe('Of TaskAcceptance: the last offer, as you have read it.'),
});

const outputSchema = z.object({
  sent: z.boolean(),
  ...requestFields,
  hash: hashSchema.nullable(),
  root: hashSchema.nullable(),
  settlementDigest: hashSchema.nullable().describe('Of the offer that this message makes or accepts.'),
  receivedAt: z.int().nullable(),
  next: z.string(),
});

type Message = Omit<z.output<typeof inputSchema>, 'requestId'>;
type Answer = z.input<typeof outputSchema>;

const steps = createSigningSteps<ToolMailbox, Answer>(name);

export const sendMessageTool: Tool = defineTool({
  name,
  title: 'Send a message',
  description:
    'Sends one message over the gateway: in the conversation root, or to a wallet. TaskProposal and TaskCounterOffer take ' +
    'offer. TaskAcceptance takes settlementDigest and signs that offer, which binds. DisputeEvidence with taskId alone sends ' +
    'the judge of a private dispute all documents and file keys that it lacks. Other types take payload; with document its ' +
    'hashes are filled in. Where sent is false, the owner has a signature to approve: call again after that, with requestId alone.',
  input: inputSchema,
  published: { payload: publishPayload() },
  output: outputSchema,
  writes: true,
  run: async ({ requestId, ...given }, context, signal) => {
    const { from } = given;
    const message = { ...given, payload: addHashes(given.type, readDocuments(given.payload)) };
    if (requestId === undefined) checkPayload(message);
    const attempt = async () => {
      const opened = await context.mail.open(from);
      signal.throwIfAborted();
      if ('request' in opened)
        return ask(
          opened.request,
          'Let the owner approve the session, then call again with the same arguments.',
        );
      const { mailbox } = opened;
      return requestId === undefined
        ? start(context, mailbox, message)
        : steps.resume(context.mail, from, requestId, mailbox);
    };
    const shouldRetry = (error: unknown) => requestId === undefined && isErrorOf(error, 'PLACE_TAKEN');
    return retry(attempt, { attempts: maxAttempts, firstMs: 0, longestMs: 0, shouldRetry });
  },
});

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

/** Adds the fields that follow from the document of a message, unless they are given. */
function addHashes(
  type: string | undefined,
  payload: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const document = payload.document as { readonly milestone?: unknown } | null | undefined;
  if (typeof document !== 'object' || document === null) return payload;
  const hash = hashCanonical(document);
  if (type === 'DeliveryNotice') return { milestone: document.milestone, proofHash: hash, ...payload };
  return type === 'DisputeEvidence' ? { claim: 'other', evidenceHashes: [hash], ...payload } : payload;
}

/** Runs before an owner is asked for anything. Offers and acceptances are checked once they are built. */
function checkPayload(message: Message): void {
  const { type = '', payload, offer } = message;
  const isBuilt =
    (isOffer(type) && offer !== undefined) ||
    (type === 'TaskAcceptance' && payload.signature === undefined) ||
    isDisclosure(message);
  if (!isBuilt && isMessageType(type)) checkValue(`${type} (payload)`, payloadSchemas[type], payload);
}

/** Whether the message is built from what the judge lacks. */
function isDisclosure({ type, payload, taskId }: Message): boolean {
  return type === 'DisputeEvidence' && taskId !== undefined && Object.keys(payload).length === 0;
}

async function start(context: ToolContext, mailbox: ToolMailbox, message: Message): Promise<Answer> {
  const { from, type, payload, root, to, taskId } = message;
  if (taskId !== undefined && isDisclosure(message)) return sendDisclosure(context, mailbox, from, taskId);
  if (type === undefined || (root === undefined) === (to === undefined))
    throw steps.failed('give a type, and either root or to; or requestId alone.');
  const transcript = root === undefined ? undefined : findTranscript(mailbox, root);
  if (type === 'TaskAcceptance' && payload.signature === undefined && transcript !== undefined)
    return requestAcceptance(context, mailbox, message, transcript);
  const negotiationId = transcript?.negotiationId ?? crypto.randomUUID();
  const other = transcript === undefined ? (to as Address) : otherOf(transcript, from);
  const said =
    isOffer(type) && message.offer !== undefined
      ? { ...(await buildOffer(context, { ...message, negotiationId, other }, transcript)), ...payload }
      : payload;
  const draft = { from, type, payload: said, negotiationId, taskId, to };
  return submitEnvelope(context, mailbox, draft, transcript);
}

/** The sender names the offer: another one may have come since it last read. */
async function requestAcceptance(
  context: ToolContext,
  mailbox: ToolMailbox,
  { from, settlementDigest: meant }: Message,
  transcript: Transcript,
): Promise<Answer> {
  if (meant === undefined)
    throw steps.failed(
      'a TaskAcceptance takes settlementDigest, that of the offer that you have read (svc_inbox).',
    );
  const now = new Date((await context.now()) * 1_000);
  const { root, negotiationId } = transcript;
  const { hash: offerHash, settlementDigest, terms } = findAcceptable(readNegotiation(transcript), from, now);
  if (meant.toLowerCase() !== settlementDigest.toLowerCase())
    throw steps.failed(
      'the last offer has another settlementDigest: read it with svc_inbox before you sign.',
    );
  const { terms: contractTerms, place } = toContractTerms(terms);
  const typedData = buildTermsTypedData(contractTerms, place);
  const title = 'Accept the terms of a task';
  const request = await context.mail.requestSignature(from, 'accept-terms', title, typedData);
  const finish = (signature: Hex, current: ToolMailbox) => {
    const payload = { offerHash, settlementDigest, signature };
    const draft = { from, type: 'TaskAcceptance', payload, negotiationId };
    return submitEnvelope(context, current, draft, findTranscript(current, root));
  };
  return steps.begin(request, { from, wait: askFor('the terms'), finish }, mailbox);
}

/** Sends the judge what it lacks, in the conversation with it if there is one. */
async function sendDisclosure(context: ToolContext, mailbox: ToolMailbox, from: Address, taskId: string) {
  const { task } = await context.market.task(taskId);
  const owed = buildJudgeDisclosure(task, from, mailbox.transcripts);
  if (owed === null)
    throw steps.failed(
      'the judge has all that this wallet has of it, or the task has no judge or is not private.',
    );
  const { to, type, payload } = owed;
  const transcript = mailbox.transcripts.findLast(
    ({ parties, entries }) =>
      isParty(parties, to) && entries.some(({ envelope }) => envelope.taskId === taskId),
  );
  const negotiationId = transcript?.negotiationId ?? crypto.randomUUID();
  const draft = { from, type, payload, negotiationId, taskId, to, note: describeDisclosure(owed) };
  return submitEnvelope(context, mailbox, draft, transcript);
}

function describeDisclosure({ payload: { documents = [], keys = {} }, unknown }: JudgeDisclosure): string {
  const sent = `The judge got ${documents.length} documents and ${Object.keys(keys).length} keys.`;
  if (unknown.length === 0) return sent;
  return (
    `${sent} ${unknown.length} documents of the dispute are in none of your messages: ${unknown.join(', ')}. Send your own ` +
    'to the other party as DisputeEvidence with document; the other party sends its own, or hands them to the judge itself.'
  );
}

type Draft = {
  readonly from: Address;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly negotiationId: string;
  readonly taskId?: string | undefined;
  /** Of a new conversation. */
  readonly to?: Address | undefined;
  /** What the sender has to know once it is sent. */
  readonly note?: string;
};

async function submitEnvelope(
  context: ToolContext,
  mailbox: ToolMailbox,
  { from, type, payload, negotiationId, taskId, to, note }: Draft,
  transcript: Transcript | undefined,
): Promise<Answer> {
  const envelope = buildEnvelope(
    {
      type,
      negotiationId,
      taskId,
      sender: { evmAddress: from, xmtpPublicKey: `relay:${from.toLowerCase()}` },
      payload: transcript !== undefined || isOffer(type) ? payload : { ...payload, to },
    },
    transcript === undefined ? noHead : headOf(transcript),
    new Date(),
  );
  const typedData = buildEnvelopeTypedData(envelope, hashCanonical(envelope));
  const request = await context.mail.requestSignature(from, 'send-message', `Send a ${type}`, typedData);
  const finish = async (signature: Hex, { send }: ToolMailbox): Promise<Answer> => {
    const signed = await signEnvelope(envelope, async () => signature);
    const { receivedAt } = await send(formatWire(signed));
    const { settlementDigest: digest } = envelope.payload;
    return {
      sent: true,
      ...noRequest,
      hash: signed.hash,
      root: transcript?.root ?? signed.hash,
      settlementDigest: typeof digest === 'string' ? (digest as Hex) : null,
      receivedAt,
      next: note ?? 'svc_inbox shows it, and the answer.',
    };
  };
  return steps.begin(request, { from, wait: askFor('the message'), finish }, mailbox);
}

function findTranscript({ transcripts }: ToolMailbox, root: string): Transcript {
  const found = transcripts.find((one) => one.root === root.toLowerCase());
  if (found === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId: root });
  return found;
}

function ask(answer: WalletAnswer, next: string): Answer {
  const nothing = { hash: null, root: null, settlementDigest: null, receivedAt: null };
  return { sent: false, ...pickRequest(answer), ...nothing, next };
}

function askFor(what: string) {
  return (request: WalletAnswer) =>
    ask(request, `Let the owner sign ${what}, then call again with requestId alone.`);
}
