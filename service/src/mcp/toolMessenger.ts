// The messenger of a tool: the conversations of its mailbox, and a wallet whose owner may sign later.
import type { HeldMessage } from '@svc/sdk/client';
import { type Address, formatTok } from '@svc/sdk/domain';
import { toShown } from '@svc/sdk/internal/domain/text';
import { findWords, isOffer } from '@svc/sdk/internal/negotiation/envelope';
import type { Draft } from '@svc/sdk/negotiation';
import {
  createMessenger,
  formatWire,
  type Messenger,
  type Payload,
  type SignedEnvelope,
  type TaskDocument,
  type TermsDocument,
} from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import { shorten, type WalletAnswer } from '../wallet/walletInterface.ts';
import type { ToolContext } from './tool.ts';
import { findTranscript, type ToolMailbox } from './toolMail.ts';

type Reach = {
  readonly from: Address;
  readonly mailbox: ToolMailbox;
  /** Whether the conversation was read just now; false where a call goes on after its owner has signed. */
  readonly isFresh: boolean;
  readonly failed: (reason: string) => Error;
  readonly signal?: AbortSignal | undefined;
};

/** Writes as `from`, in the conversations of its mailbox. */
export function openMessenger(
  context: ToolContext,
  { from, mailbox, isFresh, failed, signal }: Reach,
): ToolMessenger {
  const { mail, market } = context;
  let read: ToolMailbox | null = mailbox;

  /** The signature where the wallet signs at once; else the request to its owner. */
  async function ask(
    action: string,
    summary: string,
    typedData: unknown,
  ): Promise<Hex | { readonly waiting: WalletAnswer }> {
    const request = await mail.requestSignature(from, action, summary, typedData);
    const { signature, status, error } = request;
    if (signature !== null) return signature as Hex;
    if (status === 'failed' || status === 'rejected') throw failed(error ?? 'the wallet did not sign');
    return { waiting: request };
  }

  return createMessenger<HeldMessage, WalletAnswer>({
    address: from,
    unsure,
    readPublicKey: async () => `relay:${from.toLowerCase()}`,
    find: async (place) => {
      signal?.throwIfAborted();
      if ('to' in place) return undefined;
      const first = read;
      // The next look is after another message has come.
      read = null;
      if (first !== null)
        return findTranscript(isFresh ? first : await first.find({ root: place.root }), place.root);
      const opened = await mail.open(from, { root: place.root });
      if ('request' in opened) throw failed('the session is over: call svc_inbox, then try again');
      return findTranscript(opened.mailbox, place.root);
    },
    sign: ({ typedData }, draft, to) => ask('send-message', describeDraft(draft, to), typedData),
    signTerms: (typedData, { document }) =>
      ask('accept-terms', shorten(`Accept the terms of a task: ${toShown(document.title)}`), typedData),
    send: (signed) => mailbox.client.send(formatWire(signed)),
    facts: {
      registries: context.connectPrepare,
      readTime: context.now,
      readSide: async (wallet, name) => {
        const { reads } = await context.connectPrepare();
        const [state, figures] = await Promise.all([reads.readWallet(name, wallet), reads.readFigures(name)]);
        return { ...state, figures };
      },
      isRevoked: async (terms, digest) =>
        (await context.connectPrepare()).reads.readRevoked(terms.market, from, digest),
      readDigest: async (id) => (await market.task(id)).task.settlementDigest,
      listOffered: () => mailbox.find({ isOffered: true }),
    },
  });
}

/** Of this process: what a tool sends again after a lost answer is the same message. */
const unsure = new Map<string, SignedEnvelope>();

export type ToolMessenger = Messenger<HeldMessage, WalletAnswer>;

/** The owner signs a hash, which says nothing, so the request says what goes to whom. */
function describeDraft({ type, payload }: Draft, to: Address): string {
  const said = typeof payload === 'function' ? {} : { ...payload };
  const words = isOffer(type) ? describeOffer(said as Payload<'TaskProposal'>) : findWords(said);
  return shorten(`Send a ${type} to ${to}${words === undefined ? '' : `: ${toShown(words)}`}`);
}

function describeOffer({
  terms,
  document,
}: {
  readonly terms: TermsDocument;
  readonly document: TaskDocument;
}) {
  return `${document.title}, ${formatTok(BigInt(terms.totalAmountTokWei))} TOK`;
}
