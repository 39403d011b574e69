// The tool that sends one message: builds its envelope, has it signed, and delivers it.
import { type Address, buildTermsTypedData, hashCanonical, isSameAddress, SvcError } from '@svc/sdk/domain';
import {
  buildEnvelope,
  buildEnvelopeTypedData,
  buildJudgeDisclosure,
  findAcceptable,
  formatWire,
  headOf,
  isOffer,
  isParty,
  type JudgeDisclosure,
  noHead,
  readNegotiation,
  signEnvelope,
  type Transcript,
  toContractTerms,
} from '@svc/sdk/negotiation';
import { type Envelope, hashSchema, isMessageType, messageTypes, payloadSchemas } from '@svc/sdk/schemas';
import type { Hex } from 'viem';
import * as z from 'zod';
import type { WalletAnswer } from '#wallet/wallet.ts';
import { checkValue } from './mistakes.ts';
import { buildOffer, type OfferArguments, offerArgument } from './offer.ts';
import { asJsonText, type JsonSchema, publishAny, readJsonText, withoutWords } from './publishedSchema.ts';
import { addressArgument, defineTool, type Tool, type ToolContext, taskIdArgument } from './tool.ts';
import { noRequest, otherOf, pickRequest, requestFields, type ToolMailbox } from './toolMail.ts';

type Step =
  | {
      readonly from: Address;
      readonly envelope: Envelope;
      readonly root: Hex | null;
      /** What the sender has to know once it is sent. */
      readonly note?: string | undefined;
    }
  | {
      readonly from: Address;
      readonly root: Hex;
      readonly payload: { readonly offerHash: string; readonly settlementDigest: string };
    };

/** What waits for the signature of an owner, by the id of its request; the oldest are given up first. */
const pending = new Map<string, Step>();
const maxPending = 1_000;
/** How often a message is built again because another one took its place. */
const maxAttempts = 3;

/** Of payloads: a strict schema of them would be longer than all others together, or impossible. */
const documentFields = ['document', 'documents', 'artifacts', 'milestones', 'keys'];

const outputSchema = z.object({
  sent: z.boolean(),
  ...requestFields,
  hash: hashSchema.nullable(),
  root: hashSchema.nullable(),
  settlementDigest: hashSchema.nullable().describe('Of the offer that this message makes or accepts.'),
  receivedAt: z.int().nullable(),
  next: z.string(),
});

type Answer = z.input<typeof outputSchema>;

export const sendMessageTool: Tool = defineTool({
  name: 'svc_send_message',
  title: 'Send a message',
  description:
    'Sends one message over the gateway: in the conversation root, or to a wallet. TaskProposal and TaskCounterOffer take ' +
    'offer. TaskAcceptance takes settlementDigest and signs that offer, which binds. DisputeEvidence with taskId alone sends ' +
    'the judge of a private dispute all documents and file keys that it lacks. Other types take payload; with document its ' +
    'hashes are filled in. Where sent is false, the owner has a signature to approve: call again after that, with requestId alone.',
  input: z.object({
    from: addressArgument.describe('The wallet that sends.'),
    requestId: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('Of the last call, to go on after its approval.'),
    type: z.enum(messageTypes as unknown as [string, ...string[]]).optional(),
    payload: z.record(z.string(), z.unknown()).default({}),
    offer: offerArgument,
    root: hashSchema.optional().describe('The conversation to continue.'),
    to: addressArgument.optional().describe('Opens a conversation with this wallet instead.'),
    taskId: taskIdArgument.optional().describe('The task that it is about.'),
    settlementDigest: hashSchema
      .optional()
      .describe('Of TaskAcceptance: the last offer, as you have read it.'),
  }),
  published: { payload: publishPayload() },
  output: outputSchema,
  writes: true,
  run: async ({ requestId, ...given }, context, signal) => {
    const message = { ...given, payload: addHashes(given.type, readDocuments(given.payload)) };
    const { from } = message;
    if (requestId === undefined) checkPayload(message);
    const opened = await context.mail.open(from);
    signal.throwIfAborted();
    if ('request' in opened)
      return ask(
        opened.request,
        'Let the owner approve the session, then call again with the same arguments.',
      );
    if (requestId !== undefined) return resume(context, opened.mailbox, from, requestId);
    for (let attempt = 1; ; attempt++) {
      const { mailbox } = attempt === 1 ? opened : ((await context.mail.open(from)) as typeof opened);
      signal.throwIfAborted();
      try {
        return await start(context, mailbox, message);
      } catch (error) {
        const isOvertaken = error instanceof SvcError && error.code === 'PLACE_TAKEN';
        if (!isOvertaken || attempt === maxAttempts) throw error;
      }
    }
  },
});

