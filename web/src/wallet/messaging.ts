// The conversations of the connected wallet: reads its mailbox, checks every message itself, and sends new ones.

import { signDocument } from '@svc/sdk/client';
import {
  type Address,
  isSameAddress,
  SvcError,
  type VerifyDigest,
  verifyPlainAccount,
} from '@svc/sdk/domain';
import { gatewayRoutes } from '@svc/sdk/internal/client/clientRoutes';
import {
  type ConversationReader,
  createConversationReader,
  type FoundMail,
  type Wanted,
} from '@svc/sdk/internal/client/conversationReader';
import { isParty } from '@svc/sdk/internal/negotiation/envelope';
import {
  collectDocuments,
  collectFileKeys,
  type FileKeys,
} from '@svc/sdk/internal/negotiation/judgeDisclosure';
import {
  createWriter,
  formatWire,
  readNegotiation,
  type SignedEnvelope,
  type Transcript,
} from '@svc/sdk/negotiation';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Hex } from 'viem';
import { verifyHash } from 'viem/actions';
import { useGatewayNow } from '../components/Clock.tsx';
import { queries } from '../data/client.ts';
import { askGateway, requestPrivately } from '../data/gatewayRequests.ts';
import type { Task } from '../data/market.ts';
import { conversationsKey } from './conversationMarks.ts';
import { useAttempt } from './useAttempt.ts';
import { useSession, useSessionEnd } from './useSession.tsx';
import { requireClient, useWallet, type WalletClient } from './useWallet.tsx';

export type Outgoing = {
  readonly to: Address;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly taskId?: string | undefined;
  /** The conversation; without it one with the same party about the same task, else a new one. */
  readonly root?: Hex | undefined;
  readonly negotiationId?: string | undefined;
};

export type Mailbox = FoundMail;

/** What was read so far: the whole mailbox is never read. */
const readers = new Map<string, ConversationReader>();
const pollMs = 4_000;

/** These conversations; others may be there that the page has read before. Null until the wallet has signed in. */
export function useMailbox(wanted: Wanted | null) {
  const wallet = useWallet();
  const { token } = useSession();
  const client = wallet?.client ?? null;
  const mailbox = useQuery<Mailbox>({
    queryKey: [...mailboxKey(wallet?.address), wanted],
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn:
      token === null || client === null || wanted === null
        ? skipToken
        : ({ signal }) => readMailbox(client, token, wanted, signal),
  });
  useSessionEnd(mailbox.error);
  return mailbox;
}

const mailboxKey = (address: string | undefined) => ['mailbox', address?.toLowerCase()];

async function readMailbox(
  client: WalletClient,
  token: string,
  wanted: Wanted | null,
  signal?: AbortSignal,
): Promise<Mailbox> {
  const { address } = client.account;
  const reader = readers.get(address) ?? createConversationReader(address, createVerify(client));
  readers.set(address, reader);
  if (wanted !== null) await reader.find(createSource(token, signal), wanted);
  return reader.read();
}

function createSource(token: string, signal?: AbortSignal): Parameters<ConversationReader['find']>[0] {
  const { conversations, conversation } = gatewayRoutes;
  return {
    conversations: (query) => requestPrivately(conversations, { ...query, signal }, undefined, { token }),
    conversation: (root, query) =>
      requestPrivately(conversation, { ...query, signal }, undefined, { token, params: { root } }),
  };
}

/** Keys are checked here; only wallets with code are asked on chain, through the reader's own wallet. */
function createVerify(client: WalletClient): VerifyDigest {
  return async (address, hash, signature) =>
    (await verifyPlainAccount(address, hash, signature)) ||
    verifyHash(client, { address, hash, signature }).catch(() => false);
}

export const replacedOffer = 'There is another offer by now. Close this and read it.';

/** Of this page: what is written again after a lost answer is the same message. */
const unsure = new Map<string, SignedEnvelope>();

/** Sends in the right conversation. Signs again if another message took the place. */
export function useSendMessage() {
  const wallet = useWallet();
  const now = useGatewayNow();
  return useCallback(
    async (token: string, message: Outgoing): Promise<SignedEnvelope> => {
      const client = requireClient(wallet);
      const { address } = client.account;
      const { to, type, payload, taskId, negotiationId } = message;
      const writer = createWriter({
        address,
        unsure,
        now: () => new Date(now * 1_000),
        find: async () => findConversation(await readMailbox(client, token, placeOf(message)), message),
        sign: ({ typedData }) => signDocument(client, typedData),
        send: (signed) => deliver(token, formatWire(signed)),
      });
      try {
        return (await writer.write({ type, payload, taskId, place: { to, negotiationId } })).signed;
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'PLACE_TAKEN') throw error;
        throw new Error('The other party is writing at the same time. Try again in a moment.');
      } finally {
        for (const queryKey of [mailboxKey, conversationsKey].map((key) => key(address)))
          await queries.invalidateQueries({ queryKey });
      }
    },
    [wallet, now],
  );
}

