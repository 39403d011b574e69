// The wallet that a command line names.

import { SvcError } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { type Connection, isOnThisMachine } from '#app/connect.ts';
import { connectRequestChain, openRequestFile, openToolWallet } from '#app/walletRequests.ts';
import type { Config } from '#config.ts';
import { createKeyWallet } from '#wallet/keyWallet.ts';
import { createLocalWallet } from '#wallet/localWallet.ts';
import { isAddressOfServer } from '#wallet/toolClient.ts';
import type { Wallet } from '#wallet/wallet.ts';
import type { PrepareOptions } from './prepareOptions.ts';

/** Null where nobody is to be asked. */
export async function openWallet(
  options: PrepareOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet | null> {
  switch (options.wallet) {
    case 'none':
      return null;
    case 'local':
      return createLocalWallet(config.gatewayUrl);
    case 'key':
      return openKeyWallet(options, config, connection);
    case 'mcp':
      return openNamedServer(options, config, connection);
  }
}

async function openKeyWallet(
  { isConsented }: PrepareOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet> {
  const { isEmbedded, rpcUrls, genesisHash: chain } = connection;
  if (config.privateKey === undefined) throw new SvcError('KEY_MISSING', {});
  if (!isConsented && !(await isEmbedded())) throw new SvcError('KEY_NEEDS_CONSENT', {});
  const privateKey = config.privateKey.reveal() as Hex;
  // Its own receipt is the first confirmation; more of them only the chain can tell.
  const requestChain = config.confirmations > 1 ? connectRequestChain(connection, config) : undefined;
  return createKeyWallet({ privateKey, rpcUrls, chain, requests: openRequestFile(config), requestChain });
}

async function openNamedServer(
  { walletServer: server }: PrepareOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet> {
  if (server === undefined)
    throw new SvcError('USAGE', { reason: '--wallet mcp needs --wallet-server <url or command>.' });
  if (isAddressOfServer(server)) checkAddress(server);
  // It would send what is meant for the embedded chain to the real one, where it means something else or nothing.
  const isElsewhere = isAddressOfServer(server) && !isOnThisMachine(server);
  if (isElsewhere && (await connection.isEmbedded()))
    throw new SvcError('WALLET_REFUSED', { reason: 'it is elsewhere and cannot reach the embedded chain' });
  return openToolWallet(server, config, connection, (text) => console.error(text));
}

function checkAddress(server: string): void {
  const url = URL.parse(server);
  const isOpen = url?.protocol === 'http:' && !isOnThisMachine(server);
  const mistakes: readonly (readonly [boolean, string])[] = [
    [url === null, 'is no address'],
    // It would be shown in messages.
    [`${url?.username}${url?.password}` !== '', 'must not hold a name or a password'],
    // On the way it could be read and changed: what is to be sent, and the page where its owner decides.
    [isOpen, 'has to begin with https://, unless it is on this machine'],
  ];
  const mistake = mistakes.find(([isMade]) => isMade)?.[1];
  if (mistake !== undefined)
    throw new SvcError('USAGE', { reason: `The address of --wallet-server ${mistake}.` });
}