/** Of all types that are not made from offer, or from the conversation alone. Documents and lists of them are JSON texts. */
function publishPayload(): JsonSchema {
  const {
    TaskProposal: _,
    TaskCounterOffer: _counter,
    TaskAcceptance: _acceptance,
    ...others
  } = payloadSchemas;
  const all = publishAny(Object.values(others));
  const texts = documentFields.map((name) => [name, asJsonText('as JSON text')]);
  return withoutWords(all, 'What a message of this type holds.', Object.fromEntries(texts));
}

function readDocuments(payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = documentFields.filter((name) => name in payload);
  return { ...payload, ...Object.fromEntries(given.map((name) => [name, readJsonText(payload[name])])) };
}

/** What follows from the document of a message, unless it is given. */
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

type Message = {
  readonly from: Address;
  readonly type?: string | undefined;
  readonly payload: Record<string, unknown>;
  readonly offer?: OfferArguments | undefined;
  readonly root?: string | undefined;
  readonly to?: Address | undefined;
  readonly taskId?: string | undefined;
  readonly settlementDigest?: string | undefined;
};

/** Before an owner is asked for anything. Offers and acceptances are checked once they are built. */
function checkPayload({ type = '', payload, offer, taskId }: Message): void {
  const isBuilt =
    (isOffer(type) && offer !== undefined) ||
    (type === 'TaskAcceptance' && payload.signature === undefined) ||
    isDisclosure(type, payload, taskId);
  if (!isBuilt && isMessageType(type)) checkValue(`${type} (payload)`, payloadSchemas[type], payload);
}

/** Whether the message is made from what the judge lacks. */
function isDisclosure(type: string | undefined, payload: object, taskId: string | undefined): boolean {
  return type === 'DisputeEvidence' && taskId !== undefined && Object.keys(payload).length === 0;
}

async function start(context: ToolContext, mailbox: ToolMailbox, message: Message) {
  const { from, type, payload, root, to, taskId } = message;
  if (taskId !== undefined && isDisclosure(type, payload, taskId))
    return sendDisclosure(context, mailbox, from, taskId);
  if (type === undefined || (root === undefined) === (to === undefined))
    throw failed('give a type, and either root or to; or requestId alone.');
  const transcript = root === undefined ? undefined : findTranscript(mailbox, root);
  if (type === 'TaskAcceptance' && payload.signature === undefined && transcript !== undefined)
    return requestAcceptance(context, mailbox, message, transcript);
  const negotiationId = transcript?.negotiationId ?? crypto.randomUUID();
  const other = transcript === undefined ? (to as Address) : otherOf(transcript, from);
  const said =
    isOffer(type) && message.offer !== undefined
      ? { ...(await buildOffer(context, { ...message, negotiationId, other }, transcript)), ...payload }
      : payload;
  return submitEnvelope(
    context,
    mailbox,
    { from, type, payload: said, negotiationId, taskId, to },
    transcript,
  );
}

async function resume(context: ToolContext, mailbox: ToolMailbox, from: Address, requestId: string) {
  const step = pending.get(requestId);
  const answer = await context.mail.readStatus(requestId);
  if (step === undefined || !isSameAddress(step.from, from))
    throw new SvcError('WALLET_REQUEST_NOT_FOUND', {});
  if (answer.signature === null)
    return ask(answer, 'The owner has not signed; call again after the approval.');
  const sent = await proceed(context, mailbox, step, answer.signature as Hex);
  pending.delete(requestId);
  return sent;
}

/** Goes on at once where the wallet has signed already. */
async function proceedOrAsk(
  context: ToolContext,
  mailbox: ToolMailbox,
  step: Step,
  answer: WalletAnswer,
  next: string,
) {
  if (answer.signature !== null) return proceed(context, mailbox, step, answer.signature as Hex);
  if (answer.status === 'failed' || answer.status === 'rejected')
    throw failed(answer.error ?? 'the wallet did not sign');
  pending.set(answer.requestId, step);
  if (pending.size > maxPending) pending.delete(pending.keys().next().value as string);
  return ask(answer, next);
}

