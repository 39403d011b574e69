// The answers of the tool that sends messages, and its steps where the owner of the wallet signs later.
import type { HeldMessage } from '@svc/sdk/client';
import type { Address } from '@svc/sdk/domain';
import { hashSchema } from '@svc/sdk/internal/schemas/primitives';
import type { Filed, Step } from '@svc/sdk/negotiation';
import * as z from 'zod';
import type { WalletAnswer } from '../wallet/walletInterface.ts';
import { createSigningSteps } from './signingSteps.ts';
import type { ToolContext } from './tool.ts';
import { noRequest, pickRequest, requestFields, type ToolMailbox } from './toolMail.ts';
import { openMessenger, type ToolMessenger } from './toolMessenger.ts';

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

/** What is done once the owner has signed. */
type Kept = { readonly step: Step; readonly note?: string | undefined };

type Given = {
  readonly context: ToolContext;
  readonly mailbox: ToolMailbox;
  readonly signal?: AbortSignal | undefined;
};

export const messageSteps = createSigningSteps<Kept, Given, MessageAnswer>(messageTool, {
  wait: (request, { step }) =>
    answerWaiting(request, `Let the owner sign the ${step.is}, then call again with requestId alone.`),
  finish: async ({ step, note }, signature, from, given) =>
    answerFiled(await openFor(given, from, false).finish(step, signature), from, given, note),
});

const openFor = ({ context, ...given }: Given, from: Address, isFresh: boolean): ToolMessenger =>
  openMessenger(context, { ...given, from, isFresh, failed: messageSteps.failed });

/** Writes by the messenger of this wallet, and answers with the message, or with the request that its owner has to sign. */
export async function sendBy(
  given: Given,
  from: Address,
  write: (messenger: ToolMessenger) => Promise<Filed<HeldMessage, WalletAnswer>>,
  note?: string,
): Promise<MessageAnswer> {
  return answerFiled(await write(openFor(given, from, true)), from, given, note);
}

function answerFiled(
  filed: Filed<HeldMessage, WalletAnswer>,
  from: Address,
  { context }: Given,
  note: string | undefined,
): MessageAnswer {
  if (filed.is === 'waiting') {
    const { waiting, step } = filed;
    return messageSteps.keep(context, waiting, { from, data: { step, note } });
  }
  const { signed, root, sent } = filed;
  const { settlementDigest: digest } = signed.envelope.payload;
  return {
    sent: true,
    ...noRequest,
    hash: signed.hash,
    root,
    settlementDigest: typeof digest === 'string' ? digest : null,
    receivedAt: sent.receivedAt,
    next: note ?? 'svc_inbox shows it, and the answer.',
  };
}

export function answerWaiting(answer: WalletAnswer, next: string): MessageAnswer {
  const nothing = { hash: null, root: null, settlementDigest: null, receivedAt: null };
  return { sent: false, ...pickRequest(answer), ...nothing, next };
}