async function deliver(token: string, body: string): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await askGateway('/v1/messages', { method: 'POST', headers, body });
  } catch (error) {
    // Another message came first, or one that this page has not read yet.
    const { code } = error instanceof SvcError ? error.details : {};
    throw String(code).startsWith('PLACE_') ? new SvcError('PLACE_TAKEN', {}, error) : error;
  }
}

/** What must be read before a message can be written in its place. */
function placeOf({ to, taskId, root, negotiationId }: Outgoing): Wanted | null {
  if (root !== undefined) return { root };
  return negotiationId !== undefined || taskId === undefined ? null : { with: [to] };
}

/** For a form that sends what it writes, which may need a signature first. */
export function useMessageSending<Args extends readonly unknown[]>(
  write: (...args: Args) => Promise<Outgoing> | Outgoing,
  onSent?: (signed: SignedEnvelope) => Promise<void> | void,
) {
  const send = useSendMessage();
  const { token } = useSession();
  return useAttempt(async (...args: Args) => {
    if (token === null) throw new Error('Sign in at this gateway first.');
    const signed = await send(token, await write(...args));
    await onSent?.(signed);
    return signed;
  });
}

/** A note in a conversation; the marks in its payload, such as `declines`, name the offer that it is about. */
export function useNote(to: Address, root: Hex, onSent?: () => void) {
  return useMessageSending(
    (payload: Readonly<Record<string, string>>) => ({ to, root, type: 'Note', payload }),
    onSent,
  );
}

/**
 * A new negotiation id always opens a conversation. So does a message to one whose newest message was removed or is not
 * proved: nothing can be written after it, and a signature or a counter-offer belongs to no other conversation.
 */
function findConversation(mailbox: Mailbox, message: Outgoing): Transcript | undefined {
  const { to, type, payload, taskId, root, negotiationId } = message;
  const transcripts = mailbox.transcripts.filter((one) => !mailbox.isStuck(one));
  if (root !== undefined) {
    const found = transcripts.find((one) => one.root === root);
    // Read just now: an acceptance takes the place after the offer that its sender saw, or none.
    if (found !== undefined && type === 'TaskAcceptance') {
      const { offer } = readNegotiation(found);
      if (offer?.hash !== payload.offerHash) throw new Error(replacedOffer);
    }
    if (found === undefined && (type === 'TaskAcceptance' || type === 'TaskCounterOffer'))
      throw new Error(
        'The newest message of this conversation was removed or cannot be verified, so nothing can follow it. Make a new offer in a new conversation.',
      );
    return found;
  }
  if (negotiationId !== undefined || taskId === undefined) return undefined;
  const shared = transcripts.filter(({ parties }) => isParty(parties, to));
  // What was negotiated goes on where it was negotiated.
  return (
    shared.find((one) => mailbox.taskOf(one) === taskId) ??
    shared.findLast(({ entries }) =>
      entries.some(({ envelope }) => envelope.taskId === taskId || envelope.payload.about === taskId),
    )
  );
}

export function otherOf({ parties }: Transcript, own: Address): Address {
  return isSameAddress(parties.opener, own) ? parties.other : parties.opener;
}

/** Of private tasks, from the messages that the wallet sent or received; documents by their hash. */
export type Papers = { readonly documents: ReadonlyMap<string, object>; readonly keys: FileKeys };

/** The other wallets of a task: its documents and keys travel between them. */
export function partnersOf(
  task: Partial<Pick<Task, 'poster' | 'worker' | 'dispute'>>,
  own: string | undefined,
) {
  const { poster, worker, dispute } = task;
  return [...new Set([poster, worker, dispute?.judge, dispute?.ruling?.by])].flatMap((wallet) =>
    typeof wallet === 'string' && wallet.toLowerCase() !== own?.toLowerCase() ? [wallet] : [],
  );
}

/** Of a task, from the messages with its other wallets; empty without a session. */
export function usePapers(task: Parameters<typeof partnersOf>[0] | null): {
  readonly papers: Papers;
  readonly transcripts: Mailbox['transcripts'] | undefined;
  readonly isLoading: boolean;
} {
  const own = useWallet()?.address;
  const { data, isLoading } = useMailbox(task && { with: partnersOf(task, own) });
  const transcripts = data?.transcripts;
  const papers = useMemo(
    () => ({ documents: collectDocuments(transcripts ?? []), keys: collectFileKeys(transcripts ?? []) }),
    [transcripts],
  );
  return { papers, transcripts, isLoading };
}