async function proceed(
  context: ToolContext,
  mailbox: ToolMailbox,
  step: Step,
  signature: Hex,
): Promise<Answer> {
  if (!('envelope' in step)) {
    const transcript = findTranscript(mailbox, step.root);
    const { from, payload } = step;
    const { negotiationId } = transcript;
    const accepted = { from, type: 'TaskAcceptance', payload: { ...payload, signature }, negotiationId };
    return submitEnvelope(context, mailbox, accepted, transcript);
  }
  const signed = await signEnvelope(step.envelope, async () => signature);
  const { receivedAt } = await mailbox.send(formatWire(signed));
  return {
    sent: true,
    ...noRequest,
    hash: signed.hash,
    root: step.root ?? signed.hash,
    settlementDigest: readDigest(step.envelope),
    receivedAt,
    next: step.note ?? 'svc_inbox shows it, and the answer.',
  };
}

function readDigest({ payload: { settlementDigest } }: Envelope): Hex | null {
  return typeof settlementDigest === 'string' ? (settlementDigest as Hex) : null;
}

/** The sender names the offer: another one may have come since it last read. */
async function requestAcceptance(
  context: ToolContext,
  mailbox: ToolMailbox,
  { from, settlementDigest: meant }: Message,
  transcript: Transcript,
) {
  if (meant === undefined)
    throw failed(
      'a TaskAcceptance takes settlementDigest, that of the offer that you have read (svc_inbox).',
    );
  const now = new Date((await context.now()) * 1_000);
  const { hash, settlementDigest, terms } = findAcceptable(readNegotiation(transcript), from, now);
  if (meant.toLowerCase() !== settlementDigest.toLowerCase())
    throw failed('the last offer has another settlementDigest: read it with svc_inbox before you sign.');
  const { terms: contractTerms, place } = toContractTerms(terms);
  const typedData = buildTermsTypedData(contractTerms, place);
  const answer = await context.mail.requestSignature(
    from,
    'accept-terms',
    'Accept the terms of a task',
    typedData,
  );
  const step: Step = { from, root: transcript.root, payload: { offerHash: hash, settlementDigest } };
  const next = 'Let the owner sign the terms, then call again with requestId alone.';
  return proceedOrAsk(context, mailbox, step, answer, next);
}

/** Sends the judge what it lacks, in the conversation with it if there is one. */
async function sendDisclosure(context: ToolContext, mailbox: ToolMailbox, from: Address, taskId: string) {
  const { task } = await context.market.task(taskId);
  const owed = buildJudgeDisclosure(task, from, mailbox.transcripts);
  if (owed === null)
    throw failed('the judge has all that this wallet has of it, or the task has no judge or is not private.');
  const { to, type, payload } = owed;
  const transcript = mailbox.transcripts.findLast(
    ({ parties, entries }) =>
      isParty(parties, to) && entries.some(({ envelope }) => envelope.taskId === taskId),
  );
  const negotiationId = transcript?.negotiationId ?? crypto.randomUUID();
  const note = describeDisclosure(owed);
  return submitEnvelope(
    context,
    mailbox,
    { from, type, payload, negotiationId, taskId, to, note },
    transcript,
  );
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
  readonly note?: string;
};

async function submitEnvelope(
  context: ToolContext,
  mailbox: ToolMailbox,
  { from, type, payload, negotiationId, taskId, to, note }: Draft,
  transcript: Transcript | undefined,
): Promise<Answer> {
  const isOpening = transcript === undefined;
  const envelope = buildEnvelope(
    {
      type,
      negotiationId,
      taskId,
      sender: { evmAddress: from, xmtpPublicKey: `relay:${from.toLowerCase()}` },
      payload: !isOpening || isOffer(type) ? payload : { ...payload, to },
    },
    isOpening ? noHead : headOf(transcript),
    new Date(),
  );
  const typedData = buildEnvelopeTypedData(envelope, hashCanonical(envelope));
  const answer = await context.mail.requestSignature(from, 'send-message', `Send a ${type}`, typedData);
  const step: Step = { from, envelope, root: transcript?.root ?? null, note };
  const next = 'Let the owner sign the message, then call again with requestId alone.';
  return proceedOrAsk(context, mailbox, step, answer, next);
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

function failed(reason: string): SvcError {
  return new SvcError('TOOL_FAILED', { tool: 'svc_send_message', reason });
}
