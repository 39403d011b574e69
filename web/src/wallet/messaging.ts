// The conversations of the connected wallet: reads its mailbox, checks every message itself, and sends new ones.
import { type Address, isSameAddress, type VerifyDigest, verifyPlainAccount } from '@svc/sdk/domain';
import { isOffer, isParty } from '@svc/sdk/internal/negotiation/envelope';
import {
  collectDocuments,
  collectFileKeys,
  type FileKeys,
} from '@svc/sdk/internal/negotiation/judgeDisclosure';
import { createMailReader } from '@svc/sdk/internal/negotiation/mailReader';
import { mailboxPageSchema } from '@svc/sdk/internal/schemas/messages';
import {
  buildEnvelope,
  formatWire,
  headOf,
  type SignedEnvelope,
  signEnvelope,
  type Transcript,
} from '@svc/sdk/negotiation';
import type { Mail } from '@svc/sdk/schemas';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Hex } from 'viem';
import { signTypedData, verifyHash } from 'viem/actions';
import { useGatewayNow } from '#components/Clock.tsx';
import { queries, statusOf } from '#data/client.ts';
import { askGateway } from '#data/gatewayRequests.ts';
import { readNoticeState } from '#data/notices.ts';
import { useAttempt } from './useAttempt.ts';
import { useSession } from './useSession.tsx';
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

export type Mailbox = Awaited<ReturnType<typeof readMailbox>>;

/** What was read so far; positions never change, so nothing is read twice. */
type Read = { after: number; readonly mail: ReturnType<typeof createMailReader> };

const known = new Map<string, Read>();
const pollMs = 4_000;

/** Null until the wallet has signed in. */
export function useMailbox(token: string | null, everyMs = pollMs) {
  const wallet = useWallet();
  const now = useGatewayNow();
  const client = wallet?.client ?? null;
  return useQuery<Mailbox>({
    queryKey: mailboxKey(wallet?.address),
    refetchInterval: everyMs,
    refetchIntervalInBackground: readNoticeState() === 'on',
    retry: false,
    queryFn:
      token === null || client === null ? skipToken : ({ signal }) => readMailbox(client, token, now, signal),
  });
}

const mailboxKey = (address: string | undefined) => ['mailbox', address?.toLowerCase()];

async function readMailbox(client: WalletClient, token: string, now: number, signal?: AbortSignal) {
  const { address } = client.account;
  const read = known.get(address) ?? { after: 0, mail: createMailReader(address, createVerify(client)) };
  known.set(address, read);
  const messages = await loadMessages(token, read.after, signal);
  await read.mail.add(messages, new Date(now * 1_000));
  read.after = Math.max(read.after, messages.at(-1)?.position ?? 0);
  return read.mail.read();
}

/** Everything after a position, own messages included. */
async function loadMessages(token: string, after: number, signal?: AbortSignal): Promise<Mail[]> {
  const found: Mail[] = [];
  for (let next = after; ; ) {
    const headers = { authorization: `Bearer ${token}` };
    const init: RequestInit = { cache: 'no-store', headers, ...(signal !== undefined && { signal }) };
    const reply = await askGateway('/v1/mailbox', init, { after: next, limit: 100 });
    const { messages, nextAfter } = mailboxPageSchema.parse(reply);
    if (messages.length === 0 || nextAfter <= next) return found;
    found.push(...messages);
    next = nextAfter;
  }
}

/** Keys are checked here; only wallets with code are asked on chain, through the reader's own wallet. */
export function createVerify(client: WalletClient): VerifyDigest {
  return async (address, hash, signature) =>
    (await verifyPlainAccount(address, hash, signature)) ||
    verifyHash(client, { address, hash, signature }).catch(() => false);
}

const maxAttempts = 3;

/** Sends in the right conversation. Signs again if another message took the place. */
export function useSendMessage() {
  const wallet = useWallet();
  const now = useGatewayNow();
  return useCallback(
    async (token: string, message: Outgoing): Promise<SignedEnvelope> => {
      const client = requireClient(wallet);
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const signed = await buildMessage(client, message, await readMailbox(client, token, now), now);
        try {
          await askGateway('/v1/messages', {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: formatWire(signed),
          });
        } catch (error) {
          // Another message came first, or one that this page has not read yet.
          if (statusOf(error) === 409) continue;
          throw error;
        }
        await queries.invalidateQueries({ queryKey: mailboxKey(client.account.address) });
        return signed;
      }
      throw new Error('The other party is writing at the same time. Try again in a moment.');
    },
    [wallet, now],
  );
}

/** For a form that sends one message, which may need a signature first. */
export function useMessageSending() {
  const send = useSendMessage();
  const { token } = useSession();
  return useAttempt(async (write: () => Promise<Outgoing> | Outgoing) => {
    if (token === null) throw new Error('Sign in at this gateway first.');
    return send(token, await write());
  });
}

async function buildMessage(
  client: WalletClient,
  message: Outgoing,
  mailbox: Mailbox,
  now: number,
): Promise<SignedEnvelope> {
  const { to, type, payload, taskId } = message;
  const transcript = findConversation(mailbox, message);
  const isOpening = transcript === undefined;
  const envelope = buildEnvelope(
    {
      type,
      negotiationId: transcript?.negotiationId ?? message.negotiationId ?? crypto.randomUUID(),
      taskId,
      sender: { evmAddress: client.account.address, xmtpPublicKey: '' },
      // The signature covers the recipient of a first message, so that nobody can pass it on to another wallet.
      payload: isOpening && !isOffer(type) ? { ...payload, to } : payload,
    },
    headOf(transcript ?? { entries: [] }),
    new Date(now * 1_000),
  );
  return signEnvelope(envelope, (typedData) => signTypedData(client, typedData as never));
}

/**
 * A new negotiation id always opens a conversation. So does a message to one whose newest message was removed or is not
 * proved: nothing can be written after it, and a signature or a counter-offer belongs to no other conversation.
 */
function findConversation(mailbox: Mailbox, message: Outgoing): Transcript | undefined {
  const { to, type, taskId, root, negotiationId } = message;
  const transcripts = mailbox.transcripts.filter((one) => !mailbox.isStuck(one));
  if (root !== undefined) {
    const found = transcripts.find((one) => one.root === root);
    if (found === undefined && (type === 'TaskAcceptance' || type === 'TaskCounterOffer'))
      throw new Error(
        'The newest message of this conversation was removed or cannot be verified, so nothing can follow it. Make a new offer in a new conversation.',
      );
    return found;
  }
  if (negotiationId !== undefined) return undefined;
  return transcripts.findLast(
    ({ parties, entries }) =>
      isParty(parties, to) &&
      taskId !== undefined &&
      entries.some(({ envelope }) => envelope.taskId === taskId || envelope.payload.about === taskId),
  );
}

export function otherOf({ parties }: Transcript, own: Address): Address {
  return isSameAddress(parties.opener, own) ? parties.other : parties.opener;
}

/** Of private tasks, from the messages that the wallet sent or received; documents by their hash. */
export type Papers = { readonly documents: ReadonlyMap<string, object>; readonly keys: FileKeys };

/** Empty without a session. */
export function usePapers(isNeeded: boolean): { readonly papers: Papers; readonly isLoading: boolean } {
  const { token } = useSession();
  const { data, isLoading } = useMailbox(isNeeded ? token : null);
  const papers = useMemo(() => {
    const transcripts = data?.transcripts ?? [];
    return { documents: collectDocuments(transcripts), keys: collectFileKeys(transcripts) };
  }, [data]);
  return { papers, isLoading };
}
