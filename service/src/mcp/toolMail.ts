// The mailboxes that the tools read and write: sessions and messages that a wallet signs by requests, one step per call.

import { createMailboxClient, type MailboxClient } from '@svc/sdk/client';
import { type Address, isSameAddress, SvcError, type VerifyDigest } from '@svc/sdk/domain';
import { toJsonTypedData } from '@svc/sdk/internal/actions/action';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { createMailReader, type ReadMail } from '@svc/sdk/internal/negotiation/mailReader';
import type { Transcript } from '@svc/sdk/negotiation';
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
  /** False also where the chain cannot be asked now. */
  readonly verify: VerifyDigest;
};

export type ToolMail = ReturnType<typeof createToolMail>;

export type ToolMailbox = ReadMail & { readonly send: MailboxClient['send'] };

type Opened = { readonly mailbox: ToolMailbox } | { readonly request: WalletAnswer };

/** The pause between two checks whether the owner has opened the session. */
const sessionPollMs = 5_000;

type Read = { readonly mail: ReturnType<typeof createMailReader>; after: number };

export function createToolMail(needs: ToolMailNeeds) {
  const { gatewayUrl, readChainId, signIn, forgetSession, wallet, verify } = needs;
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
    const read = reads.get(key) ?? { mail: createMailReader(address, verify), after: 0 };
    reads.set(key, read);
    for (;;) {
      const { messages, nextAfter } = await client.read({ after: read.after });
      await read.mail.add(messages, new Date());
      if (messages.length === 0) return read;
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
    const { mail } = await readAll(address, client);
    return { mailbox: { ...mail.read(), send: client.send } };
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
