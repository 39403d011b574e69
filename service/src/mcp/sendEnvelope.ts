// Builds one message, has its envelope signed, and delivers it.
import { type Address, formatTok } from '@svc/sdk/domain';
import { hashCanonical } from '@svc/sdk/internal/domain/canonical';
import { toShown } from '@svc/sdk/internal/domain/text';
import { findWords, isOffer } from '@svc/sdk/internal/negotiation/envelope';
import { hashSchema } from '@svc/sdk/internal/schemas/primitives';
import {
  buildEnvelope,
  buildEnvelopeTypedData,
  type Envelope,
  formatWire,
  headOf,
  noHead,
  type Payload,
  signEnvelope,
  type Transcript,
} from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import * as z from 'zod';
import { shorten, type WalletAnswer } from '../wallet/walletInterface.ts';
import { createSigningSteps } from './signingSteps.ts';
import type { ToolContext } from './tool.ts';
import {
  findTranscript,
  noRequest,
  otherOf,
  pickRequest,
  requestFields,
  type ToolMailbox,
} from './toolMail.ts';

/** Of the tool that sends messages. */
export const messageTool = 'svc_send_message';

export const messageOutput = z.object({
  sent: z.boolean(),
  ...requestFields,
  hash: hashSchema.nullable(),
  root: hashSchema.nullable(),
  settlementDigest: hashSchema.nullable().describe('Of the offer that this message makes or accepts.'),
  receivedAt: z.int().nullable(),
  net: z.string().optional().describe('What the terms bring or cost in the end.'),
  next: z.string(),
});

export type MessageAnswer = z.input<typeof messageOutput>;

/** What is done once the owner has signed: a message, or terms, whose signature goes into a message then. */
type Waiting =
  | {
      readonly kind: 'message';
      readonly envelope: Envelope;
      readonly root: string | null;
      readonly note?: string | undefined;
    }
  | {
      readonly kind: 'terms';
      readonly root: string;
      readonly negotiationId: string;
      readonly offerHash: string;
      readonly settlementDigest: string;
    };

type Given = { readonly context: ToolContext; readonly mailbox: ToolMailbox };

export const messageSteps = createSigningSteps<Waiting, Given, MessageAnswer>(messageTool, {
  wait: (request, { kind }) =>
    answerWaiting(request, `Let the owner sign the ${kind}, then call again with requestId alone.`),
  finish: async (waiting, signature, from, { context, mailbox }) => {
    if (waiting.kind === 'message') return deliver(waiting, signature, mailbox);
    const { root, negotiationId, offerHash, settlementDigest } = waiting;
    const payload = { offerHash, settlementDigest, signature };
    const draft = { from, type: 'TaskAcceptance', payload, negotiationId };
    const current = await mailbox.find({ root });
    return submitEnvelope(context, current, draft, findTranscript(current, root));
  },
});

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

export async function submitEnvelope(
  context: ToolContext,
  mailbox: ToolMailbox,
  draft: Draft,
  transcript: Transcript | undefined,
): Promise<MessageAnswer> {
  const { from, type, payload, negotiationId, taskId, to, note } = draft;
  const sender = { evmAddress: from, xmtpPublicKey: `relay:${from.toLowerCase()}` };
  const said = transcript !== undefined || isOffer(type) ? payload : { ...payload, to };
  const head = transcript === undefined ? noHead : headOf(transcript);
  const envelope = buildEnvelope({ type, negotiationId, taskId, sender, payload: said }, head, new Date());
  const typedData = buildEnvelopeTypedData(envelope, hashCanonical(envelope));
  const summary = describeDraft(draft, transcript);
  const request = await context.mail.requestSignature(from, 'send-message', summary, typedData);
  const data = { kind: 'message', envelope, root: transcript?.root ?? null, note } as const;
  return messageSteps.begin(context, request, { from, data }, { context, mailbox });
}

async function deliver(
  { envelope, root, note }: Extract<Waiting, { kind: 'message' }>,
  signature: Hex,
  { client }: ToolMailbox,
): Promise<MessageAnswer> {
  const signed = await signEnvelope(envelope, async () => signature);
  const { receivedAt } = await client.send(formatWire(signed));
  const { settlementDigest: digest } = envelope.payload;
  return {
    sent: true,
    ...noRequest,
    hash: signed.hash,
    root: root ?? signed.hash,
    settlementDigest: typeof digest === 'string' ? digest : null,
    receivedAt,
    next: note ?? 'svc_inbox shows it, and the answer.',
  };
}

/** The owner signs a hash, which says nothing, so the request says what goes to whom. */
function describeDraft({ from, type, payload, to }: Draft, transcript: Transcript | undefined): string {
  const whom = transcript === undefined ? to : otherOf(transcript, from);
  const words = isOffer(type) ? describeOffer(payload as Payload<'TaskProposal'>) : findWords(payload);
  return shorten(`Send a ${type} to ${whom}${words === undefined ? '' : `: ${toShown(words)}`}`);
}

function describeOffer({ terms, document }: Payload<'TaskProposal'>): string {
  return `${document.title}, ${formatTok(BigInt(terms.totalAmountTokWei))} TOK`;
}

export function answerWaiting(answer: WalletAnswer, next: string): MessageAnswer {
  const nothing = { hash: null, root: null, settlementDigest: null, receivedAt: null };
  return { sent: false, ...pickRequest(answer), ...nothing, next };
}
