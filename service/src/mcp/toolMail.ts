// The mailboxes that the tools read and write: sessions and messages that a wallet signs by requests, one step per call.

import { createMailboxClient, type MailboxClient } from '@svc/sdk/client';
import { type Address, isSameAddress, SvcError, verifyPlainAccount } from '@svc/sdk/domain';
import { toJsonTypedData } from '@svc/sdk/internal/actions/action';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { isParty } from '@svc/sdk/internal/negotiation/envelope';
import { buildTranscripts, checkArrival, type SignedEnvelope, type Transcript } from '@svc/sdk/negotiation';
import { requestStatuses } from '@svc/sdk/schemas';
import type { TypedDataDefinition } from 'viem';
import * as z from 'zod';
import type { GatewaySessions } from '#wallet/gatewaySessions.ts';
import type { Wallet, WalletAnswer } from '#wallet/walletInterface.ts';

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

export type ToolMailNeeds = {
  readonly gatewayUrl: string;
  readonly readChainId: () => Promise<number>;
  readonly signIn: GatewaySessions['signIn'];
  readonly forgetSession: GatewaySessions['forget'];
  readonly wallet: Pick<Wallet, 'submit' | 'readStatus'>;
};

export type ToolMail = ReturnType<typeof createToolMail>;

export type ToolMailbox = {
  readonly transcripts: readonly Transcript[];
  /** The place of each message in the mailbox, by its hash; newer messages have higher ones. */
  readonly positions: ReadonlyMap<string, number>;
  /** Messages that a key does not prove, such as those of smart wallets. */
  readonly unverified: number;
  readonly send: MailboxClient['send'];
};

type Opened = { readonly mailbox: ToolMailbox } | { readonly request: WalletAnswer };

/** The pause between two checks whether the owner has opened the session. */
const sessionPollMs = 5_000;

type Read = {
  readonly signed: Map<string, SignedEnvelope>;
  readonly positions: Map<string, number>;
  unverified: number;
  after: number;
};

export function createToolMail({ gatewayUrl, readChainId, signIn, forgetSession, wallet }: ToolMailNeeds) {
  const reads = new Map<Address, Read>();

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

  async function readAll(address: Address, client: MailboxClient): Promise<Read> {
    const key = addressKey(address);
    const read = reads.get(key) ?? { signed: new Map(), positions: new Map(), unverified: 0, after: 0 };
    reads.set(key, read);
    for (;;) {
      const { messages, nextAfter } = await client.read({ after: read.after });
      if (messages.length === 0) return read;
      for (const { wire, position } of messages) {
        const arrival = wire === null ? null : await checkArrival(wire, new Date(), verifyPlainAccount);
        if (arrival !== null && 'signed' in arrival) {
          read.signed.set(arrival.signed.hash, arrival.signed);
          read.positions.set(arrival.signed.hash, position);
        } else read.unverified++;
      }
      read.after = nextAfter;
    }
  }

  function createClient(address: Address, token: string): MailboxClient {
    const signTypedData = () => Promise.reject(new SvcError('SESSION_REQUIRED', {}));
    return createMailboxClient({
      baseUrl: gatewayUrl,
      wallet: { address, signTypedData },
      chainId: readChainId,
      session: { token, expiresAt: Number.POSITIVE_INFINITY },
    });
  }

  async function open(address: Address): Promise<Opened> {
    const found = await signIn(address);
    if (found.kind === 'waiting') return { request: found.request };
    const client = createClient(address, found.token);
    const { signed, positions, unverified } = await readAll(address, client);
    const { transcripts } = buildTranscripts([...signed.values()]);
    const own = transcripts.filter(({ parties }) => isParty(parties, address));
    return { mailbox: { transcripts: own, positions, unverified, send: client.send } };
  }

  return {
    requestSignature,
    readStatus: wallet.readStatus,

    /** Returns the request to approve while there is no session. */
    open: async (address: Address): Promise<Opened> => {
      try {
        return await open(address);
      } catch (error) {
        if (!isErrorOf(error, 'SESSION_REQUIRED')) throw error;
        forgetSession(address);
        return open(address);
      }
    },

    /**
     * Yields once when it begins, for messages from before, and with each new message. Continues after an outage of the
     * gateway and after the end of a session. Throws where the owner refuses one.
     */
    async *follow(address: Address, signal: AbortSignal): AsyncGenerator<unknown> {
      let after: number | null = null;
      while (!signal.aborted) {
        try {
          const found = await signIn(address);
          if (found.kind === 'open') {
            const client = createClient(address, found.token);
            if (after === null) {
              after = (await readAll(address, client)).after;
              yield after;
            }
            for await (const { position } of client.follow({ after, signal })) {
              after = position;
              yield after;
            }
          }
        } catch (error) {
          if (isErrorOf(error, 'SESSION_REQUIRED')) forgetSession(address);
          else if (!isOutage(error)) throw error;
        }
        await sleep(sessionPollMs, signal);
      }
    },
  };
}

function isOutage(error: unknown): boolean {
  if (isErrorOf(error, 'API_REFUSED')) return Number(error.details.status) >= 500;
  return isErrorOf(error, 'API_UNREACHABLE', 'WALLET_UNREACHABLE', 'CHAIN_UNREACHABLE', 'MARKET_NOT_FOUND');
}

/** The other party of a conversation. */
export function otherOf({ parties: { opener, other } }: Transcript, address: Address): Address {
  return isSameAddress(opener, address) ? other : opener;
}
