// Messages over the mailboxes of a gateway, alone or together with XMTP.

import { createMarketClient } from '@svc/sdk';
import { createMailboxClient, type SessionWallet } from '@svc/sdk/client';
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { isOperatorError, OperatorError } from '../errors/operatorError.ts';
import type { Received, Transport } from './transport.ts';

export type RelayOptions = {
  readonly gatewayUrl: string;
  readonly wallet: SessionWallet & { readonly address: Address };
};

export function createRelayTransport({ gatewayUrl, wallet }: RelayOptions): Transport {
  const { origin } = new URL(gatewayUrl);
  const readChainId = async () => (await createMarketClient({ baseUrl: gatewayUrl }).siteConfig()).chainId;
  const client = createMailboxClient({ baseUrl: gatewayUrl, wallet, chainId: readChainId });
  return {
    name: 'relay',
    readPublicKey: async () => `relay:${addressKey(wallet.address)}`,
    send: async (_to, text) => void (await client.send(text).catch(explain)),
    receive: async (cursor) => {
      const texts: string[] = [];
      for (let after = parseCursor(cursor, origin); ; ) {
        const { messages, nextAfter } = await client.read({ after }).catch(explain);
        if (messages.length === 0) return { texts, cursor: `${origin} ${after}` };
        texts.push(...messages.flatMap(({ wire }) => wire ?? []));
        after = nextAfter;
      }
    },
    // An open session could be stolen.
    close: async () => void (await client.close().catch(() => undefined)),
  };
}

/** Positions count in one mailbox of one gateway. */
function parseCursor(cursor: string | null, origin: string): number {
  const [place, position] = (cursor ?? '').split(' ');
  return place === origin ? Number(position) : 0;
}

/** The same message may be accepted later where the gateway is away or busy, or a limit is reached. */
function explain(error: unknown): never {
  if (!isErrorOf(error, 'API_UNREACHABLE', 'API_REFUSED')) throw error;
  const status = Number(error.details.status);
  if (error.code === 'API_REFUSED' && status !== 429 && status < 500) throw error;
  const reason = error.message.replace(/\.$/, '');
  throw new OperatorError('TRANSPORT_UNREACHABLE', { transport: 'the gateway', reason }, error);
}

/**
 * The relay decides about places, so it comes first. XMTP gets what the relay holds; where XMTP is away, the message still
 * arrives by the relay. What comes from both is known by its hash.
 */
export function createBothTransport(relay: Transport, xmtp: Transport): Transport {
  return {
    name: 'relay+xmtp',
    readPublicKey: () => xmtp.readPublicKey(),
    send: async (to, text) => {
      await relay.send(to, text);
      await xmtp.send(to, text).catch((error: unknown) => {
        if (!isOperatorError(error, 'TRANSPORT_UNREACHABLE')) throw error;
      });
    },
    receive: async (cursor) => {
      const [relayCursor = null, xmtpCursor = null] = JSON.parse(cursor ?? '[]') as (string | null)[];
      const nothing = (kept: string | null) => ({ texts: [], cursor: kept });
      const failures: unknown[] = [];
      const receive = (transport: Transport, from: string | null): Promise<Received> =>
        transport.receive(from).catch((error: unknown) => {
          failures.push(error);
          return nothing(from);
        });
      const [one, other] = [await receive(relay, relayCursor), await receive(xmtp, xmtpCursor)];
      if (failures.length === 2) throw failures[0];
      return { texts: [...one.texts, ...other.texts], cursor: JSON.stringify([one.cursor, other.cursor]) };
    },
    close: async () => {
      await relay.close();
      await xmtp.close();
    },
  };
}
