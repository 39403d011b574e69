// Opens the mailbox of a wallet for the commands that negotiate.
import { join } from 'node:path';
import { createDigestReader } from '@svc/sdk/chain';
import { type Address, addressKey, SvcError, type VerifyDigest, verifyPlainAccount } from '@svc/sdk/domain';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { text } from '#cli/options.ts';
import type { Config } from '#config.ts';
import { type Agent, createAgent } from '#messages/agent.ts';
import { type Book, createBook } from '#messages/book.ts';
import { createLocalTransport } from '#messages/local.ts';
import { type Transport, type TransportName, transportNames } from '#messages/transport.ts';
import { connectXmtp, createXmtpTransport } from '#messages/xmtp.ts';

export type Mailbox = {
  readonly address: Address;
  readonly agent: Agent;
  readonly book: Book;
  readonly transport: TransportName;
  readonly close: () => Promise<void>;
};

/** Throws KEY_MISSING without PRIVATE_KEY. */
export function readAccount({ privateKey }: Config): PrivateKeyAccount {
  if (privateKey === undefined) throw new SvcError('KEY_MISSING', {});
  return privateKeyToAccount(privateKey.reveal() as Hex);
}

export const transportOption = {
  ...text('<name>', 'local (default) or xmtp'),
  default: 'local',
} as const;

export function parseTransport(value: string): TransportName {
  const name = transportNames.find((known) => known === value);
  if (name === undefined) throw new SvcError('USAGE', { reason: '--transport must be local or xmtp.' });
  return name;
}

export function openMailbox(config: Config, transportName: TransportName, address: Address): Mailbox {
  const book = createBook(join(config.dataDir, 'negotiations.sqlite'), address);
  const transport =
    transportName === 'local'
      ? createLocalTransport(join(config.dataDir, 'mail.sqlite'), address)
      : openXmtp(config);
  const verify = createVerify(config);
  return {
    address,
    agent: createAgent({ address, book, transport, verify, now: () => new Date() }),
    book,
    transport: transportName,
    close: async () => {
      await transport.close();
      book.close();
    },
  };
}

function openXmtp(config: Config): Transport {
  const account = readAccount(config);
  const { xmtpEnv: network, dataDir, xmtpDbPath } = config;
  const databasePath = xmtpDbPath ?? join(dataDir, `xmtp-${network}-${addressKey(account.address)}.db3`);
  // Follows from the wallet's key, so that nothing but the key has to be kept to open the database again.
  const databaseKey = keccak256(stringToBytes(`svc xmtp database ${config.privateKey?.reveal()}`));
  const signMessage = (message: string) => account.signMessage({ message });
  return createXmtpTransport({ network }, () =>
    connectXmtp({ address: account.address, signMessage, network, databasePath, databaseKey }),
  );
}

/** Plain accounts without a chain; where RPCs are configured, smart wallets are asked as well. */
function createVerify({ rpcUrls }: Config): VerifyDigest {
  return rpcUrls.length === 0 ? verifyPlainAccount : createDigestReader(rpcUrls.map((url) => url.reveal()));
}
