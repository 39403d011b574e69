// The mailboxes that the tools read and write: sessions and messages that a wallet signs by requests, one step per call.

import { createMailboxClient, type MailboxClient } from '@svc/sdk/client';
import { type Address, isSameAddress, SvcError, type VerifyDigest } from '@svc/sdk/domain';
import { toJsonTypedData } from '@svc/sdk/internal/actions/action';
import {
  type ConversationReader,
  createConversationReader,
  type FoundMail,
  type Wanted,
} from '@svc/sdk/internal/client/conversationReader';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { requestStatuses } from '@svc/sdk/internal/schemas/walletRequest';
import type { Transcript } from '@svc/sdk/negotiation';
import type { TypedDataDefinition } from 'viem';
import * as z from 'zod';
import type { GatewaySessions } from '../wallet/gatewaySessions.ts';
import type { Wallet, WalletAnswer } from '../wallet/walletInterface.ts';

/** The fields of every answer that may come with a request to a wallet; null where there is none. */
export const requestFields = {
  requestId: z.string().nullable(),
  approvalUrl: z.string().nullable().describe('Where the owner of the wallet decides: show it to them.'),
  status: z.enum(requestStatuses).nullable(),
  askedBecause: z
    .array(z.string())
    .optional()
    .describe('Why the owner has to decide, where the wallet has a spending policy.'),
};

export const noRequest = { requestId: null, approvalUrl: null, status: null } as const;

export function pickRequest({ requestId, approvalUrl, status, askedBecause }: WalletAnswer) {
  return { requestId, approvalUrl, status, ...(askedBecause && { askedBecause: [...askedBecause] }) };
}

const hashPattern = /^0x[0-9a-f]{64}$/i;

/** What a wallet has been asked for, without what only programs need: its bytes, hashes, what is as it should be, and no page to open. */
export function briefRequest({
  calls: _,
  typedData: _typedData,
  document: _document,
  chainId: _chainId,
  from: _from,
  simulation,
  steps,
  approvalUrl,
  ...rest
}: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries({
    ...rest,
    simulation:
      (simulation as { readonly status?: string } | undefined)?.status === 'success' ? null : simulation,
    approvalUrl: rest.status === 'pending' ? approvalUrl : null,
    steps: (steps as readonly { readonly summary: string }[] | undefined)?.map(({ summary }) => summary),
  });
  return Object.fromEntries(fields.filter(([, value]) => value != null && !hashPattern.test(String(value))));
}

type ToolMailNeeds = {
  readonly gatewayUrl: string;
  /** Reaches the gateway; that of the platform unless given. */
  readonly fetch?: typeof globalThis.fetch;
  readonly readChainId: () => Promise<number>;
  readonly sessions: Pick<GatewaySessions, 'signIn' | 'forget'>;
  readonly wallet: Pick<Wallet, 'submit' | 'readStatus'>;
  /** False also where the chain cannot be asked now. */
  readonly verify: VerifyDigest;
};

export type ToolMail = ReturnType<typeof createToolMail>;

/** What was read so far; the whole mailbox is never read. */
export type ToolMailbox = FoundMail & {
  readonly client: Pick<MailboxClient, 'send' | 'conversations' | 'conversation' | 'mark'>;
  /** The same after these conversations were read. */
  readonly find: (wanted: Wanted) => Promise<ToolMailbox>;
  readonly reader: ConversationReader;
};

type Opened = { readonly mailbox: ToolMailbox } | { readonly request: WalletAnswer };

export function createToolMail(needs: ToolMailNeeds) {
  const { gatewayUrl, fetch, readChainId, sessions, wallet, verify } = needs;
  const readers = new Map<Address, ConversationReader>();

  /** Asks the owner of the wallet for a signature of typed data. */
  async function requestSignature(
    from: Address,
    action: string,
    summary: string,
    typedData: unknown,
  ): Promise<WalletAnswer> {
    const json = toJsonTypedData(typedData as TypedDataDefinition) as unknown as Record<string, unknown>;
    const chainId = await readChainId();
    return wallet.submit({ kind: 'signature', action, summary, chainId, from, typedData: json });
  }

  function createClient(address: Address, token: string): MailboxClient {
    const signTypedData = () => Promise.reject(new SvcError('SESSION_REQUIRED', {}));
    return createMailboxClient({
      baseUrl: gatewayUrl,
      fetch,
      wallet: { address, signTypedData },
      chainId: readChainId,
      session: { token, expiresAt: Number.POSITIVE_INFINITY },
    });
  }

  async function open(address: Address, wanted?: Wanted): Promise<Opened> {
    const found = await sessions.signIn(address);
    if (found.kind === 'waiting') return { request: found.request };
    const client = createClient(address, found.token);
    const key = addressKey(address);
    const reader = readers.get(key) ?? createConversationReader(address, verify);
    readers.set(key, reader);
    const show = (): ToolMailbox => ({ ...reader.read(), client, reader, find });
    const find = async (more: Wanted) => {
      await reader.find(client, more);
      return show();
    };
    return { mailbox: wanted === undefined ? show() : await find(wanted) };
  }

  return {
    requestSignature,
    readStatus: wallet.readStatus,

    /** With these conversations. Returns the request to approve while there is no session. */
    open: async (address: Address, wanted?: Wanted): Promise<Opened> => {
      try {
        return await open(address, wanted);
      } catch (error) {
        if (!isErrorOf(error, 'SESSION_REQUIRED')) throw error;
        sessions.forget(address);
        return open(address, wanted);
      }
    },
  };
}

/** Opens a mailbox for an answer that is useful without it as well: where it cannot be opened, `refusal` says why and what to do. */
export async function tryOpen(
  { mail }: { readonly mail: Pick<ToolMail, 'open'> },
  ...wanted: Parameters<ToolMail['open']>
): Promise<Opened | { readonly refusal: string }> {
  try {
    return await mail.open(...wanted);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { refusal: error.message.replace(/\.$/, '') };
  }
}

/** The other party of a conversation. */
export function otherOf({ parties: { opener, other } }: Transcript, address: Address): Address {
  return isSameAddress(opener, address) ? other : opener;
}

/** Throws NEGOTIATION_NOT_FOUND. */
export function findTranscript({ transcripts }: ToolMailbox, root: string): Transcript {
  const found = transcripts.find((one) => one.root === root.toLowerCase());
  if (found === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId: root });
  return found;
}
